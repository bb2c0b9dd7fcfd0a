"""Arithmetic that several systems share."""

from __future__ import annotations

import math
from collections.abc import Sequence


def expected_score(own: float, opponent: float) -> float:
    """Expected score (0..1) of a player rated `own`: 1/(1+10^((opponent-own)/400))."""
    return 1.0 / (1.0 + math.pow(10.0, (opponent - own) / 400.0))


def away_from_zero(points: float) -> int:
    """The nearest integer, halves away from zero; snapped to 1e-6 first, so that a half is one everywhere."""
    snapped = round(points, 6)
    return math.floor(snapped + 0.5) if snapped >= 0 else -math.floor(0.5 - snapped)


def performance_rating(results: Sequence[tuple[float, float]], weights: Sequence[float] | None = None) -> float | None:
    """The rating at which `results`, pairs of (opponent's rating, score), would change nothing.

    Fesa rule 5: the x with sum(weight * (score - expected(x, opponent))) = 0, in double precision to 1e-10 points;
    the weights are 1 where none are given. None where it is not defined: no results, 0 %, 100 %.
    """
    points = sum(score for _, score in results)
    if not 0 < points < len(results):
        return None
    weighted = [(r, w) for (r, _), w in zip(results, weights or [1.0] * len(results), strict=True)]
    if weights is not None:
        points = sum(weight * score for (_, score), weight in zip(results, weights, strict=True))
    low = min(opponent for opponent, _ in results) - 8000.0
    high = max(opponent for opponent, _ in results) + 8000.0
    x = sum(opponent for opponent, _ in results) / len(results)
    for _ in range(200):
        surplus, slope = points, 0.0
        for opponent, weight in weighted:
            expected = expected_score(x, opponent)
            surplus -= weight * expected
            slope += weight * expected * (1.0 - expected)
        low, high = (x, high) if surplus > 0 else (low, x)
        step = surplus / (slope * NATURAL_PER_POINT) if slope > 1e-12 else high - low
        following = x + step if low < x + step < high else (low + high) / 2.0
        if abs(following - x) < 1e-10:
            return following
        x = following
    return x


NATURAL_PER_POINT = 0.005756462732485115  # ln(10)/400: derivative of expected_score is E(1-E) times this
