"""The Glicko-2 formulas for one player and one rating period.

Source: M. Glickman, "Example of the Glicko-2 system" (glicko.net/glicko/glicko2.pdf), whose steps the names follow.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

SCALE = 173.7178
"""Rating points for one unit of the internal scale: 400 / ln 10, rounded as in the paper."""
MIDDLE = 1500.0
"""Rating that is 0 on the internal scale."""
TOLERANCE = 1e-10
"""Precision of ln(volatility squared); the paper stops at 1e-6, which would leave 4e-6 rating points undecided."""


MOST_EXPONENT = 30.0
"""Largest exponent of an expected score, about 5,200 points: beyond it a float cannot tell the score from 1."""


class Result(NamedTuple):
    """Game of a player: the opponent's rating and deviation before the period, in rating points, and the score."""

    rating: float
    deviation: float
    score: float


class GameShare(NamedTuple):
    """One game's values in the formulas: g of the opponent's deviation, expected score, and change in rating points."""

    g: float
    expected: float
    change: float


class Period(NamedTuple):
    """Values of a player after a period, with the figures that explain them.

    `v` is the variance of the rating by the games alone (internal scale), `delta` the improvement by the games alone in
    rating points, `grown` the deviation in rating points with the period's growth and before the games.
    """

    rating: float
    deviation: float
    volatility: float
    v: float
    delta: float
    grown: float
    games: tuple[GameShare, ...]


def weigh_deviation(deviation: float) -> float:
    """Return g, the weight of a game by the opponent's deviation in rating points (step 3)."""
    phi = deviation / SCALE
    return 1 / math.sqrt(1 + 3 * phi * phi / (math.pi * math.pi))


def expected_score(own: float, opponent: float, deviation: float) -> float:
    """Return the expected score (0..1) against an opponent of this rating and deviation, in rating points (step 3).

    It is never exactly 0 or 1, however far the ratings are apart.
    """
    exponent = weigh_deviation(deviation) * (own - opponent) / SCALE
    return 1 / (1 + math.exp(-max(-MOST_EXPONENT, min(MOST_EXPONENT, exponent))))


def grow_deviation(deviation: float, volatility: float, periods: float, cap: float) -> float:
    """Return a deviation, in rating points, after a number of periods without games (step 6).

    It never grows above `cap`; a larger one stays as it is.
    """
    if periods <= 0 or deviation >= cap:
        return deviation
    phi = deviation / SCALE
    return min(cap, SCALE * math.sqrt(phi * phi + periods * volatility * volatility))


def rate_period(rating: float, deviation: float, volatility: float, results: Sequence[Result], tau: float) -> Period:
    """Return a player's values after a period with games (steps 2 to 8); `deviation` is that of the period's start."""
    phi = deviation / SCALE
    weights = [weigh_deviation(result.deviation) for result in results]
    expected = [expected_score(rating, result.rating, result.deviation) for result in results]
    v = 1 / sum(g * g * e * (1 - e) for g, e in zip(weights, expected, strict=True))
    surprises = [g * (r.score - e) for g, e, r in zip(weights, expected, results, strict=True)]
    improvement = sum(surprises)
    delta = v * improvement
    new_volatility = find_volatility(phi, volatility, v, delta, tau)
    grown_squared = phi * phi + new_volatility * new_volatility
    new_phi = 1 / math.sqrt(1 / grown_squared + 1 / v)
    factor = SCALE * new_phi * new_phi
    games = tuple(GameShare(g, e, factor * s) for g, e, s in zip(weights, expected, surprises, strict=True))
    new_rating = rating + factor * improvement
    grown = SCALE * math.sqrt(grown_squared)
    return Period(new_rating, SCALE * new_phi, new_volatility, v, SCALE * delta, grown, games)


def find_volatility(phi: float, volatility: float, v: float, delta: float, tau: float) -> float:
    """Return the volatility after a period (step 5), by the paper's search: regula falsi with Illinois halving.

    `phi` and `delta` are on the internal scale.
    """
    start = math.log(volatility * volatility)
    squared = phi * phi

    def f(x: float) -> float:
        e = math.exp(x)
        total = squared + v + e
        return e * (delta * delta - total) / (2 * total * total) - (x - start) / (tau * tau)

    a = start
    if delta * delta > squared + v:
        b = math.log(delta * delta - squared - v)
    else:
        k = 1
        while f(start - k * tau) < 0:
            k += 1
        b = start - k * tau
    f_a, f_b = f(a), f(b)
    while abs(b - a) > TOLERANCE:
        c = a + (a - b) * f_a / (f_b - f_a)
        f_c = f(c)
        if f_c * f_b <= 0:
            a, f_a = b, f_b
        else:
            f_a /= 2
        b, f_b = c, f_c
    return math.exp(a / 2)
