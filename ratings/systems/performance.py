"""Performance rating over any games: the rating at which the expected score equals the actual score."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, NamedTuple

from .protocol import System
from .values import Game

MAX_DISTANCE = 1500.0
"""Limit of the search for a performance, in rating points above or below all opponents."""
TOLERANCE = 0.25


class RatedGame(NamedTuple):
    """Game from the side of `a`: own rating before it, opponent's rating before it, and the game.

    `deviations` are those of both ratings, own first; None where they are not known or the system has none. `expected`
    is the expected score of `a` (0..1), None before it is computed.
    """

    own: float
    opponent: float
    game: Game
    deviations: tuple[float, float] | None = None
    expected: float | None = None


Played = tuple[float | None, float | None, Game, tuple[float, float] | None]
"""Own rating, opponent's rating, game, and the deviations of both ratings."""


def list_rated_games(system: System[Any], played: Iterable[Played]) -> list[RatedGame]:
    """Return the games that the rules rate, between players who both had a rating before them."""
    predict, rated = system.rating.predict, []
    for own, opponent, game, deviations in played:
        if own is not None and opponent is not None:
            expected = predict(own, opponent, game, "a", deviations)
            if expected is not None:
                rated.append(RatedGame(own, opponent, game, deviations, expected))
    return rated


def sum_expected_scores(system: System[Any], results: Sequence[RatedGame]) -> float:
    """Return the expected score of `a`, in points, over games that the rules rate."""
    predict = system.rating.predict
    return sum(
        predict(own, opponent, game, "a", deviations) or 0.0 if expected is None else expected
        for own, opponent, game, deviations, expected in results
    )


def compute_performance(system: System[Any], results: Sequence[RatedGame]) -> float | None:
    """Return the rating, in rating points, at which the expected score over these games equals the actual score.

    This is the definition of FIDE's and US Chess's "performance rating", computed from the system's own expected
    scores instead of their table. Return None if no rating fits: all games won or lost, or no games.
    """
    score = sum(result.game.score or 0.0 for result in results)
    if not 0 < score < len(results):
        return None
    from scipy.optimize import brentq  # noqa: PLC0415 - slow to load, and few pages need it

    predicted_sum = system.rating.predict_sum([result[1:4] for result in results])

    @cache  # the search begins with both limits, which have been tried
    def expected_surplus(rating: float) -> float:
        return predicted_sum(rating) - score

    opponents = [result.opponent for result in results]
    low, high = min(opponents), max(opponents)
    for margin in (0.0, 100.0, 400.0, MAX_DISTANCE):  # most are near; one wide search takes twice as long
        if expected_surplus(low - margin) <= 0 <= expected_surplus(high + margin):
            return float(brentq(expected_surplus, low - margin, high + margin, xtol=TOLERANCE))
    return None
