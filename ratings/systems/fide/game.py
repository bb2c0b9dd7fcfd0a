"""One game in fide-2024: which games count, and the change of one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import NamedTuple

from ratings.systems.values import Game, Table

from . import tables


class GameChange(NamedTuple):
    """A game's change in hundredths, with the difference as used and the expected score in hundredths."""

    difference: int
    capped: bool
    expected: int
    change: int


def change_of_game(own: int, opponent: int, score: float, start: dt.date, chapter: str) -> GameChange:
    """Return the change of a game of a table begun on `start` (8.3.1 and 8.3.2)."""
    real = own - opponent
    uncapped = chapter == "standard" and own >= tables.UNCAPPED_FROM and start >= tables.UNCAPPED_SINCE
    used = real if uncapped else max(-tables.CAP, min(tables.CAP, real))
    expected = tables.expected_hundredths(used)
    return GameChange(used, used != real, expected, round(100 * score) - expected)


def is_over_the_board(game: Game) -> bool:
    """Return True if a game was played without a handicap and over the board (5.1)."""
    return not (game.online or game.correspondence or game.handicap or game.stones)


def minutes_for_60_moves(minutes: float | None, overtime: Mapping[str, float] | None) -> float | None:
    """Return the thinking time for 60 moves: an increment in seconds counts as as many minutes; None if unknown."""
    return None if minutes is None else minutes + (overtime or {}).get("increment", 0.0)


def is_game_rated(ratings: tuple[int | None, int | None], table: Table, minutes: float | None, chapter: str) -> bool:
    """Return True if the rules rate a game of players with these ratings, by its time and their difference.

    A player without a rating counts as rated below 1800 for the time, and has no difference.
    """
    a, b = ratings
    highest = max(a or 0, b or 0)
    if chapter == "standard":
        least = next((least for bound, least in tables.LEAST_MINUTES if highest >= bound), 0)
        return minutes is None or minutes >= least
    protected = table.date >= tables.PROTECTED_SINCE and highest > tables.PROTECTED_ABOVE
    return a is None or b is None or not (protected and abs(a - b) >= tables.PROTECTED_DIFFERENCE)
