"""Details of tables and games that only some rating systems use: thinking time, board, online, correspondence."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from ratings.formats.parsed import ParsedTable
from ratings.models import Event, Table
from ratings.queries.events.events import lists_of, required_details

from .tables import NumberedGame

TABLE_FIELDS = {
    "tournament": "tournament",
    "minutes": "minutes",
    "overtime_moves": "overtime",
    "overtime_seconds": "overtime",
    "increment": "overtime",
    "time_class": "time_class",
    "list_day": "list_day",
}
"""Names that a rating system lists in `required_values`, by the fields of a table that they cover."""
GAME_FIELDS = ("board", "online", "correspondence")
"""Fields of games that are entered once for the whole table."""
TIME_CONTROL = re.compile(r"(?P<minutes>\d+)\s*min\w*(?:\s*\+\s*(?P<seconds>\d+)\s*s(?:ec\w*)?)?", re.ASCII)


def read_announced_details(event: Event) -> dict[str, Any]:
    """Return the details that follow from an event's announcement and that its lists ask for.

    A time control such as "30min + 30sec" is read as minutes plus byo-yomi.
    """
    asked = required_details(lists_of(event)) if event.pk else frozenset()
    details: dict[str, Any] = {
        "online": event.mode == Event.Mode.ONLINE,
        "correspondence": event.mode == Event.Mode.CORRESPONDENCE,
        "board": 19,
        "tournament": True,
    }
    if time := TIME_CONTROL.fullmatch(event.time_control.strip()):
        details["minutes"] = float(time["minutes"])
        if time["seconds"]:
            details |= {"overtime_moves": 1, "overtime_seconds": int(time["seconds"])}
    return {name: value for name, value in details.items() if TABLE_FIELDS.get(name, name) in asked}


def add_time_of_file(details: dict[str, Any], event: Event, parsed: ParsedTable) -> None:
    """Add the thinking time that a results file has, where the event's lists ask for it and none is announced."""
    asked = required_details(lists_of(event)) if event.pk else frozenset()
    if parsed.minutes is None or "minutes" not in asked or "minutes" in details:
        return
    details["minutes"] = parsed.minutes
    if parsed.increment and "overtime" in asked:
        details["increment"] = parsed.increment


def load_details(table: Table) -> dict[str, Any]:
    """Return the stored details of a table; None for a detail that differs between its games."""
    details: dict[str, Any] = {name: getattr(table, name) for name in TABLE_FIELDS}
    different = list(table.games.filter(played=True).order_by().values_list(*GAME_FIELDS).distinct())
    for name, *values in zip(GAME_FIELDS, *different, strict=True):
        if values:
            details[name] = values[0] if len(set(values)) == 1 else None
    return details


def apply_details(
    details: Mapping[str, Any], table: Table, games: Iterable[NumberedGame], ids: Mapping[int, int]
) -> list[NumberedGame]:
    """Set details on a table, and return its games with details; those left open keep each stored game's value.

    `ids` holds the players' primary keys by their numbers.
    """
    for name in TABLE_FIELDS:
        if name in details:
            setattr(table, name, details[name])
    common = {name: details[name] for name in GAME_FIELDS if details.get(name) is not None}
    stored = _load_game_details(table)
    return [replace(game, **{**stored.get(_game_key(game, ids), {}), **common}) for game in games]


def _game_key(game: NumberedGame, ids: Mapping[int, int]) -> tuple[int, Collection[int | None]]:
    return game.round, frozenset((ids[game.a], ids[game.b] if game.b else None))


def _load_game_details(table: Table) -> dict[tuple[int, Collection[int | None]], dict[str, Any]]:
    """Return the details of the stored games by round and players."""
    games = table.games.select_related("a", "b") if table.pk else ()
    return {
        (game.round, frozenset((game.a.player_id, game.b.player_id if game.b else None))): {
            name: getattr(game, name) for name in GAME_FIELDS
        }
        for game in games
    }
