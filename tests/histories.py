"""Small histories for tests, in the form ratings-history/1."""

from __future__ import annotations

from typing import Any

from ratings.formats.history.file import parse_history
from ratings.formats.history.result import RatedHistory, rate_history
from ratings.systems.values import Row, TableResult


def rated_player(rating: int, games: int = 100, bonus_games: int = 100, **more: Any) -> dict[str, Any]:
    return {"opening": {"rating": rating, "games": games, "bonus_games": bonus_games} | more}


Games = list[tuple[Any, ...]] | dict[str, Any]
"""Games (a, b, score) or (a, b, score, extra fields), a round each; or these in `games` beside fields of the table."""


def document(players: dict[str, dict[str, Any]], *tables: Games, **more: Any) -> dict[str, Any]:
    return {
        "format": "ratings-history/1",
        "system": "fesa-2016",
        "players": [{"id": id} | given for id, given in players.items()],
        "tables": [_table(number, list(players), games) for number, games in enumerate(tables, 1)],
    } | more  # more of it: adjustments, decisions, another system


def _table(number: int, players: list[str], given: Games) -> dict[str, Any]:
    fields = given if isinstance(given, dict) else {"games": given}
    games = [
        {"round": round_, "a": a, "b": b, "score": score} | (extra[0] if extra else {})
        for round_, (a, b, score, *extra) in enumerate(fields["games"], 1)
    ]
    return {"id": f"t{number}", "date": f"2024-01-{number:02}", "players": players} | fields | {"games": games}


def rate(players: dict[str, dict[str, Any]], *tables: Games, **more: Any) -> RatedHistory:
    return rate_history(parse_history(document(players, *tables, **more)))


def table(result: RatedHistory, id: str = "t1") -> TableResult[Any]:
    return next(got for given, got in result.tables if given.id == id)


def row(result: RatedHistory, player: str, id: str = "t1") -> Row:
    return next(row for row in table(result, id).rows if row.player == player)
