"""Tables and weights of the Belgian Go Federation's rating page, on its own scale: 100 points are one rank.

Annex 1 and 2 of the page name them; Table I is the European one of before 2021, which the page says it follows.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping

from ratings.systems.compiling import compiled
from ratings.systems.handicaps import handicap_of_stones
from ratings.systems.thinking_time import adjusted_minutes

# Table I: the ConFactor at the middle of each rank, from 20 kyu (-1950) up in steps of 100 to 7 dan (650)
LOWEST_ANCHOR, STEP = -1950, 100
CON = (116, 110, 105, 100, 95, 90, 85, 80, 75, 70, 65, 60, 55, 51, 47, 43, 39, 35, 31, 27, 24, 21, 18, 15, 13, 11, 10)
MIN_CON, MIN_A = 1.0, 10.0  # minimum values, for ratings far above 7 dan

FIRST_DAY = dt.date(2001, 6, 1)  # before, another system was in force, whose rules are unknown
PLACE = {True: 1.2, False: 0.8}  # tournament or club
ONLINE = 0.8
BOARDS = ((19, 1.0), (13, 0.5), (9, 0.3))  # sizes and weights since 2021
FULL_BOARD = 19
SMALL_BOARD_FULL, SMALL_BOARD_NONE = -1950, -50  # before 2021: weight 1 at 20 kyu, 0 at 1 kyu

FULL_MINUTES = 75.0
SUDDEN_DEATH_LEAST, MAIN_LEAST, MAIN_ENOUGH = 40, 30, 40
SECONDS_PER_MOVE = 300 / 20  # the fastest overtime: 20 moves in 5 minutes
FISCHER_MAIN_LEAST = 20


@compiled
def con_factor(rating: float) -> float:
    """Return the points at stake by Table I: linear between the anchors, and extended beyond them."""
    position = (rating - LOWEST_ANCHOR) / STEP
    low = min(max(math.floor(position), 0), len(CON) - 2)
    return max(MIN_CON, CON[low] + (position - low) * (CON[low + 1] - CON[low]))


@compiled
def a_factor(rating: float) -> float:
    """Return A by Table I, how fast chances change with the difference: 102.5 - rating/20 on the whole scale."""
    return max(MIN_A, 102.5 - rating / 20)


@compiled
def handicap_weight(stones: int, black: bool, squared: bool) -> float:
    """Return the handicap weight: 1 - handicap/10; for White it is squared since May 2004 (annex 1, 3)."""
    weight = max(0.0, 1 - handicap_of_stones(stones) / 10)
    return weight if black or not squared else weight * weight


@compiled
def is_board_rated(size: int, fixed_weights: bool) -> bool:
    """Return True if games on a board size are rated (annex 1, 1).

    They are those with a fixed weight; before 2021, all up to 19.
    """
    if not fixed_weights:
        return size <= FULL_BOARD
    for rated_size, _weight in BOARDS:  # noqa: SIM110 - numba compiles no generators
        if size == rated_size:
            return True
    return False


@compiled
def board_weight(size: int, rating: float, fixed_weights: bool) -> float:
    """Return the weight of a board size that is rated (annex 1, 1).

    Before 2021 it depends on the player's own rating.
    """
    if size == FULL_BOARD:
        return 1.0
    if fixed_weights:
        for rated_size, weight in BOARDS:
            if size == rated_size:
                return weight
    share = (SMALL_BOARD_NONE - rating) / (SMALL_BOARD_NONE - SMALL_BOARD_FULL)
    return min(max(share, 0.0), 1.0)


def time_weight(minutes: float | None, overtime: Mapping[str, float] | None) -> float:
    """Return the weight of the thinking time (annex 1, 5).

    It is 1 from 75 minutes on, proportional below, and 1 if the time is unknown.
    """
    return 1.0 if minutes is None else min(1.0, adjusted_minutes(minutes, overtime) / FULL_MINUTES)


def too_fast(minutes: float | None, overtime: Mapping[str, float] | None) -> bool:
    """Return True if the thinking time is below the minimum of a rated game (annex 1, 5)."""
    if minutes is None:
        return False
    if not overtime:
        return minutes < SUDDEN_DEATH_LEAST
    if "increment" in overtime:
        return minutes < FISCHER_MAIN_LEAST or adjusted_minutes(minutes, overtime) < SUDDEN_DEATH_LEAST
    pace = overtime["seconds"] / overtime["moves"]
    return minutes < MAIN_LEAST or (pace < SECONDS_PER_MOVE and minutes < MAIN_ENOUGH)


# Grades are counted from 1 dan, which is 0. The band of grade g goes from 100 g (exclusive) to 100 (g + 1) (inclusive).


@compiled
def grade_of(rating: float) -> int:
    """Return the grade in whose band a rating lies; exactly 0 is 1 kyu."""
    return math.ceil(rating / STEP) - 1


@compiled
def lower_bound(grade: int) -> int:
    """Return the rating from which the band of a grade goes up, in rating points."""
    return STEP * grade


@compiled
def promotion_bound(grade: int) -> int:
    """Return the rating above which a player of a grade wins the next one: the top of the band."""
    return lower_bound(grade + 1)


@compiled
def demotion_bound(grade: int) -> int:
    """Return the rating below which a player loses a grade: 100 points below its band."""
    return lower_bound(grade) - STEP


@compiled
def grade_after(grade: int, rating: float) -> int:
    """Return the grade after a promotion or a demotion, which can cross several grades at once."""
    if rating > promotion_bound(grade):
        return grade_of(rating)
    if rating < demotion_bound(grade):
        return math.floor(rating / STEP) + 1
    return grade


def grade_name(grade: int) -> str:
    return f"{grade + 1} Dan" if grade >= 0 else f"{-grade} Kyu"


def grade_number(name: str) -> int:
    """Return the number of a grade such as "5 Kyu" or "1 Dan": the inverse of `grade_name`."""
    number, unit = name.split()
    return int(number) - 1 if unit == "Dan" else -int(number)


def entry_rating(grade: int) -> float:
    """Return the first rating of a player of a declared rank: the middle of its band."""
    return lower_bound(grade) + STEP / 2
