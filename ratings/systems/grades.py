"""Grade tables as data, in the form in which each federation publishes them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Grade:
    """Line of a grade table: bounds in rating points, and two numbers of games (None if there is no such way)."""

    name: str
    lower_bound: int
    midpoint: int
    upper_bound: int
    lower_bound_games: int | None = None
    midpoint_games: int | None = None

    @property
    def needs_approval(self) -> bool:
        return self.name in ("5 Dan", "6 Dan")


def grade_table(published: str) -> tuple[Grade, ...]:
    """Parse a grade table, published highest grade first, into grades, lowest first.

    The columns are grade, LB, MP, UB, #LB, #MP.
    """
    grades = []
    for line in published.strip().splitlines():
        number, unit, *columns = line.split()
        bounds = [int(column) for column in columns[:3]]
        games = [None if column == "-" else int(column) for column in columns[3:]]
        grades.append(Grade(f"{number} {unit}", bounds[0], bounds[1], bounds[2], games[0], games[1]))
    return tuple(reversed(grades))


# FESA/USSF Elo system of 2016-02-04, rule 2.
FESA_2016 = grade_table("""
 6 Dan  2440 2540 2640  -  -
 5 Dan  2240 2340 2440  - 10
 4 Dan  2080 2160 2240 16  8
 3 Dan  1920 2000 2080 16  8
 2 Dan  1800 1860 1920 14  7
 1 Dan  1680 1740 1800 14  7
 1 Kyu  1560 1620 1680 14  7
 2 Kyu  1460 1510 1560 12  6
 3 Kyu  1360 1410 1460 12  6
 4 Kyu  1280 1320 1360 12  6
 5 Kyu  1200 1240 1280 10  5
 6 Kyu  1120 1160 1200 10  5
 7 Kyu  1040 1080 1120 10  5
 8 Kyu   960 1000 1040  8  4
 9 Kyu   880  920  960  8  4
10 Kyu   800  840  880  8  4
11 Kyu   720  760  800  8  4
12 Kyu   640  680  720  6  3
13 Kyu   560  600  640  6  3
14 Kyu   480  520  560  6  3
15 Kyu   400  440  480  6  3
16 Kyu   320  360  400  6  3
17 Kyu   240  280  320  6  3
18 Kyu   160  200  240  6  3
19 Kyu    80  120  160  6  3
20 Kyu     1   40   80  6  3
""")

# The first edition, rule 2: the same numbers, but the table ends at 15 Kyu.
FESA_2000 = FESA_2016[5:]
