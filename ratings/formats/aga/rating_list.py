"""Reader of the American Go Association's rating list, TDList A or B, for directors of tournaments.

A line has 9 values, separated by tabs: `Last, First`, id, type of membership, rating, end of the membership, chapter
(its code in A, its name in B), state or country, sigma and a day. There is no line of titles and no day of the list.
"""

from __future__ import annotations

import re

from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.go_players import FIRST_DAN, OF_GRADE
from ratings.formats.listed_players import report_players
from ratings.formats.parsed import Problems, decode
from ratings.formats.people.outside_ids import AGA, read_outside_id
from ratings.formats.problems import FileProblem

VALUES = 9
NAME, ID, RATING = 0, 1, 3
RATING_TEXT = re.compile(r"-?\d{1,2}(\.\d{1,5})?", re.ASCII)
ID_TEXT = re.compile(r"\d{1,6}", re.ASCII)
LEAST = 1
"""Least distance of a rating from 0: 1 dan begins at 1.0, 1 kyu ends at -1.0."""


def looks_like_tdlist(data: bytes) -> bool:
    """Return True if the first line has the values of a player, of which the id or the rating may be wrong."""
    lines = (line for line in data[:20000].decode("latin-1").removeprefix("ï»¿").splitlines() if line.strip())
    values = [value.strip() for value in next(lines, "").split("\t")]
    is_player = len(values) == VALUES and bool(ID_TEXT.fullmatch(values[ID]) or RATING_TEXT.fullmatch(values[RATING]))
    return is_player and "," in values[NAME]


def read_tdlist(data: bytes, gor_of_zero: int = 0) -> tuple[ParsedList | None, Problems]:
    """Return the list, None if the file has no text, and all problems of the file; the list has no day.

    `gor_of_zero` is the rating in the European Go Database of a rating of 0 on the list that takes the ratings.
    Memberships, chapters, states, sigmas and days are not read.
    """
    problems = Problems()
    lines = [(n, line) for n, line in enumerate(decode(data, problems, tabs=True), 1) if line.strip()]
    if not lines:
        return None, problems
    players, unrated = [], 0
    for number, line in lines:
        values = [value.strip() for value in line.split("\t")]
        if len(values) != VALUES:
            problems.error(FileProblem.TDLIST_VALUES(values=len(values), expected=VALUES), number)
        elif _check_values(number, values, problems):
            if values[RATING]:
                players.append(_read_player(number, values, gor_of_zero, problems))
            unrated += not values[RATING]
    report_players(len(players), problems, unrated=unrated)
    if not problems.fatal:
        problems.note(FileProblem.AGA_RATINGS_CONVERTED(rating=FIRST_DAN - gor_of_zero))
    return ParsedList(None, tuple(players)), problems


def _check_values(number: int, values: list[str], problems: Problems) -> bool:
    """Return True if name, id and rating are valid; add an error for each one that is not."""
    rating = values[RATING]
    checks = (
        (NAME, "name", bool(values[NAME].partition(",")[0].strip()), FileProblem.EXPECTED_NAME()),
        (ID, "id", read_outside_id(AGA, values[ID]) is not None, FileProblem.EXPECTED_AGA_ID()),
        (RATING, "rating", not rating or _is_rating(rating), FileProblem.EXPECTED_AGA_RATING()),
    )
    wrong = [check for check in checks if not check[2]]
    for at, title, _is_valid, expected in wrong:
        place = FileProblem.TAB_COLUMN(column=at + 1, title=title)
        problems.error(FileProblem.LISTED_FIELD_INVALID(place=place, text=values[at][:30], what=expected), number)
    return not wrong


def _is_rating(text: str) -> bool:
    return bool(RATING_TEXT.fullmatch(text)) and abs(float(text)) >= LEAST


def _read_player(number: int, values: list[str], gor_of_zero: int, problems: Problems) -> ParsedPlayer:
    family, comma, given = (part.strip() for part in values[NAME].partition(","))
    if not comma:
        problems.warn(FileProblem.NO_COMMA_IN_NAME(family=family), number)
    rating = convert_rating(float(values[RATING])) - gor_of_zero
    return ParsedPlayer(
        number, family, given, "", None, None, rating, None, outside={AGA: read_outside_id(AGA, values[ID]) or ""}
    )


def convert_rating(rating: float) -> float:
    """Return an association's rating at the same place within its grade on the European Go Database's scale."""
    above = rating - LEAST if rating > 0 else rating + LEAST
    return round(FIRST_DAN + OF_GRADE * above, 3)
