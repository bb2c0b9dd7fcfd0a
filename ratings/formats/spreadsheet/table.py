"""Tables as spreadsheets hold them, CSV files and workbooks, as crosstables or as lists of games; and templates."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections.abc import Sequence

from ratings.systems.words import Words as _

from .crosstable import crosstable_cells, read_crosstable, titles_of
from .games import read_games
from .head import Head
from .parsed import ParsedTable, Problems, decode
from .sheet import Line, Sheet, sheet_of
from .workbook import looks_like_xlsx, read_workbook, write_workbook

__all__ = [
    "looks_like_csv", "looks_like_xlsx", "read_csv", "read_xlsx", "template_csv", "template_xlsx", "write_csv",
    "write_xlsx",
]  # fmt: skip

DELIMITERS = (",", ";", "\t")
HEADER_LINES = 200  # more than enough for the header row, with empty lines and comments above it
GUARDED = re.compile(r"'+[=+\-@]")  # an apostrophe keeps a spreadsheet program from taking a text for a formula
TO_GUARD = re.compile(r"'*[=+\-@]")
TEMPLATE: tuple[tuple[str, ...], ...] = (
    ("# Fill in a row a player below the header row, then send the file. Lines that begin with # are not read.",),
    ("# Results: the opponent's number and + won, - lost, = drawn. Not played: 0+ bye or free win, 0- absent, 0= ½",),
    ("# New: N for a player who is in no rating list yet. MM: MacMahon start points or empty. Country: two letters.",),
    ("# Handicaps stand behind the result: 2+(-r) gave a rook, 1-(+r) received it; in go 3-/b4: Black, 4 stones",),
    tuple(titles_of(5, new=True, macmahon=True)),
    ("# 1", "Muster", "Anna", "DE", "", "", "2+", "3=", "0+", "4-", "5+", "3.5"),
)  # fmt: skip
NO_HEADER = _(
    "no header row: a crosstable has the columns Nr, Last name, First name, Country, 1, 2, 3 …, Points;"
    " a list of games Round, Player, Opponent, Result"
)


def looks_like_csv(data: bytes) -> bool:
    """Whether one of the first lines is the header row of a crosstable or a list of games."""
    lines = decode(data[:20000], Problems(), tabs=True)
    return bool(lines) and _csv_sheet(lines, Problems()).columns is not None


def read_csv(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """The table, None where there is no header row, and everything that is wrong with the file.

    Parted by commas, semicolons or tabs; name and days are the event's (`head`) where no line above the table has them.
    """
    problems = Problems()
    lines = decode(data, problems, tabs=True)
    sheet = _csv_sheet(lines, problems)
    return (None if problems.fatal else _read(sheet, head, today, problems)), problems


def read_xlsx(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """The same of a workbook's first sheet."""
    problems = Problems()
    lines = read_workbook(data, problems)
    return (None if problems.fatal else _read(sheet_of(lines), head, today, problems)), problems


def _read(sheet: Sheet, head: Head, today: dt.date, problems: Problems) -> ParsedTable | None:
    if sheet.columns is None:
        problems.error(NO_HEADER)
        return None
    read = read_games if sheet.columns.is_games else read_crosstable
    return read(sheet, head, today, problems)


def _csv_sheet(lines: list[str], problems: Problems) -> Sheet:
    """The sheet under the delimiter that gives a header row, the most columns if several do."""

    def width(delimiter: str) -> int:
        columns = sheet_of(_csv_lines(lines[:HEADER_LINES], delimiter, Problems())).columns
        return columns.width if columns else 0

    return sheet_of(_csv_lines(lines, max(DELIMITERS, key=width), problems))


def _csv_lines(lines: list[str], delimiter: str, problems: Problems) -> list[Line]:
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    read = []
    before = 0
    try:
        for cells in reader:
            texts = [" ".join(cell.split()) for cell in cells]
            read.append(Line(before + 1, [text[1:] if GUARDED.match(text) else text for text in texts]))
            before = reader.line_num
    except csv.Error:
        problems.error(
            _(
                "a quotation mark is opened here and not closed, or text follows where it is closed; put the whole"
                " cell between two of them"
            ),
            before + 1,
        )
    return read


def write_csv(table: ParsedTable) -> str:
    """The crosstable of a table, parted by commas. An apostrophe stands before texts that look like formulas."""
    return _csv_text(crosstable_cells(table))


def _csv_text(lines: Sequence[Sequence[str | float]]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for line in lines:
        writer.writerow([guarded(value) if isinstance(value, str) else f"{value:g}" for value in line])
    return stream.getvalue()


def guarded(text: str) -> str:
    """A text that no spreadsheet program takes for a formula."""
    return f"'{text}" if TO_GUARD.match(text) else text


def write_xlsx(table: ParsedTable) -> bytes:
    """The crosstable of a table as a workbook; texts are never formulas."""
    return write_workbook(crosstable_cells(table), (12, 24, 18))


def template_csv() -> str:
    """An empty crosstable with its explanation and an example, which are not read: as it is it has no players."""
    return _csv_text(TEMPLATE)


def template_xlsx() -> bytes:
    """The same as a workbook."""
    return write_workbook(TEMPLATE, (8, 24, 18))
