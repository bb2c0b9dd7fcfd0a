"""What only some systems ask of a table and its games: thinking time, board, online, by correspondence …"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from typing import Any

from ratings.models import Event, Table
from ratings.queries.events import asked_of, lists_of

from .tables import Pairing

OF_TABLE = {
    "tournament": "tournament",
    "minutes": "minutes",
    "overtime_moves": "overtime",
    "overtime_seconds": "overtime",
    "increment": "overtime",
}
"""Fields of a table by what a system asks for."""
OF_GAMES = ("board", "online", "correspondence")
"""Fields of games that are entered for all of a table at once."""
TIME = re.compile(r"(?P<minutes>\d+)\s*min\w*(?:\s*\+\s*(?P<seconds>\d+)\s*s(?:ec\w*)?)?", re.ASCII)


def announced_details(event: Event) -> dict[str, Any]:
    """What an event's announcement tells, where its lists ask for it; "30min + 30sec" has byo-yomi."""
    asked = asked_of(lists_of(event)) if event.pk else frozenset()
    told: dict[str, Any] = {
        "online": event.mode == Event.Mode.ONLINE,
        "correspondence": event.mode == Event.Mode.CORRESPONDENCE,
        "board": 19,
        "tournament": True,
    }
    if time := TIME.fullmatch(event.time_control.strip()):
        told["minutes"] = float(time["minutes"])
        if time["seconds"]:
            told |= {"overtime_moves": 1, "overtime_seconds": int(time["seconds"])}
    return {name: value for name, value in told.items() if OF_TABLE.get(name, name) in asked}


def stored_details(table: Table) -> dict[str, Any]:
    """What a table holds; None for what differs from game to game."""
    details: dict[str, Any] = {name: getattr(table, name) for name in OF_TABLE}
    for name in OF_GAMES:
        values = set(table.games.filter(played=True).values_list(name, flat=True))
        if values:
            details[name] = values.pop() if len(values) == 1 else None
    return details


def with_details(
    details: Mapping[str, Any], table: Table, pairings: Iterable[Pairing], ids: Mapping[int, int]
) -> list[Pairing]:
    """Put details into a table and the games to be saved; what they leave open stays game by game.

    `ids` are the players' database ids by their numbers.
    """
    for name in OF_TABLE:
        if name in details:
            setattr(table, name, details[name])
    given = {name: details[name] for name in OF_GAMES if details.get(name) is not None}
    before = _stored_games(table)
    return [replace(p, **{**before.get(_game(p, ids), {}), **given}) for p in pairings]


def _game(pairing: Pairing, ids: Mapping[int, int]) -> tuple[int, Collection[int | None]]:
    return pairing.round, frozenset((ids[pairing.a], ids[pairing.b] if pairing.b else None))


def _stored_games(table: Table) -> dict[tuple[int, Collection[int | None]], dict[str, Any]]:
    """Details of the stored games, by round and players."""
    games = table.games.select_related("a", "b") if table.pk else ()
    return {
        (game.round, frozenset((game.a.player_id, game.b.player_id if game.b else None))): {
            name: getattr(game, name) for name in OF_GAMES
        }
        for game in games
    }
