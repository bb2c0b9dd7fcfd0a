"""Tables and bounds of FIDE's rating regulations of 1 March 2024 (Handbook B02), amended on 1 October 2025.

Expected scores are whole hundredths, so that their sums are exact.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left

# table 8.1.2: the upper end of each rating difference, for the scores .50, .51 … .99 expected of the higher rated
DIFFERENCES = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68),
    *(76, 83, 91, 98, 106, 113, 121, 129, 137, 145),
    *(153, 162, 170, 179, 188, 197, 206, 215, 225, 235),
    *(245, 256, 267, 278, 290, 302, 315, 328, 344, 357),
    *(374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)
# table 8.1.1: the rating difference of the scores 1.00, .99 … .50
PERFORMANCES = (
    *(800, 677, 589, 538, 501, 470, 444, 422, 401, 383, 366),
    *(351, 336, 322, 309, 296, 284, 273, 262, 251, 240),
    *(230, 220, 211, 202, 193, 184, 175, 166, 158, 149),
    *(141, 133, 125, 117, 110, 102, 95, 87, 80, 72),
    *(65, 57, 50, 43, 36, 29, 21, 14, 7, 0),
)

CAP = 400
"""Rating difference that counts at most (8.3.1)."""
UNCAPPED_FROM = 2650
"""Own rating from which the real difference counts, in standard games of tables begun from `UNCAPPED_SINCE` on."""
UNCAPPED_SINCE = dt.date(2025, 10, 1)
FIRST_DAY = dt.date(2024, 3, 1)
"""First day of these regulations."""

K_NEW, K_OTHER, K_2400 = 40, 20, 10
NEW_GAMES, JUNIOR_AGE, JUNIOR_BELOW, MASTER = 30, 18, 2300, 2400
MOST_K_TIMES_GAMES = 700
LOWEST = 1400
"""A lower rating is not published; its player is unrated (7.2.1)."""

FIRST_GAMES, FIRST_AT_MOST, FIRST_LISTS = 5, 2200, 26
"""Games, highest value and number of lists of a first rating (7.1.4, 8.2)."""
DRAWN_AGAINST, DRAWN_GAMES = 1800, 2
"""Draws against a player of this rating that are added for a first rating (8.2.3)."""

DAYS_BEFORE_LIST, LATEST_LIST = 3, 3
"""Days from a table's end to the list it counts for, and the last list after it that still rates it (7.1.3, 9.1)."""
INACTIVE_MONTHS = 12

PROTECTED_DIFFERENCE, PROTECTED_ABOVE, PROTECTED_SINCE = 600, 2600, dt.date(2024, 12, 1)
"""Rapid and blitz: no game of this difference is rated if one player is above this rating (7.3.1)."""
LEAST_MINUTES = ((2400, 120), (1800, 90))
"""Standard: minutes for 60 moves that a game needs if one of its players has at least this rating (1.1)."""


def expected_hundredths(difference: int) -> int:
    """Return the expected score in hundredths by table 8.1.2; `difference` is the own rating minus the opponent's."""
    higher = 50 + bisect_left(DIFFERENCES, abs(difference))
    return higher if difference >= 0 else 100 - higher


def performance_difference(hundredths: int) -> int:
    """Return the rating difference of a score in hundredths by table 8.1.1."""
    return -PERFORMANCES[hundredths] if hundredths < 50 else PERFORMANCES[100 - hundredths]


def find_chapter(minutes: float) -> str:
    """Return the chapter of a thinking time for 60 moves: standard, rapid or blitz; "" if it is too fast for all."""
    if minutes >= 60:
        return "standard"
    if minutes > 10:
        return "rapid"
    return "blitz" if minutes > 3 else ""


def first_of_month(day: dt.date, months: int = 0) -> dt.date:
    """Return the list day of a day's month, moved by a number of months."""
    number = day.year * 12 + day.month - 1 + months
    return dt.date(number // 12, number % 12 + 1, 1)


def next_list_day(day: dt.date) -> dt.date:
    """Return the first list day on or after a day."""
    return day if day.day == 1 else first_of_month(day, 1)


def counting_list_day(last_day: dt.date) -> dt.date:
    """Return the list day for which a table ended on `last_day` counts, if it names none (7.1.3)."""
    return next_list_day(last_day + dt.timedelta(days=DAYS_BEFORE_LIST))
