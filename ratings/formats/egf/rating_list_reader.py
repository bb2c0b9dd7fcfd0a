"""Reader of the European Go Database's rating list, by the columns of its writer (`rating_list.py`).

A line is a player's if it has a blank and 8 digits in front; other lines, such as those of the page around the list,
are left out. So are the database's lines of undefined and anonymous players, with a warning.
"""

from __future__ import annotations

import datetime as dt
import re

from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.go_players import COUNTRY_ALIASES, MOST_DAN, MOST_KYU, NO_COUNTRY
from ratings.formats.listed_columns import ListedColumn, check_columns
from ratings.formats.listed_players import report_players
from ratings.formats.parsed import Problems, decode, is_possible_day
from ratings.formats.people.outside_ids import EGD, read_outside_id
from ratings.formats.people.rating_sheet import read_grade
from ratings.formats.problems import FileProblem

from .rating_list import MONTHS, OWN_NUMBERS

DAY = re.compile(rf"\((?P<day>\d\d) (?P<month>{'|'.join(MONTHS)}) (?P<year>\d{{4}})\)", re.ASCII)
PLAYER = re.compile(r" \d{8} ", re.ASCII)
BROKEN_PLAYER = re.compile(r" {0,3}\w{6,10}  +\S", re.ASCII)
"""Lines that are probably a player's, with an id that is none or stands elsewhere."""

NO_PERSON = re.compile(r"\(undefined\)|\bAnonymous\b")
"""Names of the database that stand for no player or for several."""
NAME = slice(11, 48)


def looks_like_egf_list(data: bytes) -> bool:
    """Return True if one of the first lines is the day, and one a player's."""
    lines = data[:20000].decode("latin-1").splitlines()[:100]
    return any(DAY.match(line) for line in lines) and any(PLAYER.match(line) for line in lines)


def read_egf_list(data: bytes, gor_of_zero: int = 0) -> tuple[ParsedList | None, Problems]:
    """Return the list, None if the file has no text, and all problems of the file.

    `gor_of_zero` is the database's rating of a rating of 0 on the list that takes the ratings. Grades are those that
    the players declared.
    """
    problems = Problems()
    lines = decode(data, problems)
    if not lines:
        return None, problems
    day, players = None, []
    for number, line in enumerate(lines, 1):
        if PLAYER.match(line) and NO_PERSON.search(line[NAME]):
            problems.warn(FileProblem.NOT_A_PLAYER_LINE(line=line.strip()[:40].rstrip()), number)
        elif PLAYER.match(line):
            player = _read_line(number, line, gor_of_zero, problems)
            players += [player] if player else []
        elif match := DAY.match(line):
            day = day or _read_day(match, number, problems)
        elif BROKEN_PLAYER.match(line) and len(line) > 70:
            problems.error(FileProblem.NO_PIN(line=line.strip()[:40].rstrip()), number)
    report_players(len(players), problems)
    return ParsedList(day, tuple(players)), problems


def _read_day(match: re.Match[str], number: int, problems: Problems) -> dt.date | None:
    try:
        day = dt.date(int(match["year"]), MONTHS.index(match["month"]) + 1, int(match["day"]))
    except ValueError:
        day = None
    if day is None or not is_possible_day(day):
        problems.warn(FileProblem.NO_DATE(day=match[0]), number)
        return None
    return day


def _read_line(number: int, line: str, zero: int, problems: Problems) -> ParsedPlayer | None:
    """Return the player of a line, None after adding its errors; `zero` is subtracted from the rating."""
    pin = line[1:9]
    family, _blank, given = line[NAME].strip().partition(" ")
    country, grade, rating = line[49:52].strip().upper(), line[60:63].strip(), line[71:75].strip()
    columns = (
        ListedColumn("name", 12, 48, family, r"[\s\S]+", FileProblem.EXPECTED_NAME()),
        ListedColumn("country", 50, 52, country, r"[A-Z]{2}", FileProblem.EXPECTED_COUNTRY()),
        ListedColumn("GoR", 72, 75, rating, r"-?\d{1,4}", FileProblem.EXPECTED_GOR()),
    )
    if not check_columns(columns, number, problems):
        return None
    if grade and read_grade(grade) is None:
        problems.warn(FileProblem.GRADE_OUT_OF_RANGE(word=grade, lowest=MOST_KYU, highest=MOST_DAN), number)
    id = "" if int(pin) >= OWN_NUMBERS else read_outside_id(EGD, pin)
    return ParsedPlayer(
        number,
        family.replace("_", " ").strip(),
        given.replace("_", " ").strip(),
        "" if country == NO_COUNTRY else COUNTRY_ALIASES.get(country, country),
        None,
        read_grade(grade),
        int(rating) - zero,
        None,
        outside={EGD: id} if id else {},
    )
