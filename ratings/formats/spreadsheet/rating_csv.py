"""A rating list as CSV with a line of titles, for federations whose list has no format of its own."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from ratings.systems.words import Words as _

from .parsed import Problems, decode
from .rating_list_reader import ParsedList, ParsedPlayer

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
    """Whether the first line names the columns that are required."""
    line = next((line for line in data[:5000].decode("latin-1").lstrip("ï»¿").splitlines() if line.strip()), "")
    return {COLUMNS.get(_title(part)) for part in re.split("[;,\t]", line)} >= set(REQUIRED)


def read_rating_csv(data: bytes) -> tuple[ParsedList | None, Problems]:
    """The list, without a day; None where its columns are not known; and everything that is wrong with the file."""
    problems = Problems()
    lines = decode(data, problems, tabs=True)
    start = next((i for i, line in enumerate(lines) if line.strip()), None)
    if start is None:
        return None, problems
    delimiter = max(";\t,", key=lines[start].count)
    rows = _rows(lines, start, delimiter, problems)
    at, titles = next(rows, (start + 1, []))
    columns = _columns(titles, at, problems)
    if columns is None:
        return None, problems
    players = [_player(values, number, problems) for number, values in _values(rows, columns, problems)]
    if not players and not problems.fatal:
        problems.error(_("no players below the titles"))
    return ParsedList(None, tuple(player for player in players if player)), problems


def _rows(lines: list[str], start: int, delimiter: str, problems: Problems) -> Iterator[tuple[int, list[str]]]:
    """Lines that are not empty, in their cells. A quote left open would swallow the lines below it."""
    reader = csv.reader(lines[start:], delimiter=delimiter, strict=True, skipinitialspace=delimiter != "\t")
    before = 0
    try:
        for cells in reader:
            first, before = before + 1, reader.line_num
            if before > first:
                problems.error(
                    _('the quote (") opened here ends in line {start}; close it', start=start + before), start + first
                )
            elif any(cell.strip() for cell in cells):
                yield start + first, [" ".join(cell.split()) for cell in cells]
    except csv.Error as error:
        problems.error(
            _("no CSV from here on: {error}; look for a quote that is not closed", error=error), start + before + 1
        )


def _columns(titles: list[str], line: int, problems: Problems) -> list[str | None] | None:
    columns = [COLUMNS.get(_title(title)) for title in titles]
    for column in REQUIRED:
        if column not in columns:
            names = " or ".join(f"“{title.capitalize()}”" for title in TITLES[column])
            problems.error(_("the first line names the columns; {names} is missing", names=names), line)
    for column in TITLES:
        if columns.count(column) > 1:
            problems.error(_("the column “{titles}” stands twice", titles=TITLES[column][0].capitalize()), line)
    for title, known in zip(titles, columns, strict=True):
        if title and known is None:
            problems.warn(_("the column “{title}” is not read", title=title[:30]), line)
    return None if problems.fatal else columns


def _title(text: str) -> str:
    return " ".join(text.strip().strip('"').replace("_", " ").casefold().split())


def _values(
    rows: Iterator[tuple[int, list[str]]], columns: list[str | None], problems: Problems
) -> Iterator[tuple[int, Values]]:
    for number, cells in rows:
        if len(cells) > len(columns) and any(cells[len(columns) :]):
            problems.error(_("{cells} values below {columns} titles", cells=len(cells), columns=len(columns)), number)
            continue
        values = dict.fromkeys(TITLES, "")
        values.update((column, cell) for column, cell in zip(columns, cells, strict=False) if column)
        yield number, values


def _player(values: Values, line: int, problems: Problems) -> ParsedPlayer | None:
    """All that is wrong with a line is told at once."""
    wrong = [_("the {titles} is missing", titles=TITLES[column][0]) for column in REQUIRED if not values[column]]

    def read(column: str, reader: Callable[[str], T | None], what: str) -> Any:
        value = reader(values[column]) if values[column] else None
        if value is None and values[column]:
            wrong.append(
                _("{titles} “{values}” is not {what}", titles=TITLES[column][0], values=values[column][:30], what=what)
            )
        return value

    rating = read("rating", read_rating, _("a number (leave out who has no rating)"))
    games = read("games", lambda text: _whole(text, 0, 9999), _("a number from 0 to 9999"))
    year = read("birth_year", lambda text: _whole(text, 1850, 2100), _("a year of four digits"))
    grade, prior_grade = (
        read(column, read_grade, _("a grade such as 5 Kyu or 1 Dan")) for column in ("grade", "prior_grade")
    )
    id = read(
        "id", lambda text: text if re.fullmatch(r"[A-Za-z0-9]{1,12}", text) else None, _("up to 12 letters and digits")
    )
    for message in wrong:
        problems.error(message, line)
    if wrong:
        return None
    country = values["country"].upper() if len(values["country"]) <= 3 else values["country"]
    return ParsedPlayer(
        line, values["family"], values["given"], country, grade, prior_grade, rating, games, year, id or ""
    )


def read_rating(text: str) -> float | None:
    """`1500`, `-320`, `1500.5`, `1500,5`; whole numbers as integers."""
    if not re.fullmatch(r"-?\d{1,5}([.,]\d{1,4})?", text, re.ASCII):
        return None
    number = float(text.replace(",", "."))
    return int(number) if number == int(number) else number


def read_grade(text: str) -> str | None:
    """`5 Kyu`, `5 kyu`, `5k`, `1D` as the systems write them."""
    found = re.fullmatch(r"(\d{1,2}) ?(dan|kyu|d|k)\.?", text, re.ASCII | re.IGNORECASE)
    return f"{int(found[1])} {UNITS[found[2][0].lower()]}" if found else None


def _whole(text: str, low: int, high: int) -> int | None:
    return int(text) if re.fullmatch(r"\d{1,4}", text, re.ASCII) and low <= int(text) <= high else None
