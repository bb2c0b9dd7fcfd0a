"""Numbers of the European Go Federation's rating system since 2021: the scale, the formulas and the classes.

Source: europeangodatabase.eu/EGD/EGF_rating_system.php. 100 points are one rank; 1 dan is 2100 and 1 kyu 2000.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Mapping
from typing import NamedTuple

from ratings.systems.compiling import compiled
from ratings.systems.thinking_time import adjusted_minutes

LOWEST, POLE, HIGHEST = -900.0, 3300.0, 3299.0
"""Lowest rating; the rating that the formulas never reach; the highest rating after a shift."""
STEP = 100
FIRST_DAY = dt.date(1996, 1, 1)
"""First last day of tables that the database rates."""
FULL_BOARD = 19

ONE_DAN, ONE_KYU, ONE_PRO, PRO_STEP = 2100, 2000, 2700, 30
LOWEST_KYU = 40
RANKS = (
    *(f"{number} Kyu" for number in range(LOWEST_KYU, 0, -1)),
    *(f"{number} Dan" for number in range(1, 10)),
    *(f"{number} Pro" for number in range(1, 10)),
)
"""Ranks that can be declared, lowest first; "3 Pro" is a professional of 3 dan."""


class TimeClass(NamedTuple):
    """Class of results tables: its weight, and the least thinking time in minutes.

    `basic` and `adjusted` are the least time without and with overtime; `fischer` replaces `basic` where every move
    adds an increment.
    """

    name: str
    weight: float
    basic: float
    adjusted: float
    fischer: float


CLASSES = {
    one.name: one
    for one in (
        TimeClass("A", 1.0, 60, 75, 45),
        TimeClass("B", 0.75, 40, 50, 30),
        TimeClass("C", 0.5, 25, 30, 20),
        TimeClass("D", 0.25, 40, 50, 30),
    )
}
"""Classes by name, best first; D is that of games played on the internet."""
CLUB, ONLINE = "C", "D"


@compiled
def con_factor(rating: float) -> float:
    """Return con, the points at stake in a game, by the own rating: ((3300 - r) / 200) ^ 1.6; 0 from 3300 on."""
    return float((max(0.0, POLE - rating) / 200) ** 1.6)


@compiled
def bonus_points(rating: float) -> float:
    """Return the bonus of every rated game, won or lost, in rating points: ln(1 + exp((2300 - r) / 80)) / 5."""
    return math.log1p(math.exp((2300 - rating) / 80)) / 5


@compiled
def expected_of_black(black: float, white: float, handicap: float) -> float:
    """Return the expected score (0..1) of Black, whose rating counts 100 points more for each stone of the handicap.

    This is 1 / (1 + exp(b(white) - b(black))) with b(r) = -7 ln(3300 - r); 3300 - r is taken as at least 1.
    """
    own, other = max(1.0, POLE - (black + STEP * handicap)), max(1.0, POLE - white)
    # with the whole number 7 as exponent, compiled code would round the powers otherwise
    return float(1 / (1 + (own / other) ** 7.0))


def find_time_class(minutes: float, overtime: Mapping[str, float] | None, *names: str) -> str:
    """Return the best of several classes, best first, that a thinking time reaches; "" if it is too fast for all."""
    adjusted = adjusted_minutes(minutes, overtime)
    fischer = "increment" in (overtime or {})
    for name in names:
        one = CLASSES[name]
        if minutes >= (one.fischer if fischer else one.basic) and adjusted >= one.adjusted:
            return name
    return ""


def rating_of_rank(rank: str) -> float:
    """Return the rating with which a player of a declared rank such as "5 Kyu", "2 Dan" or "1 Pro" begins.

    Ranks below 30 kyu begin at the lowest rating.
    """
    number, unit = rank.split()
    if unit == "Pro":
        return ONE_PRO + PRO_STEP * (int(number) - 1)
    if unit == "Dan":
        return ONE_DAN + STEP * (int(number) - 1)
    return max(LOWEST, ONE_KYU - STEP * (int(number) - 1))


def nearest_rank(rating: float) -> str:
    """Return the amateur rank to which a rating is nearest; 1 dan is 2050 up to, but not including, 2150."""
    steps = math.floor((rating - ONE_KYU) / STEP + 0.5)
    return f"{min(steps, 9)} Dan" if steps > 0 else f"{1 - steps} Kyu"
