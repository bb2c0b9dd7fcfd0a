"""Reader and writer of a crosstable in a sheet.

It has one row per player and one column per round, with results as in the American Grid.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import replace

from ratings.formats.checks import check_games, check_numbers, check_row_count, copy_colours
from ratings.formats.event_head import Head
from ratings.formats.fide.country_codes import country_code
from ratings.formats.parsed import (
    Cell,
    ParsedRow,
    ParsedTable,
    Problems,
    add_broken_rows,
    read_place,
    read_points,
    unreadable,
)
from ratings.formats.problems import FileProblem
from ratings.formats.tokens import read_tokens

from .headers import Columns, find_round_title_error
from .sheet import Line, Sheet, build_table, check_titles, date_error, read_names

PLAYER_ID = "Player ID"
"""Title of the column with public ids of players."""
KNOWN_COLUMNS = {
    "number",
    "player id",
    "family",
    "given",
    "name",
    "player",
    "country",
    "new",
    "macmahon",
    "points",
    "place",
}
NOT_NEW = {"", "0", "no", "non", "nein", "false", "-"}


def read_crosstable(sheet: Sheet, head: Head, today: dt.date, problems: Problems) -> ParsedTable:
    """Return the table of a sheet with the columns of a crosstable."""
    columns = sheet.columns
    assert columns
    table = build_table(sheet, head, today, problems)
    check_titles(sheet, KNOWN_COLUMNS, problems)
    if "number" not in columns.at:
        problems.error(FileProblem.NO_NUMBER_COLUMN(), sheet.header_line)
    if problem := find_round_title_error(columns):
        problems.error(problem, sheet.header_line)
    if not sheet.body:
        problems.error(FileProblem.NO_CROSSTABLE_ROWS())
    if "number" not in columns.at or problem or not check_row_count(len(sheet.body), problems):
        return table
    columns = _drop_unused_rounds(sheet, columns, problems)
    unnumbered = []
    for line in sheet.body:
        if row := _read_row(line, columns, problems):
            table.rows.append(row)
        else:
            unnumbered.append((line.number, " | ".join(filter(None, line.cells))))
    add_broken_rows(table.rows, unnumbered)
    if check_numbers(table.rows, problems):
        copy_colours(table.rows, problems)
        check_games(table.rows, problems)
    return table


def _drop_unused_rounds(sheet: Sheet, columns: Columns, problems: Problems) -> Columns:
    """Return the columns without the last rounds if no row has a result in them, as in a template that is too wide."""
    rounds = len(columns.rounds)
    columns_by_round = list(enumerate(columns.rounds.values(), 1))
    used = max((round_ for line in sheet.body for round_, at in columns_by_round if line.cell(at)), default=rounds)
    if used == rounds:
        return columns
    if used + 1 == rounds:
        problems.note(FileProblem.ROUND_EMPTY(round=rounds))
    else:
        problems.note(FileProblem.ROUNDS_EMPTY(first=used + 1, last=rounds))
    return replace(columns, rounds=dict(list(columns.rounds.items())[:used]))


def _read_row(line: Line, columns: Columns, problems: Problems) -> ParsedRow | None:
    number = line.cell(columns.at["number"]).rstrip(".")
    if not (number.isascii() and number.isdecimal() and len(number) < 6):
        message = FileProblem.NOT_A_ROW_NUMBER(number=number[:20])
        problems.error(message if number else FileProblem.ROW_NUMBER_MISSING(), line.number)
        return None
    family, given = read_names(line, columns)
    row = ParsedRow(int(number), line.number, family, given)
    if not family:
        problems.error(FileProblem.LAST_NAME_MISSING(), line.number, row.number)
    if any(line.cells[columns.width :]):
        problems.error(FileProblem.TOO_MANY_CELLS(), line.number, row.number)
    row.player = line.cell(columns.at.get("player id"))
    row.new = line.cell(columns.at.get("new")).lower() not in NOT_NEW
    row.country = _read_country(line.cell(columns.at.get("country")), row, problems)
    row.macmahon = _read_points_field(
        line.cell(columns.at.get("macmahon")), FileProblem.MACMAHON_POINTS(), row, problems
    )
    row.points = _read_points_field(line.cell(columns.at.get("points")), FileProblem.POINTS(), row, problems)
    row.place = _read_place(line.cell(columns.at.get("place")), row, problems)
    texts = [line.cell(at) for at in columns.rounds.values()]
    row.simultaneous = "&" in texts
    if not row.simultaneous:
        row.cells = [_read_cell(text, row, round_, problems) for round_, text in enumerate(texts, 1)]
    elif any(text not in ("", "&") for text in texts):
        problems.error(FileProblem.SIMULTANEOUS_WITH_GAMES(), line.number, row.number)
    return row


def _read_country(text: str, row: ParsedRow, problems: Problems) -> str:
    if not text and row.new:
        problems.warn(FileProblem.COUNTRY_MISSING(), row.line, row.number)
    if len(text) < 4 and text != text.upper():
        problems.warn(FileProblem.COUNTRY_LOWER_CASE(code=text[:20]), row.line, row.number)
    code = text.upper() if len(text) == 2 else country_code(text)
    if code is None:
        problems.warn(FileProblem.COUNTRY_LEFT_OUT(word=text[:20]), row.line, row.number)
        row.texts["country"] = text
    return code or ""


def _read_points_field(text: str, what: str, row: ParsedRow, problems: Problems) -> float | None:
    if not text:
        return None
    value = read_points(text)
    if what == "points":
        if value is None:
            problems.warn(FileProblem.NOT_A_NUMBER(what=FileProblem.POINTS(), text=text[:20]), row.line, row.number)
            row.texts["points"] = text
    elif value is None or value * 2 != int(value * 2):
        row.texts["macmahon"] = text
        problems.error(FileProblem.NOT_HALF_POINTS(what=what, text=text[:20]), row.line, row.number)
    return value


def _read_place(text: str, row: ParsedRow, problems: Problems) -> int | None:
    place = read_place(text) if text else None
    if text and place is None:
        problems.warn(FileProblem.PLACE_NOT_A_NUMBER(text=text[:20]), row.line, row.number)
        row.texts["place"] = text
    return place


def _read_cell(text: str, row: ParsedRow, round_: int, problems: Problems) -> Cell:
    if not text:
        problems.warn(FileProblem.CELL_EMPTY(), row.line, row.number, round_)
        return Cell(0, 0)
    if problem := date_error(text):
        problems.error(problem, row.line, row.number, round_)
        return unreadable(text)
    cell_problems = Problems()
    cells = read_tokens(text, cell_problems, row.line, row.number, go=True)
    for cell_problem in cell_problems.all:
        problems.add(replace(cell_problem, round=round_))
    if len(cells) != 1:
        problems.error(FileProblem.SEVERAL_RESULTS(), row.line, row.number, round_)
        return unreadable(text)
    return replace(cells[0], text=text) if cells[0].text else cells[0]


def crosstable_cells(table: ParsedTable) -> list[list[str | float]]:
    """Return the lines of a sheet: data of the event, an empty line, the header row and the rows."""
    head: list[tuple[str, str]] = [
        ("Event", table.name),
        ("Place", table.place),
        ("Country", table.country),
        ("First day", f"{table.first_day}"),
        ("Last day", f"{table.last_day}"),
        ("Time control", table.time_control),
    ]
    new, macmahon = any(row.new for row in table.rows), any(row.macmahon is not None for row in table.rows)
    places = any(row.place for row in table.rows)
    titles = crosstable_titles(table.rounds, new=new, macmahon=macmahon, places=places)
    rows = [_format_cells(row, table.rounds, new=new, macmahon=macmahon, places=places) for row in table.rows]
    return [*event_lines(head), list(titles), *rows]


def event_lines(head: Sequence[tuple[str, str]]) -> list[list[str | float]]:
    """Return the lines above a table with what is known of its event, and an empty line; none without any."""
    lines: list[list[str | float]] = [[key, text] for key, text in head if text]
    return [*lines, []] if lines else []


def crosstable_titles(
    rounds: int, *, new: bool, macmahon: bool, ids: bool = False, places: bool = False
) -> Sequence[str]:
    names = [
        "Nr",
        *([PLAYER_ID] if ids else []),
        "Last name",
        "First name",
        "Country",
        *(["New"] if new else []),
        *(["MM"] if macmahon else []),
    ]
    return [*names, *(str(round_ + 1) for round_ in range(rounds)), "Points", *(["Place"] if places else [])]


def _format_cells(row: ParsedRow, rounds: int, *, new: bool, macmahon: bool, places: bool) -> list[str | float]:
    texts = ["&"] if row.simultaneous else [cell.typed for cell in row.cells]
    return [
        row.number,
        row.family,
        row.given,
        row.country,
        *(["N" if row.new else ""] if new else []),
        *(["" if row.macmahon is None else row.macmahon] if macmahon else []),
        *texts,
        *[""] * (rounds - len(texts)),
        "" if row.simultaneous else (row.macmahon or 0) + sum(cell.points for cell in row.cells),
        *([row.place or ""] if places else []),
    ]
