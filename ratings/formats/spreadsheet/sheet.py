"""A sheet of cells from a CSV file or workbook: its head lines, its header row and the lines below."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field

from ratings.formats.event_head import Head, HeadText, read_event_days
from ratings.formats.parsed import ParsedTable, Problems
from ratings.formats.problems import FileProblem

from .headers import HEAD_MEANING, Columns, identify_columns, normalize_title

HEADER_SEARCH_LINES = 20  # number of first lines that are searched for the header row
# dates into which spreadsheet programs turn results such as 1-2: 2026-02-01, 01.Feb, Feb 01, 1-févr.
DATE = re.compile(r"\d{4}-\d\d-\d\d.*|\d{1,2}[-./ ]+[^\W\d_]{3,5}\.?|[^\W\d_]{3,5}\.?[-./ ]+\d{1,4}")


@dataclass(frozen=True, slots=True)
class Line:
    """The cells of a line as texts without surrounding blanks; `number` is the line number from 1."""

    number: int
    cells: list[str]

    def cell(self, at: int | None) -> str:
        return self.cells[at] if at is not None and at < len(self.cells) else ""


@dataclass(slots=True)
class Sheet:
    """The lines above the header row, the columns named by it, and the lines below, without comments (#)."""

    head: list[Line] = field(default_factory=list)
    columns: Columns | None = None
    header_line: int = 0
    body: list[Line] = field(default_factory=list)


def build_sheet(lines: list[Line]) -> Sheet:
    """Return the sheet of the given lines; its `columns` are None if no line is a header row."""
    filled = [line for line in lines if any(line.cells)]
    for at, line in enumerate(filled[:HEADER_SEARCH_LINES]):
        columns = identify_columns(line.cells)
        if columns.is_games or columns.is_crosstable or columns.is_pairings:
            head = [above for above in filled[:at] if not _is_comment(above)]
            return Sheet(head, columns, line.number, [below for below in filled[at + 1 :] if not _is_comment(below)])
    return Sheet(filled)


def _is_comment(line: Line) -> bool:
    return next(cell for cell in line.cells if cell).startswith("#")


def build_table(sheet: Sheet, head: Head, today: dt.date, problems: Problems) -> ParsedTable:
    """Return the table without rows, with data from the lines above the header row, else from the event."""
    head_texts: dict[str, HeadText] = {}
    for line in sheet.head:
        first, *rest = line.cells
        key = HEAD_MEANING.get(normalize_title(first))
        if key and any(rest):
            head_texts.setdefault(key, HeadText(next(cell for cell in rest if cell), line.number))
        else:
            beginning = " ".join(cell for cell in line.cells if cell)[:40]
            problems.warn(FileProblem.TEXT_ABOVE_TABLE(shown=beginning), line.number)
    days = read_event_days(head_texts.get("first"), head_texts.get("last"), head, today, problems)
    texts = {key: head_text.text for key, head_text in head_texts.items()}
    return ParsedTable(
        texts.get("name", head.name),
        *days,
        [],
        texts.get("place", ""),
        texts.get("country", ""),
        texts.get("control", ""),
    )


def check_titles(sheet: Sheet, read: set[str], problems: Problems) -> None:
    """Add an error for each repeated title, and a warning for each column that is not in `read`."""
    columns = sheet.columns
    assert columns
    for title in columns.repeated:
        problems.error(FileProblem.TITLE_TWICE(title=title[:40]), sheet.header_line)
    for title in [*columns.unknown, *sorted(set(columns.at) - read)]:
        problems.warn(FileProblem.COLUMN_NOT_READ(title=title[:40]), sheet.header_line)


def read_names(line: Line, columns: Columns, side: str = "") -> tuple[str, str]:
    """Return last and first name, from two columns or from “Last, First” in one.

    `side` is "player", "opponent" or "".
    """
    at = columns.at
    family_keys = (
        (f"{side} family", side) if side == "opponent" else (f"{side} family", side, "family", "name", "player")
    )
    family_at = next((at[key] for key in family_keys if key in at), None)
    given_at = at.get(f"{side} given", None if side == "opponent" else at.get("given"))
    family, given = line.cell(family_at), line.cell(given_at)
    if given_at is None:
        family, _, given = (part.strip() for part in family.partition(","))
    return family, given


def date_error(text: str) -> str | None:
    """Return the message for a result that a spreadsheet program turned into a date, None for other texts."""
    if not DATE.fullmatch(text):
        return None
    return FileProblem.RESULT_TURNED_INTO_DATE(text=text[:20])
