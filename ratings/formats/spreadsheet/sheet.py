"""A sheet of cells, as CSV files and workbooks hold one: its head lines, its header row and what stands below."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass, field

from ratings.systems.words import Words as _

from .columns import HEAD_MEANING, Columns, columns_of, plain
from .head import Head, Told, span_of
from .parsed import ParsedTable, Problems

HEADER_AMONG = 20  # lines in which the header row is looked for
# what spreadsheets make of results such as 1-2: 2026-02-01, 01.Feb, Feb 01, 1-févr.
DATE = re.compile(r"\d{4}-\d\d-\d\d.*|\d{1,2}[-./ ]+[^\W\d_]{3,5}\.?|[^\W\d_]{3,5}\.?[-./ ]+\d{1,4}")


@dataclass(frozen=True, slots=True)
class Line:
    """The cells of a line as texts without blanks around them; `number` counts from 1."""

    number: int
    cells: list[str]

    def cell(self, at: int | None) -> str:
        return self.cells[at] if at is not None and at < len(self.cells) else ""


@dataclass(slots=True)
class Sheet:
    """The lines above the header row, the header row's meaning, and the lines below; comments (#) left out."""

    head: list[Line] = field(default_factory=list)
    columns: Columns | None = None
    header_line: int = 0
    body: list[Line] = field(default_factory=list)


def sheet_of(lines: list[Line]) -> Sheet:
    """The sheet of some lines; without `columns` where no line is a header row."""
    filled = [line for line in lines if any(line.cells)]
    for at, line in enumerate(filled[:HEADER_AMONG]):
        columns = columns_of(line.cells)
        if columns.is_games or columns.is_crosstable:
            head = [above for above in filled[:at] if not _comment(above)]
            return Sheet(head, columns, line.number, [below for below in filled[at + 1 :] if not _comment(below)])
    return Sheet(filled)


def _comment(line: Line) -> bool:
    return next(cell for cell in line.cells if cell).startswith("#")


def table_of(sheet: Sheet, head: Head, today: dt.date, problems: Problems) -> ParsedTable:
    """The table without its rows: what the lines above the header row tell, else the event."""
    told: dict[str, Told] = {}
    for line in sheet.head:
        first, *rest = line.cells
        key = HEAD_MEANING.get(plain(first))
        if key and any(rest):
            told.setdefault(key, Told(next(cell for cell in rest if cell), line.number))
        else:
            shown = " ".join(cell for cell in line.cells if cell)[:40]
            problems.warn(_("text above the table was left out: “{shown}”", shown=shown), line.number)
    days = span_of(told.get("first"), told.get("last"), head, today, problems)
    texts = {key: found.text for key, found in told.items()}
    return ParsedTable(
        texts.get("name", head.name), *days, [], texts.get("place", ""), texts.get("country", ""),
        texts.get("control", ""),
    )  # fmt: skip


def check_titles(sheet: Sheet, read: set[str], problems: Problems) -> None:
    """Titles that stand twice are an error, those that are not `read` a warning."""
    columns = sheet.columns
    assert columns
    for title in columns.twice:
        problems.error(_("two columns are titled “{title}”; leave one", title=title[:40]), sheet.header_line)
    for title in [*columns.unknown, *sorted(set(columns.at) - read)]:
        problems.warn(_("the column “{title}” was not read", title=title[:40]), sheet.header_line)


def names_of(line: Line, columns: Columns, whose: str = "") -> tuple[str, str]:
    """Last and first name, from two columns or as “Last, First” in one; `whose` is player or opponent or nobody."""
    at = columns.at
    wholes = (
        (f"{whose} family", whose) if whose == "opponent" else (f"{whose} family", whose, "family", "name", "player")
    )
    family_at = next((at[key] for key in wholes if key in at), None)
    given_at = at.get(f"{whose} given", None if whose == "opponent" else at.get("given"))
    family, given = line.cell(family_at), line.cell(given_at)
    if given_at is None:
        family, _, given = (part.strip() for part in family.partition(","))
    return family, given


def date_told(text: str) -> str | None:
    """The message for a result that a spreadsheet took for a date."""
    if not DATE.fullmatch(text):
        return None
    return _(
        "the spreadsheet turned a result into the date “{text}”; format the column as text and type the result again",
        text=text[:20],
    )
