"""Values of a state that FESA's published tables do not print, and the order in which to try them.

A table prints the rating and the grade before it. It does not print the number of games, the used bonus games and the
runs of games towards a promotion.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ratings.systems.values import StateJson

ALL_BONUS = 100
MANY_GAMES, SOME_GAMES = 200, 50  # games of an adjustment with all bonus games used, and with fewer
FEW_GAMES = range(17, 8, -1)
"""Numbers of games of provisional players, who have other rules of promotion."""
NEW_RUNS: StateJson = {"lb_run": None, "mp_run": None}
"""Runs of a player whose printed grade is not the computed one: they begin anew."""


def list_adjustments(rating: float, grade: str | None, runs: StateJson) -> Iterator[dict[str, Any]]:
    """Yield adjustments to a printed rating, in rating points, and grade: all bonus games used, none, then fewer."""
    for bonus_games in (ALL_BONUS, 0, *range(ALL_BONUS - 1, 0, -1)):
        games = MANY_GAMES if bonus_games == ALL_BONUS else SOME_GAMES
        yield {"rating": rating, "games": games, "bonus_games": bonus_games, "grade": grade, **runs}
