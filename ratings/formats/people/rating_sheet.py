"""Reader of rating lists with a header row, as CSV or .xlsx, for federations without a list format of their own."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from ratings.characters import MINUS
from ratings.formats.event_head import read_day
from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.listed_players import report_players
from ratings.formats.parsed import Problems
from ratings.formats.problems import FileProblem
from ratings.formats.spreadsheet.workbook import looks_like_xlsx

from .columns import OUTSIDE_IDS, TITLES, find_columns
from .outside_ids import NATIONAL, read_national_ids, read_outside_id
from .people_sheet import ChosenColumns, PeopleSheet, Values, read_people_sheet, read_values

T = TypeVar("T")

COLUMNS = (
    "id",
    "family",
    "given",
    "country",
    "rating",
    "games",
    "grade",
    "prior_grade",
    "birth_year",
    "gender",
    "member_until",
    *OUTSIDE_IDS,
    NATIONAL,
)
REQUIRED = ("family", "rating")
UNITS = {"d": "Dan", "k": "Kyu"}
GENDERS = {"f": "female", "w": "female", "m": "male", "x": "other", "d": "other"}
"""Genders by the letters that lists use for them; the words themselves are read too."""
THOUSANDS = re.compile(r"(-?\d{1,2})[.,](\d{3})", re.ASCII)
"""Ratings with a separator of thousands, such as 2,144; no rating list has three decimals below 100."""


def looks_like_rating_sheet(data: bytes) -> bool:
    """Return True for a workbook, and for a file whose first line names the required columns."""
    if looks_like_xlsx(data):
        return True
    line = next((line for line in data[:5000].decode("latin-1").lstrip("ï»¿").splitlines() if line.strip()), "")
    return set(find_columns(re.split("[;,\t]", line), COLUMNS)) >= set(REQUIRED)


def looks_like_table(data: bytes) -> bool:
    """Return True for a workbook, and for a text whose first lines have the same number of separators."""
    if looks_like_xlsx(data):
        return True
    lines = [line for line in data[:5000].decode("latin-1").splitlines() if line.strip()][:2]
    return len(lines) == 2 and any(lines[0].count(sign) == lines[1].count(sign) > 0 for sign in ";\t,")


def read_titles(data: bytes, chosen: ChosenColumns | None = None) -> PeopleSheet | None:
    """Return the sheet of a file with the meaning of its columns, to be shown; None if it has no sheet."""
    if not (looks_like_rating_sheet(data) or looks_like_table(data)):
        return None
    return read_people_sheet(data, COLUMNS, REQUIRED, Problems(), chosen)


def read_rating_sheet(data: bytes, chosen: ChosenColumns | None = None) -> tuple[ParsedList | None, Problems]:
    """Return the list without a day, None if its columns are unknown, and all problems of the file."""
    problems = Problems()
    sheet = read_people_sheet(data, COLUMNS, REQUIRED, problems, chosen)
    if sheet is None and not problems.fatal:
        problems.error(FileProblem.NO_PLAYERS())
    if sheet is None or problems.fatal:
        return None, problems
    players = [_read_player(values, number, problems) for number, values in read_values(sheet, problems)]
    report_players(len(players), problems)
    return ParsedList(None, tuple(player for player in players if player)), problems


def _read_player(values: Values, line: int, problems: Problems) -> ParsedPlayer | None:
    """Return the player of a line, or None after adding all errors of the line."""
    errors = [FileProblem.VALUE_MISSING(titles=TITLES[column][0]) for column in REQUIRED if not values[column]]

    def read(column: str, reader: Callable[[str], T | None], what: str) -> Any:
        value = reader(values[column]) if values[column] else None
        if value is None and values[column]:
            errors.append(FileProblem.VALUE_INVALID(titles=TITLES[column][0], values=values[column][:30], what=what))
        return value

    rating = read("rating", read_rating, FileProblem.EXPECTED_RATING())
    games = read("games", lambda text: _read_whole_number(text, 0, 9999), FileProblem.EXPECTED_GAMES())
    year = read("birth_year", lambda text: _read_whole_number(text, 1850, 2100), FileProblem.EXPECTED_YEAR())
    grade, prior_grade = (read(column, read_grade, FileProblem.EXPECTED_GRADE()) for column in ("grade", "prior_grade"))
    gender = read("gender", read_gender, FileProblem.EXPECTED_GENDER())
    id = read("id", lambda text: text if re.fullmatch(r"[A-Za-z0-9]{1,12}", text) else None, FileProblem.EXPECTED_ID())
    outside = {key: read(key, partial(read_outside_id, key), FileProblem.EXPECTED_OUTSIDE_ID()) for key in OUTSIDE_IDS}
    national = read(NATIONAL, read_national_ids, FileProblem.EXPECTED_NATIONAL_IDS()) or {}
    until = read("member_until", read_day, FileProblem.EXPECTED_DAY())
    for message in errors:
        problems.error(message, line)
    if errors:
        return None
    country = values["country"].upper() if len(values["country"]) <= 3 else values["country"]
    return ParsedPlayer(
        line,
        values["family"],
        values["given"],
        country,
        grade,
        prior_grade,
        rating,
        games,
        year,
        id or "",
        gender or "",
        until,
        {key: value for key, value in outside.items() if value} | national,
    )


def read_rating(text: str) -> float | None:
    """Return a rating (rating points) such as `1500`, `-320`, `1500.5`, `1500,5` or `2,144`, None for any other text.

    Whole numbers are returned as integers.
    """
    with_hyphen = text.replace(MINUS, "-")
    text = THOUSANDS.sub(r"\1\2", with_hyphen) if THOUSANDS.fullmatch(with_hyphen) else text
    if not re.fullmatch(r"-?\d{1,5}([.,]\d{1,4})?", text, re.ASCII):
        return None
    number = float(text.replace(",", "."))
    return int(number) if number == int(number) else number


def read_grade(text: str) -> str | None:
    """Return a grade such as `5 Kyu`, `5 kyu`, `5k` or `1D` as the systems write it, None for any other text."""
    match = re.fullmatch(r"(\d{1,2}) ?(dan|kyu|d|k)\.?", text, re.ASCII | re.IGNORECASE)
    return f"{int(match[1])} {UNITS[match[2][0].lower()]}" if match else None


def read_gender(text: str) -> str | None:
    """Return female, male or other for such a word or its letter in lists, None for any other text."""
    word = text.casefold()
    return word if word in GENDERS.values() else GENDERS.get(word)


def _read_whole_number(text: str, low: int, high: int) -> int | None:
    return int(text) if re.fullmatch(r"\d{1,4}", text, re.ASCII) and low <= int(text) <= high else None
