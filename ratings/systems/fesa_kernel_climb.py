"""fesa-2016: promotions of one player at one table compiled by numba, step for step what fesa_grades.py does.

A climb is an array: grade (-1 for none), games at or above LB, whether one was above MP, games at or above MP, and
the grade that waits for approval (-1 for none). Awards are written as grade, way and game.
"""

from __future__ import annotations

import numpy as np

from .fesa_grades import ESTABLISHED_FROM, IMAGINED_GAMES, PROVISIONAL_FROM
from .fesa_kernel import Whole, compiled, k_factor
from .grades import FESA_2016

GRADE, LB_RUN, ABOVE, MP_RUN, WAITING = range(5)
NO_GRADE = -1
NO_WAY, UPPER_BOUND, ABOVE_MP, ABOVE_LB, PROVISIONAL, BOUND_TO_GET_IT = range(6)
WAYS = ("", "upper bound", "games above MP", "games above LB", "provisional", "bound to get it")
NEVER = 1 << 40  # games of a way that a grade does not know

_LB = np.array([grade.lower_bound for grade in FESA_2016])
_MP = np.array([grade.midpoint for grade in FESA_2016])
_UB = np.array([grade.upper_bound for grade in FESA_2016])
_LB_GAMES = np.array([grade.lower_bound_games or NEVER for grade in FESA_2016])
_MP_GAMES = np.array([grade.midpoint_games or NEVER for grade in FESA_2016])
_APPROVED = np.array([grade.needs_approval for grade in FESA_2016])
GRADES = len(FESA_2016)


@compiled
def _next(climb: Whole) -> int:
    """The grade that can be won now, GRADES for none."""
    return GRADES if climb[WAITING] != NO_GRADE else int(climb[GRADE]) + 1


@compiled
def _award(climb: Whole, way: int, game: int, awards: Whole, count: int) -> int:
    """Promotion to the next grade, which clears the runs; the number of awards then."""
    grade = climb[GRADE] + 1
    awards[count, 0], awards[count, 1], awards[count, 2] = grade, way, game
    climb[LB_RUN] = climb[ABOVE] = climb[MP_RUN] = 0
    if _APPROVED[grade]:
        climb[WAITING] = grade
    else:
        climb[GRADE] = grade
    return count + 1


@compiled
def _run(climb: Whole, above: int, below: int) -> int:
    """Let the runs grow or break by one game at rating above/below; the way by which they now bring a promotion."""
    grade = _next(climb)
    if above >= _MP[grade] * below:
        climb[LB_RUN] += 1
        climb[ABOVE] = 1
        climb[MP_RUN] += 1
    elif above >= _LB[grade] * below:
        climb[LB_RUN] += 1
        climb[MP_RUN] = 0
    else:
        climb[LB_RUN] = climb[ABOVE] = climb[MP_RUN] = 0
    if climb[MP_RUN] >= _MP_GAMES[grade]:
        return ABOVE_MP
    if climb[ABOVE] and climb[LB_RUN] >= _LB_GAMES[grade]:
        return ABOVE_LB
    return NO_WAY


@compiled
def _established(climb: Whole, above: int, below: int, game: int, awards: Whole, count: int) -> int:
    while _next(climb) < GRADES:
        way = UPPER_BOUND if above >= _UB[_next(climb)] * below else _run(climb, above, below)
        if way == NO_WAY:
            break
        count = _award(climb, way, game, awards, count)
    return count


@compiled
def _provisional(climb: Whole, above: int, below: int, game: int, awards: Whole, count: int) -> int:
    while _next(climb) + 1 < GRADES and above >= _UB[_next(climb) + 1] * below:
        count = _award(climb, PROVISIONAL, game, awards, count)
    return count


@compiled
def _bound_to_get_it(climb: Whole, after: int, game: int, awards: Whole, count: int) -> int:
    imagined, rating = climb.copy(), after
    for _ in range(IMAGINED_GAMES):
        if _next(imagined) == GRADES:
            break
        rating -= int(k_factor(float(rating)))
        if rating < _LB[_next(imagined)]:
            break
        if _run(imagined, rating, 1) != NO_WAY:
            return _award(climb, BOUND_TO_GET_IT, game, awards, count)
    return count


@compiled
def climb_table(
    climb: Whole, before: int, after: int, games: int, games_before: int, awards: Whole, unrated: bool
) -> int:
    """fesa_grades.climb in place; the number of awards.

    `games` are those that count: of an unrated player all so far, at his new rating, else those of this table.
    """
    count = 0
    for game in range(1, games + 1):
        above, below = (after, 1) if unrated else (games * before + game * (after - before), games)
        if games_before + game >= ESTABLISHED_FROM:
            count = _established(climb, above, below, game, awards, count)
        elif games_before + game >= PROVISIONAL_FROM:
            count = _provisional(climb, above, below, game, awards, count)
    if games_before + games >= ESTABLISHED_FROM:
        count = _bound_to_get_it(climb, after, games, awards, count)
    return count
