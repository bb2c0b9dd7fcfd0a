"""The rating with which a score would have been what the rules expect, over any games."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from .protocol import System
from .values import Game

FURTHEST = 1500.0
"""Rating points above or below all opponents within which a performance is looked for."""
TO_WITHIN = 0.25


class Result(NamedTuple):
    """A game as `a` played it: his rating before it, his opponent's, and the game."""

    own: float
    opponent: float
    game: Game


def rated_results(system: System[Any], played: Iterable[tuple[float | None, float | None, Game]]) -> list[Result]:
    """Of games with both ratings before them those that the rules rate, between players who were both rated."""
    several = (Result(own, theirs, game) for own, theirs, game in played if own is not None and theirs is not None)
    return [result for result in several if system.predict(*result, "a") is not None]


def expected_total(system: System[Any], results: Sequence[Result]) -> float:
    """What the rules expected of `a`, in points, over games which they rate."""
    return sum(system.predict(own, opponent, game, "a") or 0.0 for own, opponent, game in results)


def performance(system: System[Any], results: Sequence[Result]) -> float | None:
    """The rating at which the expected score over these games is the score made, in rating points.

    That is FIDE's and US Chess's "performance rating" by its definition instead of its table, with the expectation of
    the system's own rules. None where no rating has it: everything won or lost, or no game.
    """
    from scipy.optimize import brentq  # noqa: PLC0415 - takes long to load, and few pages need it

    score = sum(game.score or 0.0 for _, _, game in results)
    if not 0 < score < len(results):
        return None
    predict, met = system.predict, [(opponent, game) for _, opponent, game in results]

    def missing(rating: float) -> float:
        return sum([predict(rating, opponent, game, "a") or 0.0 for opponent, game in met]) - score

    opponents = [result.opponent for result in results]
    low, high = min(opponents), max(opponents)
    for further in (0.0, 100.0, 400.0, FURTHEST):  # most are near: to look everywhere at once takes twice as long
        if missing(low - further) <= 0 <= missing(high + further):
            return float(brentq(missing, low - further, high + further, xtol=TO_WITHIN))
    return None
