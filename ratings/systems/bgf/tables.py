"""The tables and weights of the Belgian Go Federation's rating page, in its own scale: 100 points are one rank.

Annex 1 and 2 of the page name them; Table I is the European one of before 2021, which the page says it follows.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping

# Table I: the ConFactor at the middle of each rank, from 20 kyu (-1950) up in steps of 100 to 7 dan (650)
LOWEST_ANCHOR, STEP = -1950, 100
CON = (116, 110, 105, 100, 95, 90, 85, 80, 75, 70, 65, 60, 55, 51, 47, 43, 39, 35, 31, 27, 24, 21, 18, 15, 13, 11, 10)
LEAST_CON, LEAST_A = 1.0, 10.0  # guards far above 7 dan

FIRST_DAY = dt.date(2001, 6, 1)  # before it another system was in force, of which nothing is known
PLACE = {True: 1.2, False: 0.8}  # tournament or club
ONLINE = 0.8
BOARDS = {19: 1.0, 13: 0.5, 9: 0.3}  # since 2021
FULL_BOARD = 19
SMALL_BOARD_FULL, SMALL_BOARD_NONE = -1950, -50  # before 2021: weight 1 at 20 kyu, 0 at 1 kyu
MOST_STONES = 9

FULL_MINUTES = 75.0
SUDDEN_DEATH_LEAST, MAIN_LEAST, MAIN_ENOUGH = 40, 30, 40
SECONDS_A_MOVE = 300 / 20  # the fastest overtime: 20 moves in 5 minutes
CANADIAN_MOVES, BYO_YOMI_MOVES, INCREMENT_MOVES = 60, 45, 120  # that count as thinking time
FISCHER_MAIN_LEAST = 20


def con_factor(rating: float) -> float:
    """Table I: points at stake, linear between the anchors and on beyond them."""
    place = (rating - LOWEST_ANCHOR) / STEP
    low = min(max(math.floor(place), 0), len(CON) - 2)
    return max(LEAST_CON, CON[low] + (place - low) * (CON[low + 1] - CON[low]))


def a_factor(rating: float) -> float:
    """Table I: how fast chances change with the difference; on the whole scale 102.5 - rating/20."""
    return max(LEAST_A, 102.5 - rating / 20)


def handicap(stones: int) -> float:
    """Annex 2: the stones less half a one, since no komi is given."""
    return stones - 0.5 if stones else 0.0


def handicap_weight(stones: int, *, black: bool, squared: bool) -> float:
    """Annex 1, 3: 1 - handicap/10 for Black; for White the same, squared since May 2004."""
    weight = max(0.0, 1 - handicap(stones) / 10)
    return weight if black or not squared else weight * weight


def board_weight(size: int, rating: float, *, fixed_weights: bool) -> float | None:
    """Annex 1, 1: by the board's size; before 2021 by the player's own rating. None: not rated."""
    if size == FULL_BOARD:
        return 1.0
    if fixed_weights:
        return BOARDS.get(size)
    if size > FULL_BOARD:
        return None
    share = (SMALL_BOARD_NONE - rating) / (SMALL_BOARD_NONE - SMALL_BOARD_FULL)
    return min(max(share, 0.0), 1.0)


def adjusted_minutes(minutes: float, overtime: Mapping[str, float] | None) -> float:
    """Annex 1, 5: thinking time in minutes with what overtime adds."""
    if not overtime:
        return minutes
    if "increment" in overtime:
        return minutes + INCREMENT_MOVES * overtime["increment"] / 60
    moves = CANADIAN_MOVES / overtime["moves"] if overtime["moves"] > 1 else BYO_YOMI_MOVES
    return minutes + moves * overtime["seconds"] / 60


def time_weight(minutes: float | None, overtime: Mapping[str, float] | None) -> float:
    """Annex 1, 5: 1 from 75 minutes on, in proportion below; 1 where it is not known."""
    return 1.0 if minutes is None else min(1.0, adjusted_minutes(minutes, overtime) / FULL_MINUTES)


def too_fast(minutes: float | None, overtime: Mapping[str, float] | None) -> bool:
    """Annex 1, 5: the least thinking time of a rated game."""
    if minutes is None:
        return False
    if not overtime:
        return minutes < SUDDEN_DEATH_LEAST
    if "increment" in overtime:
        return minutes < FISCHER_MAIN_LEAST or adjusted_minutes(minutes, overtime) < SUDDEN_DEATH_LEAST
    pace = overtime["seconds"] / overtime["moves"]
    return minutes < MAIN_LEAST or (pace < SECONDS_A_MOVE and minutes < MAIN_ENOUGH)


# Grades are counted from 1 dan, which is 0; the band of grade g goes from 100 g (without) to 100 (g + 1) (with)


def grade_of(rating: float) -> int:
    """The grade in whose band a rating lies; exactly 0 is 1 kyu."""
    return math.ceil(rating / STEP) - 1


def grade_after(grade: int, rating: float) -> int:
    """Promoted above the band, demoted more than 100 points below it; as often as it takes."""
    if rating > STEP * (grade + 1):
        return grade_of(rating)
    if rating < STEP * grade - STEP:
        return math.floor(rating / STEP) + 1
    return grade


def grade_name(grade: int) -> str:
    return f"{grade + 1} Dan" if grade >= 0 else f"{-grade} Kyu"


def grade_number(name: str) -> int:
    """The inverse of grade_name, for "5 Kyu" or "1 Dan"."""
    number, unit = name.split()
    return int(number) - 1 if unit == "Dan" else -int(number)


def entry_rating(grade: int) -> float:
    """The middle of the band, with which a player of a declared rank begins."""
    return STEP * grade + STEP / 2
