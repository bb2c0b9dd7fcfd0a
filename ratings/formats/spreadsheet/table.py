"""Reader and writer of results as CSV files and workbooks.

A file holds a crosstable, a list of games or the pairings of a pairing program; only crosstables are written.
"""

from __future__ import annotations

import csv
import datetime as dt
import io
from collections.abc import Sequence

from ratings.formats.encodings import list_repaired_words, repair_text
from ratings.formats.event_head import Head
from ratings.formats.formulas import guard_formula, unguard_formula
from ratings.formats.parsed import ParsedTable, Problems, decode
from ratings.formats.problems import FileProblem

from .crosstable import crosstable_cells, read_crosstable
from .game_list import read_game_list
from .pairings import read_pairings
from .sheet import Line, Sheet, build_sheet
from .workbook import looks_like_xlsx, read_workbook, write_workbook

__all__ = [
    "looks_like_csv",
    "looks_like_xlsx",
    "read_csv",
    "read_xlsx",
    "write_csv",
    "write_xlsx",
]

DELIMITERS = (",", ";", "\t")
HEADER_LINES = 200  # more than enough for the header row, with empty lines and comments above it
NO_HEADER = FileProblem.NO_HEADER_ROW()


def looks_like_csv(data: bytes) -> bool:
    """Return True if one of the first lines is the header row of a crosstable or a list of games."""
    lines = decode(data[:20000], Problems(), tabs=True)
    return bool(lines) and _read_csv_sheet(lines, Problems()).columns is not None


def read_csv(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """Return the table of a CSV file, None if it has no header row, and all problems of the file.

    Cells are separated by commas, semicolons or tabs. A file without name or days gets the event's (`head`).
    """
    problems = Problems()
    lines = decode(data, problems, tabs=True)
    sheet = _read_csv_sheet(lines, problems)
    return (None if problems.fatal else _read_table(sheet, head, today, problems)), problems


def read_xlsx(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """Return the table of a workbook's first sheet, None if it has no header row, and all problems of the file."""
    problems = Problems()
    lines = [_repair_line(line, problems) for line in read_workbook(data, problems)]
    return (None if problems.fatal else _read_table(build_sheet(lines), head, today, problems)), problems


def _repair_line(line: Line, problems: Problems) -> Line:
    """Return a line of a workbook with letters that another program decoded wrongly, with a note for each word."""
    for said, read in list_repaired_words(" ".join(line.cells)):
        problems.note(FileProblem.ENCODING_REPAIRED(said=said, read=read), line.number)
    return Line(line.number, [cell if cell.isascii() else repair_text(cell) for cell in line.cells])


def _read_table(sheet: Sheet, head: Head, today: dt.date, problems: Problems) -> ParsedTable | None:
    if sheet.columns is None:
        problems.error(NO_HEADER)
        return None
    columns = sheet.columns
    reader = read_game_list if columns.is_games else read_crosstable if columns.is_crosstable else read_pairings
    return reader(sheet, head, today, problems)


def _read_csv_sheet(lines: list[str], problems: Problems) -> Sheet:
    """Return the sheet for the delimiter that gives the header row with the most columns."""

    def width(delimiter: str) -> int:
        columns = build_sheet(_read_csv_lines(lines[:HEADER_LINES], delimiter, Problems())).columns
        return columns.width if columns else 0

    return build_sheet(_read_csv_lines(lines, max(DELIMITERS, key=width), problems))


def _read_csv_lines(lines: list[str], delimiter: str, problems: Problems) -> list[Line]:
    reader = csv.reader((f"{line}\n" for line in lines), delimiter=delimiter, strict=True)
    parsed = []
    before = 0
    try:
        for cells in reader:
            texts = [" ".join(cell.split()) for cell in cells]
            parsed.append(Line(before + 1, [unguard_formula(text) for text in texts]))
            before = reader.line_num
    except csv.Error:
        problems.error(FileProblem.QUOTE_OPEN_IN_CELL(), before + 1)
    return parsed


def write_csv(table: ParsedTable) -> str:
    """Return the crosstable of a table, separated by commas.

    Texts that look like formulas get an apostrophe in front.
    """
    return format_csv(crosstable_cells(table))


def format_csv(lines: Sequence[Sequence[str | float]]) -> str:
    """Return lines of cells as CSV; texts that look like formulas get an apostrophe in front."""
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    for line in lines:
        writer.writerow([guard_formula(value) if isinstance(value, str) else f"{value:g}" for value in line])
    return stream.getvalue()


def write_xlsx(table: ParsedTable) -> bytes:
    """Return the crosstable of a table as a workbook; texts are never formulas."""
    return write_workbook(crosstable_cells(table), (12, 24, 18))
