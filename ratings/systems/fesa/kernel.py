"""fesa-2016: ratings of one table compiled by numba, number for number what fesa_2016.py computes.

The pure code is the reference; tests hold both to the same results. Without numba the pure code serves.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

from .arithmetic import NATURAL_PER_POINT
from .fesa_games import BONUS_BELOW, BONUS_GAMES, FLOOR, LADDER
from .fesa_tables import K_TABLE, LOWEST_K

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
Flags = NDArray[np.bool_]
NONE = -1.0e9
"""Stands for "not defined" where a rating would be."""

_LADDER = np.array(LADDER, dtype=np.float64)
_K_FROM = np.array([lowest for lowest, _ in K_TABLE], dtype=np.float64)
_K = np.array([k for _, k in K_TABLE], dtype=np.float64)
compiled = njit(cache=True, fastmath=False)


@compiled
def expected(own: float, opponent: float) -> float:
    return 1.0 / (1.0 + math.pow(10.0, (opponent - own) / 400.0))


@compiled
def k_factor(rating: float) -> float:
    for i in range(len(_K_FROM)):
        if rating >= _K_FROM[i]:
            return float(_K[i])
    return float(LOWEST_K)


@compiled
def performance(ratings: Floats, scores: Floats) -> float:
    """arithmetic.performance_rating; NONE where it is not defined."""
    count = len(ratings)
    points, low, high, total = 0.0, math.inf, -math.inf, 0.0
    for i in range(count):
        points += scores[i]
        total += ratings[i]
        low, high = min(low, ratings[i]), max(high, ratings[i])
    if not 0 < points < count:
        return NONE
    low, high, x = low - 8000.0, high + 8000.0, total / count
    for _ in range(200):
        surplus, slope = points, 0.0
        for i in range(count):
            share = expected(x, ratings[i])
            surplus -= share
            slope += share * (1.0 - share)
        if surplus > 0:
            low = x
        else:
            high = x
        step = surplus / (slope * NATURAL_PER_POINT) if slope > 1e-12 else high - low
        following = x + step if low < x + step < high else (low + high) / 2.0
        if abs(following - x) < 1e-10:
            return following
        x = following
    return x


@compiled
def _fractional_grade(rating: float) -> float:
    step = len(_LADDER) - 1
    for i in range(1, len(_LADDER) - 1):
        if rating < _LADDER[i]:
            step = i
            break
    return float(step - 1 + (rating - _LADDER[step - 1]) / (_LADDER[step] - _LADDER[step - 1]))


@compiled
def _rating_of_grade(grade: float) -> float:
    if grade < 0:
        return 1.0
    step = min(int(grade) + 1, len(_LADDER) - 1)
    return float(np.rint(_LADDER[step - 1] + (grade - (step - 1)) * (_LADDER[step] - _LADDER[step - 1])))


@compiled
def _seen(own: float, opponent: float, handicap: float, gives: bool) -> float:
    seen = max(float(FLOOR), opponent)
    if handicap == 0.0:
        return seen
    if not gives:
        return _rating_of_grade(_fractional_grade(seen) - handicap)
    return seen + own - _rating_of_grade(_fractional_grade(own) - handicap)


@compiled
def _gained(before: float, bonus_games: int, used: Floats, scores: Floats) -> float:
    """fesa_games.rated_game over a player's games from a running rating."""
    running, total = before, 0.0
    for i in range(len(used)):
        k = k_factor(running)
        change = k * (scores[i] - expected(running, used[i]))
        if scores[i] == 1.0 and used[i] > running:
            change = max(change, k * (used[i] - running) / 160.0)
        if running < BONUS_BELOW and bonus_games + i < BONUS_GAMES:
            change += (BONUS_BELOW - running) / 200.0
        running += change
        total += change
    return total


@compiled
def _unrated(past: Floats, past_scores: Floats, used: Floats, scores: Floats) -> float:
    """The performance over everything so far, at 100 % with the added draw."""
    count = len(past) + len(used)
    ratings, results = np.empty(count + 1), np.empty(count + 1)
    highest, all_won = -math.inf, True
    for i in range(count):
        ratings[i] = max(float(FLOOR), past[i]) if i < len(past) else used[i - len(past)]
        results[i] = past_scores[i] if i < len(past) else scores[i - len(past)]
        highest = max(highest, ratings[i])
        all_won = all_won and results[i] == 1.0
    if all_won:
        ratings[count], results[count] = highest, 0.5
        count += 1
    found = performance(ratings[:count], results[:count])
    return 1.0 if found == NONE else max(1.0, np.rint(np.rint(found * 1e6) / 1e6))


@compiled
def settle(
    unrated: Flags, before: Floats, bonus: Whole, estimates: Floats, starts: Whole, opponents: Whole, scores: Floats,
    handicaps: Floats, gives: Flags, past_starts: Whole, past_counts: Whole, past: Floats, past_scores: Floats,
    used: Floats, most_rounds: int,
) -> tuple[int, Flags]:  # fmt: skip
    """Iterate a table in place: `estimates` a seat, `used` a pairing; gives the rounds and who moved in the last.

    Pairings of seat i stand from starts[i] to starts[i + 1], its past from past_starts[i] on.
    """
    moving = np.zeros(len(unrated), dtype=np.bool_)
    for rounds in range(1, most_rounds + 1):
        settled = True
        for seat in range(len(unrated)):
            moving[seat] = False
            low, high = starts[seat], starts[seat + 1]
            if low == high:
                continue
            own = estimates[seat] if unrated[seat] else before[seat]
            for i in range(low, high):
                used[i] = _seen(own, estimates[opponents[i]], handicaps[i], gives[i])
            if unrated[seat]:
                first, last = past_starts[seat], past_starts[seat] + past_counts[seat]
                rating = _unrated(past[first:last], past_scores[first:last], used[low:high], scores[low:high])
            else:
                gained = _gained(before[seat], bonus[seat], used[low:high], scores[low:high])
                rating = max(1.0, before[seat] + np.rint(gained))
            if rating != estimates[seat]:
                estimates[seat] = rating
                moving[seat] = True
                settled = False
        if settled:
            return rounds, moving
    return most_rounds, moving
