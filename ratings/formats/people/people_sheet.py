"""Reader of the sheet of a file about people: a header row, then one line per player, as CSV or .xlsx."""

from __future__ import annotations

import csv
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ratings.formats.parsed import Problems, decode
from ratings.formats.problems import FileProblem
from ratings.formats.spreadsheet.headers import normalize_title
from ratings.formats.spreadsheet.sheet import Line
from ratings.formats.spreadsheet.workbook import looks_like_xlsx, read_workbook

from .columns import TITLES, find_columns

WORKBOOK_ROWS_AT_MOST = 10_000
"""Players in a workbook; larger lists come as CSV."""
FULL_NAME = "name"
"""Title of a column with last and first name, separated by a comma, in a file without a column of first names."""
Values = Mapping[str, str]


FULL_NAME_COLUMN = "full_name"
"""Column that a person may choose for last and first name in one cell, separated by a comma."""


@dataclass(frozen=True, slots=True)
class ChosenColumns:
    """The column that a person chose for each position of a sheet (None: left out).

    `has_titles` is False if the first line is a player already.
    """

    columns: tuple[str | None, ...]
    has_titles: bool = True


@dataclass(frozen=True, slots=True)
class PeopleSheet:
    """The titles of a sheet, the column that each names (None: unknown), and the lines below."""

    titles: list[str]
    columns: list[str | None]
    lines: list[Line]
    has_full_names: bool = False
    """True if the column of last names may hold the first names too, after a comma."""


def read_people_sheet(
    data: bytes,
    known: Collection[str],
    required: Collection[str],
    problems: Problems,
    chosen: ChosenColumns | None = None,
) -> PeopleSheet | None:
    """Return the sheet of a file; None if its titles cannot be read, with the reason in `problems`.

    `known` are the columns that the file may have, others are left out with a warning; `required` are those that it
    must have. `chosen` replaces what the titles say.
    """
    lines = read_workbook(data, problems, WORKBOOK_ROWS_AT_MOST) if looks_like_xlsx(data) else _read_csv(data, problems)
    if not lines:
        return None
    head, *body = lines
    titles = [" ".join(title.split()) for title in head.cells]
    if chosen is None:
        columns = find_columns(titles, known)
        has_full_names = "given" not in columns and FULL_NAME in map(normalize_title, titles)
    else:
        columns, has_full_names = _apply_choice(chosen, len(titles), known)
        titles, body = (titles, body) if chosen.has_titles else ([""] * len(titles), lines)
    _check_columns(columns, head.number, required, problems)
    if chosen is None:
        _report_unread_columns(titles, columns, head.number, problems)
    return PeopleSheet(titles, columns, body, has_full_names)


def _apply_choice(chosen: ChosenColumns, width: int, known: Collection[str]) -> tuple[list[str | None], bool]:
    """Return the chosen column of each position, and whether last and first names share one."""
    given = [*chosen.columns[:width], *[None] * (width - len(chosen.columns))]
    columns = ["family" if each == FULL_NAME_COLUMN else each if each in known else None for each in given]
    return columns, FULL_NAME_COLUMN in given and "given" not in columns


def _check_columns(columns: Sequence[str | None], line: int, required: Collection[str], problems: Problems) -> None:
    for column in required:
        if column not in columns:
            names = " or ".join(f"“{title.capitalize()}”" for title in TITLES[column][:2])
            problems.error(FileProblem.COLUMN_MISSING(names=names), line)
    for column in TITLES:
        if columns.count(column) > 1:
            problems.error(FileProblem.COLUMN_TWICE(titles=TITLES[column][0].capitalize()), line)


def _report_unread_columns(titles: list[str], columns: list[str | None], line: int, problems: Problems) -> None:
    for title, known in zip(titles, columns, strict=True):
        if title and known is None:
            problems.warn(FileProblem.COLUMN_NOT_READ(title=title[:30]), line)


def read_values(sheet: PeopleSheet, problems: Problems) -> Iterator[tuple[int, Values]]:
    """Yield the line number and the texts of each player by column, empty for columns that the file does not have."""
    width = len(sheet.columns)
    for line in sheet.lines:
        if any(line.cells[width:]):
            problems.error(FileProblem.VALUES_BEYOND_TITLES(cells=len(line.cells), columns=width), line.number)
            continue
        values = dict.fromkeys(TITLES, "")
        values.update((column, cell) for column, cell in zip(sheet.columns, line.cells, strict=False) if column)
        if sheet.has_full_names and "," in values["family"]:
            values["family"], _, values["given"] = (part.strip() for part in values["family"].partition(","))
        yield line.number, values


def _read_csv(data: bytes, problems: Problems) -> list[Line]:
    """Return the lines of a CSV file that are not empty; the separator is the one that the first line has most."""
    lines = decode(data, problems, tabs=True)
    start = next((index for index, line in enumerate(lines) if line.strip()), None)
    if start is None:
        return []
    delimiter = max(";\t,", key=lines[start].count)
    return list(_read_rows(lines, start, delimiter, problems))


def _read_rows(lines: list[str], start: int, delimiter: str, problems: Problems) -> Iterator[Line]:
    """Yield each line that is not empty.

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
                yield Line(start + first, [" ".join(cell.split()) for cell in cells])
    except csv.Error as error:
        problems.error(FileProblem.CSV_UNREADABLE(error=error), start + before + 1)
