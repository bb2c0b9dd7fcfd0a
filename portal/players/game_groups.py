"""A player's games by event, each with the change of rating there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from ratings.queries.players.career_games import GameRow
from ratings.queries.players.careers import Career, Point
from ratings.queries.players.games import GameWithOpponent, played_games


@dataclass(frozen=True)
class GameInGroup:
    """A game with its opponent, and the player's expected score before it (0..1); None where the rules have none."""

    played: GameWithOpponent
    chance: float | None


@dataclass(frozen=True)
class GameGroup:
    """Consecutive games of one table; `step` is the table in the player's career, None if it is not rated."""

    first: GameRow
    games: list[GameInGroup]
    step: Point | None


def group_games(career: Career, rows: Sequence[GameRow]) -> list[GameGroup]:
    """Return games, newest first, in groups of the same table; needs one query for any number."""
    steps = {point.table: point for point in career.steps if point.table is not None}
    games = [GameInGroup(game, _expect_score(career, game.row)) for game in played_games(rows)]
    groups = []
    for table, in_table in groupby(games, lambda game: game.played.row.table):
        listed = list(in_table)
        groups.append(GameGroup(listed[0].played.row, listed, steps.get(table)))
    return groups


def _expect_score(career: Career, row: GameRow) -> float | None:
    if not row.rated or not row.played or row.own is None or row.theirs is None:
        return None
    return career.rating_list.rating_system.rating.predict(row.own, row.theirs, row.value, "a", row.deviations)
