"""Value of single games in fesa-2016, rules 1, 7, 8, 9 and 12. All values are rating points, unrounded."""

from __future__ import annotations

from typing import NamedTuple

from ratings.systems.arithmetic import Numbers, divide_half_to_even, expected_score
from ratings.systems.compiling import compiled
from ratings.systems.grades import FESA_2016

from .tables import k_factor

FLOOR = 400  # rule 1: a lower opponent counts as 400
BONUS_BELOW, BONUS_GAMES = 1800, 100  # rule 9
FULL_WEIGHT = 1.0  # of a game in the first edition, without damping

Result = tuple[float, float]
"""Pair (opponent's rating used, score): a game as stored in `past`."""


# Rule 12: the LB values as a scale. The LB of 20 Kyu counts as 0; above 6 Dan the scale continues in steps of 240.
LADDER = (0, *(grade.lower_bound for grade in FESA_2016[1:]), 2640, 2880, 3120)


@compiled
def lowered_rating(rating: float, grades: float) -> int:
    """Return the rating that is so many grades lower, rounded half to even; 1 if it is below the scale (rule 12).

    A rating is turned into grades above 20 Kyu and back, linear between neighbouring LB values. `grades` has at most
    one decimal. For whole ratings all numbers are whole, multiplied by 10 * (points of the rating's own grade), so that
    an exact half is one.
    """
    step = 0
    while step < len(LADDER) - 2 and rating >= LADDER[step + 1]:
        step += 1
    width = LADDER[step + 1] - LADDER[step]
    lowered = 10 * (step * width + rating - LADDER[step]) - round(10 * grades) * width
    if lowered < 0:
        return 1
    step = min(int(lowered // (10 * width)), len(LADDER) - 2)
    above = (lowered - step * 10 * width) * (LADDER[step + 1] - LADDER[step])
    return divide_half_to_even(LADDER[step] * 10 * width + above, 10 * width)


@compiled
def effective_rating(own: float, opponent: float, handicap: float, gives: bool) -> float:
    """Return the rating with which an opponent counts (rules 1 and 12).

    It is at least 400, and is then adjusted for the handicap (in grades).
    """
    seen = max(FLOOR, opponent)
    if not handicap:
        return seen
    if not gives:
        return lowered_rating(seen, handicap)
    return seen + own - lowered_rating(own, handicap)


class Term(NamedTuple):
    """One game of a rated player, in rating points, unrounded.

    `change` is the formula or the upset gain, plus the bonus.
    """

    rating: float
    expected: float
    k: int
    formula: float
    upset_gain: float | None
    bonus: float
    change: float


@compiled
def rated_game(rating: float, opponent: float, score: float, bonus_games: int) -> Term:
    """Return the value of one game to a player at `rating` after `bonus_games` bonus games (rules 1, 8 and 9)."""
    expected, k = expected_score(rating, opponent), k_factor(rating)
    formula = k * (score - expected)
    gain = k * (opponent - rating) / 160
    is_upset = score == 1 and opponent > rating and gain > formula
    bonus = (BONUS_BELOW - rating) / 200 if rating < BONUS_BELOW and bonus_games < BONUS_GAMES else 0.0
    change = (gain if is_upset else formula) + bonus
    return Term(rating, expected, k, formula, gain if is_upset else None, bonus, change)


@compiled
def bonus_games_after(bonus_games: int, games: int, unrated: bool) -> int:
    """Return the number of bonus games used after a table of `games` games; unrated players use none (rule 9)."""
    return 0 if unrated else min(BONUS_GAMES, bonus_games + games)


@compiled
def counted_results(
    past: Numbers, past_scores: Numbers, used: Numbers, scores: Numbers
) -> tuple[list[float], list[float]]:
    """Return ratings and scores of all games that count for an unrated player (rule 7).

    Earlier games come before this table's; their opponents count as at least 400. If all were won, a temporary draw
    against the highest rated opponent is added.
    """
    ratings, points = [], []
    for i, rating in enumerate(past):
        ratings.append(max(FLOOR, rating))
        points.append(past_scores[i])
    for i, rating in enumerate(used):
        ratings.append(rating)
        points.append(scores[i])
    if len(points) > 0 and min(points) == 1:
        ratings.append(max(ratings))
        points.append(0.5)
    return ratings, points


@compiled
def prior_results(midpoint: float) -> tuple[Result, Result]:
    """Return the results that a prior grade adds: a loss and a win against its midpoint (rule 7)."""
    return (midpoint, 0.0), (midpoint, 1.0)
