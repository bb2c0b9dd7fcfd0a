"""A crosstable in a sheet: a row a player, a column a round, results as in the American Grid."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from ratings.systems.words import Words as _

from .checks import check_games, check_numbers, few_enough, take_colours
from .columns import Columns, wrong_rounds
from .fide import country_of
from .head import Head
from .parsed import Cell, ParsedRow, ParsedTable, Problems, read_points
from .sheet import Line, Sheet, check_titles, date_told, names_of, table_of
from .tokens import read_tokens

READ = {"number", "family", "given", "name", "player", "country", "new", "macmahon", "points"}
NOT_NEW = {"", "0", "no", "non", "nein", "false", "-"}


def read_crosstable(sheet: Sheet, head: Head, today: dt.date, problems: Problems) -> ParsedTable:
    """The table of a sheet whose columns are a crosstable's."""
    columns = sheet.columns
    assert columns
    table = table_of(sheet, head, today, problems)
    check_titles(sheet, READ, problems)
    if "number" not in columns.at:
        problems.error(_("no column with the numbers of the rows; title it Nr"), sheet.header_line)
    if problem := wrong_rounds(columns):
        problems.error(problem, sheet.header_line)
    if not sheet.body:
        problems.error(
            _(
                "no player rows: below the header row stands a row a player; if this is the template, fill it in"
                " (lines that begin with # are not read)"
            )
        )
    if "number" not in columns.at or problem or not few_enough(len(sheet.body), problems):
        return table
    for line in sheet.body:
        if row := _row(line, columns, problems):
            table.rows.append(row)
    if check_numbers(table.rows, problems):
        take_colours(table.rows, problems)
        check_games(table.rows, problems)
    return table


def _row(line: Line, columns: Columns, problems: Problems) -> ParsedRow | None:
    number = line.cell(columns.at["number"]).rstrip(".")
    if not (number.isascii() and number.isdecimal() and len(number) < 6):
        told = _("“{number}” is no number of a row; number the rows 1, 2, 3 …", number=number[:20])
        problems.error(
            told if number else _("the number of the row is missing; number the rows 1, 2, 3 …"), line.number
        )
        return None
    family, given = names_of(line, columns)
    row = ParsedRow(int(number), line.number, family, given)
    if not family:
        problems.error(_("the last name is missing"), line.number, row.number)
    if any(line.cells[columns.width :]):
        problems.error(_("more cells than the header row has columns"), line.number, row.number)
    row.new = line.cell(columns.at.get("new")).lower() not in NOT_NEW
    row.country = _country(line.cell(columns.at.get("country")), row, problems)
    row.macmahon = _figure(line.cell(columns.at.get("macmahon")), _("MacMahon points"), row, problems)
    row.points = _figure(line.cell(columns.at.get("points")), _("points"), row, problems)
    texts = [line.cell(at) for at in columns.rounds.values()]
    row.simultaneous = "&" in texts
    if not row.simultaneous:
        row.cells = [_cell(text, row, round_, problems) for round_, text in enumerate(texts, 1)]
    elif any(text not in ("", "&") for text in texts):
        problems.error(_("& stands for a simultaneous display; leave his other rounds empty"), line.number, row.number)
    return row


def _country(text: str, row: ParsedRow, problems: Problems) -> str:
    if not text and row.new:
        problems.warn(_("a new player needs a nationality of two letters"), row.line, row.number)
    if len(text) < 4 and text != text.upper():
        problems.warn(_("nationality “{text}” in lower case", text=text[:20]), row.line, row.number)
    code = text.upper() if len(text) == 2 else country_of(text)
    if code is None:
        problems.warn(
            _("“{text}” is no country's code of two letters; it was left out", text=text[:20]), row.line, row.number
        )
    return code or ""


def _figure(text: str, what: str, row: ParsedRow, problems: Problems) -> float | None:
    if not text:
        return None
    value = read_points(text)
    if what == "points":
        if value is None:
            problems.warn(_("points “{text}” cannot be read as a number", text=text[:20]), row.line, row.number)
    elif value is None or value * 2 != int(value * 2):
        problems.error(
            _("{what} “{text}” are no whole or half points", what=what, text=text[:20]), row.line, row.number
        )
    return value


def _cell(text: str, row: ParsedRow, round_: int, problems: Problems) -> Cell:
    if not text:
        problems.warn(_("nothing stands here: it was read as an absence (0-)"), row.line, row.number, round_)
        return Cell(0, 0)
    if problem := date_told(text):
        problems.error(problem, row.line, row.number, round_)
        return Cell(0, 0)
    own = Problems()
    cells = read_tokens(text, own, row.line, row.number, go=True)
    for problem_ in own.all:
        report = problems.error if problem_.level == "error" else problems.warn
        report(problem_.message, row.line, row.number, round_)
    if len(cells) != 1:
        problems.error(_("one result a round, such as 7+"), row.line, row.number, round_)
        return Cell(0, 0)
    return cells[0]


def crosstable_cells(table: ParsedTable) -> list[list[str | float]]:
    """The lines of a sheet with what the event is, an empty line, the header row and the rows."""
    head: list[tuple[str, str]] = [
        ("Event", table.name),
        ("Place", table.place),
        ("Country", table.country),
        ("First day", f"{table.first_day}"),
        ("Last day", f"{table.last_day}"),
        ("Time control", table.time_control),
    ]
    new, macmahon = any(row.new for row in table.rows), any(row.macmahon is not None for row in table.rows)
    titles = titles_of(table.rounds, new=new, macmahon=macmahon)
    lines: list[list[str | float]] = [[key, text] for key, text in head if text]
    rows = [_cells(row, table.rounds, new=new, macmahon=macmahon) for row in table.rows]
    return [*lines, [], list(titles), *rows]


def titles_of(rounds: int, *, new: bool, macmahon: bool) -> Sequence[str]:
    names = ["Nr", "Last name", "First name", "Country", *(["New"] if new else []), *(["MM"] if macmahon else [])]
    return [*names, *(str(round_ + 1) for round_ in range(rounds)), "Points"]


def _cells(row: ParsedRow, rounds: int, *, new: bool, macmahon: bool) -> list[str | float]:
    texts = ["&"] if row.simultaneous else [cell.token() + cell.mark for cell in row.cells]
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
    ]
