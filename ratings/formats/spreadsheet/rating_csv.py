"""Reader of rating lists as CSV with a header row, for federations without a list format of their own."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.parsed import Problems, decode
from ratings.formats.problems import FileProblem

T = TypeVar("T")

TITLES = {
    "family": ("last name", "family name", "surname"),
    "given": ("first name", "given name"),
    "country": ("country", "nationality", "nat"),
    "rating": ("rating", "elo"),
    "games": ("games", "#games"),
    "grade": ("grade",),
    "prior_grade": ("prior grade",),
    "birth_year": ("birth year", "year of birth"),
    "id": ("id",),
}
COLUMNS = {title: column for column, titles in TITLES.items() for title in titles}
REQUIRED = ("family", "rating")
UNITS = {"d": "Dan", "k": "Kyu"}

Values = Mapping[str, str]


def looks_like_rating_csv(data: bytes) -> bool:
    """Return True if the first line names the required columns."""
    line = next((line for line in data[:5000].decode("latin-1").lstrip("ï»¿").splitlines() if line.strip()), "")
    return {COLUMNS.get(_normalize_title(part)) for part in re.split("[;,\t]", line)} >= set(REQUIRED)


def read_rating_csv(data: bytes) -> tuple[ParsedList | None, Problems]:
    """Return the list without a day, None if its columns are unknown, and all problems of the file."""
    problems = Problems()
    lines = decode(data, problems, tabs=True)
    start = next((i for i, line in enumerate(lines) if line.strip()), None)
    if start is None:
        return None, problems
    delimiter = max(";\t,", key=lines[start].count)
    rows = _read_rows(lines, start, delimiter, problems)
    at, titles = next(rows, (start + 1, []))
    columns = _read_columns(titles, at, problems)
    if columns is None:
        return None, problems
    players = [_read_player(values, number, problems) for number, values in _read_values(rows, columns, problems)]
    if not players and not problems.fatal:
        problems.error(FileProblem.NO_PLAYERS())
    return ParsedList(None, tuple(player for player in players if player)), problems


def _read_rows(lines: list[str], start: int, delimiter: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and cells of each line that is not empty.

    A quoted cell of more than one line is an error, since an unclosed quote would swallow the lines below it.
    """
    reader = csv.reader(lines[start:], delimiter=delimiter, strict=True, skipinitialspace=delimiter != "\t")
    before = 0
    try:
        for cells in reader:
            first, before = before + 1, reader.line_num
            if before > first:
                problems.error(FileProblem.QUOTE_TOO_LONG(start=start + before), start + first)
            elif any(cell.strip() for cell in cells):
                yield start + first, [" ".join(cell.split()) for cell in cells]
    except csv.Error as error:
        problems.error(FileProblem.CSV_UNREADABLE(error=error), start + before + 1)


def _read_columns(titles: list[str], line: int, problems: Problems) -> list[str | None] | None:
    columns = [COLUMNS.get(_normalize_title(title)) for title in titles]
    for column in REQUIRED:
        if column not in columns:
            names = " or ".join(f"“{title.capitalize()}”" for title in TITLES[column])
            problems.error(FileProblem.COLUMN_MISSING(names=names), line)
    for column in TITLES:
        if columns.count(column) > 1:
            problems.error(FileProblem.COLUMN_TWICE(titles=TITLES[column][0].capitalize()), line)
    for title, known in zip(titles, columns, strict=True):
        if title and known is None:
            problems.warn(FileProblem.COLUMN_NOT_READ(title=title[:30]), line)
    return None if problems.fatal else columns


def _normalize_title(text: str) -> str:
    return " ".join(text.strip().strip('"').replace("_", " ").casefold().split())


def _read_values(
    rows: Iterator[tuple[int, list[str]]], columns: list[str | None], problems: Problems
) -> Iterator[tuple[int, Values]]:
    for number, cells in rows:
        if len(cells) > len(columns) and any(cells[len(columns) :]):
            problems.error(FileProblem.VALUES_BEYOND_TITLES(cells=len(cells), columns=len(columns)), number)
            continue
        values = dict.fromkeys(TITLES, "")
        values.update((column, cell) for column, cell in zip(columns, cells, strict=False) if column)
        yield number, values


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
    id = read("id", lambda text: text if re.fullmatch(r"[A-Za-z0-9]{1,12}", text) else None, FileProblem.EXPECTED_ID())
    for message in errors:
        problems.error(message, line)
    if errors:
        return None
    country = values["country"].upper() if len(values["country"]) <= 3 else values["country"]
    return ParsedPlayer(
        line, values["family"], values["given"], country, grade, prior_grade, rating, games, year, id or ""
    )


def read_rating(text: str) -> float | None:
    """Return a rating (rating points) such as `1500`, `-320`, `1500.5` or `1500,5`, None for any other text.

    Whole numbers are returned as integers.
    """
    if not re.fullmatch(r"-?\d{1,5}([.,]\d{1,4})?", text, re.ASCII):
        return None
    number = float(text.replace(",", "."))
    return int(number) if number == int(number) else number


def read_grade(text: str) -> str | None:
    """Return a grade such as `5 Kyu`, `5 kyu`, `5k` or `1D` as the systems write it, None for any other text."""
    match = re.fullmatch(r"(\d{1,2}) ?(dan|kyu|d|k)\.?", text, re.ASCII | re.IGNORECASE)
    return f"{int(match[1])} {UNITS[match[2][0].lower()]}" if match else None


def _read_whole_number(text: str, low: int, high: int) -> int | None:
    return int(text) if re.fullmatch(r"\d{1,4}", text, re.ASCII) and low <= int(text) <= high else None
