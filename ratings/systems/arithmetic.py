"""Arithmetic shared by several systems."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from .compiling import compiled

Numbers = Sequence[float] | NDArray[np.float64]
"""Numbers of Python code or of compiled loops."""
NATURAL_PER_POINT = 0.005756462732485115  # ln(10)/400: derivative of expected_score is E(1-E) times this


@compiled
def expected_score(own: float, opponent: float) -> float:
    """Return the expected score (0..1) of a player rated `own`: 1/(1+10^((opponent-own)/400))."""
    return 1.0 / (1.0 + math.pow(10.0, (opponent - own) / 400.0))


def expected_scores(own: float, opponents: Iterable[float]) -> list[float]:
    """Return `expected_score` against each of some opponents, in less than half of the time of single calls."""
    power = math.pow  # NumPy may round powers differently, by machine
    return [1.0 / (1.0 + power(10.0, (opponent - own) / 400.0)) for opponent in opponents]


@compiled
def add_in_order(numbers: Iterable[float] | NDArray[np.float64]) -> float:
    """Return the sum of numbers, rounded after each addition.

    `sum` corrects the rounding errors since Python 3.12, which compiled loops do not.
    """
    total = 0.0
    for number in numbers:
        total += number
    return total


@compiled
def add_exactly(numbers: Numbers) -> float:
    """Return the sum of numbers, rounded once: `math.fsum` for compiled loops.

    The sum is held as parts of growing size without common digits (J. R. Shewchuk, 1997).
    """
    parts = [0.0]
    for number in numbers:
        kept, rest = [0.0], number
        for part in parts:
            large, small = (part, rest) if abs(rest) < abs(part) else (rest, part)
            rest = large + small
            error = small - (rest - large)
            if error != 0:
                kept.append(error)
        kept.append(rest)
        parts = kept
    total, error = 0.0, 0.0
    for i in range(len(parts) - 1, -1, -1):
        large = total
        total = large + parts[i]
        error = parts[i] - (total - large)
        if error != 0:
            # a part below the error decides whether an exact half is rounded up or down
            if (
                i > 0
                and parts[i - 1] != 0
                and (error > 0) == (parts[i - 1] > 0)
                and (total + 2 * error) - total == 2 * error
            ):
                total += 2 * error
            break
    return total


ALMOST_HALF = 0.4999995
"""Fraction above which numbers are rounded up: floating-point errors must not hide a half."""


@compiled
def round_half_away_from_zero(points: float) -> int:
    """Return the nearest integer, rounding halves away from zero.

    Points count as rounded to 1e-6 first, so that floating-point errors do not hide a half.
    """
    size = abs(points)
    whole = math.floor(size)
    if size - whole > ALMOST_HALF:
        whole += 1
    return whole if points >= 0 else -whole


@compiled
def performance_rating(ratings: Numbers, scores: Numbers, weights: Numbers | None = None) -> float | None:
    """Return the rating at which `scores` against opponents of these `ratings` would change nothing.

    Fesa rule 5: the x with sum(weight * (score - expected(x, opponent))) = 0, in double precision to 1e-10 points. The
    weights default to 1. Return None if x is undefined: no results, 0 %, 100 %.
    """
    points = sum(scores)
    if not 0 < points < len(ratings):
        return None
    if weights is not None:
        points = 0.0
        for i, score in enumerate(scores):
            points += weights[i] * score
    low, high = min(ratings) - 8000.0, max(ratings) + 8000.0
    x = sum(ratings) / len(ratings)
    for _ in range(200):
        surplus, slope = points, 0.0
        for i, opponent in enumerate(ratings):
            expected = expected_score(x, opponent)
            weight = 1.0 if weights is None else weights[i]
            surplus -= weight * expected
            slope += weight * expected * (1.0 - expected)
        low, high = (x, high) if surplus > 0 else (low, x)
        step = surplus / (slope * NATURAL_PER_POINT) if slope > 1e-12 else high - low
        next_x = x + step if low < x + step < high else (low + high) / 2.0
        if abs(next_x - x) < 1e-10:
            return next_x
        x = next_x
    return x


@compiled
def round_half_to_even(points: float) -> int:
    """Return the nearest integer, rounding halves to even.

    Points are rounded to 1e-6 first, so that floating-point errors do not hide a half.
    """
    return round(round(points * 1e6) / 1e6)


@compiled
def divide_half_to_even(numerator: float, denominator: int) -> int:
    """Return the integer nearest to a fraction, rounding halves to even; exact for a whole numerator."""
    quotient = int(numerator // denominator)
    twice = 2 * (numerator - quotient * denominator)
    if twice > denominator or (twice == denominator and quotient % 2 == 1):
        quotient += 1
    return quotient
