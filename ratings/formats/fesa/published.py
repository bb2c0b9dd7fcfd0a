"""The result table that FESA publishes, as fixed-width text, read and written.

Column widths are those of the published tables: Nr 2 right, family and given names as wide as the longest of each,
nationality 3, grade 2 + 1 + 3, rating 4 and * or space, cells of 3 (8 where the table has handicaps), MMS, Pts, +/-.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter

from ratings.systems.words import Words as _

from .checks import check_games, check_numbers
from .parsed import (
    LINE_AT_MOST,
    Cell,
    ParsedRow,
    ParsedTable,
    Problems,
    decode,
    points_text,
    read_days,
    read_points,
)
from .tokens import read_tokens

ROW = re.compile(
    r"""(?P<head>\s*(?P<number>\d+)\s(?P<names>.*?)\s+)
        (?P<country>[A-Za-z]{2,3})\s+
        (?:(?P<grade>\d+)\s(?P<unit>Dan|Kyu)\s+)?
        (?P<rating>\d{1,4})(?P<star>\*?)\s+
        (?P<cells>(?:\d+[-+=\#][\^v]?\s*(?:\([^)]*\)\s*)?)+)
        (?P<rest>.*) $""",
    re.VERBOSE,
)
PROMOTION = re.compile(r"Promoting (?P<name>.+) to (?P<number>\d+) (?P<unit>Dan|Kyu)$")


def looks_published(data: bytes) -> bool:
    """Whether the file has the header of a published table, or rows in its form."""
    lines = [line for line in data[:20000].decode("latin-1").splitlines() if len(line) <= LINE_AT_MOST]
    return any(re.match(r"\s*Nr\s+Name\b.*\bELO\b", line) for line in lines) or any(map(ROW.match, lines[1:]))


def read_published(data: bytes, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """The table, None where its title has no date, and everything that is wrong with the file."""
    problems = Problems()
    lines = [(number, line.rstrip()) for number, line in enumerate(decode(data, problems), 1) if line.strip()]
    if not lines:
        return None, problems
    table = _title(*lines[0], problems)
    if table:
        _check_title(table, today, lines[0][0], problems)
    rows, broken, promotions = _lines(lines[1:], problems)
    _split_names(rows, problems)
    parsed_rows = [row for row, _ in rows]
    if not parsed_rows:
        problems.error(_("no player rows"))
    _promote(promotions, parsed_rows, problems)
    if check_numbers(parsed_rows, problems):
        check_games([*parsed_rows, *broken], problems)
    if table:
        table.rows = parsed_rows
    return table, problems


Promotions = list[tuple[int, re.Match[str]]]


def _lines(
    lines: list[tuple[int, str]], problems: Problems
) -> tuple[list[tuple[ParsedRow, str]], list[ParsedRow], Promotions]:
    """Rows with their unsplit names, rows that cannot be read, and promotions."""
    header = next((line for _, line in lines if line.lstrip().startswith("Nr ")), "")
    rows, broken, promotions = [], [], []
    for number, line in lines:
        if line.lstrip().startswith("Nr "):
            continue
        if found := PROMOTION.match(line.strip()):
            promotions.append((number, found))
        elif parsed := _row(number, line, "MMS" in header.split(), problems):
            rows.append(parsed)
        elif printed := re.match(r"\s*\d+", line):
            broken.append(ParsedRow(int(printed[0]), number, "?", "", broken=True))
    return rows, broken, promotions


def _title(line: int, text: str, problems: Problems) -> ParsedTable | None:
    """`Name : 2024-04-20/21`, or the grid's `Name, City, Country, date or range`."""
    name, colon, days_text = text.rpartition(" : ")
    parts = [part.strip() for part in text.split(",")]
    days = read_days((days_text if colon else parts[-1]).strip())
    if days is None:
        problems.error(_("the title has no date; it ends in “ : 2024-04-20/21” or “, 2024-04-20 to 2024-04-21”"), line)
        return None
    if colon:
        return ParsedTable(name.strip(), days[0], days[1], [], published=True)
    parts = parts[:-1]
    country = parts.pop() if len(parts) > 2 else ""
    place = parts.pop() if len(parts) > 1 else ""
    return ParsedTable(", ".join(parts), days[0], days[1], [], place, country, published=True)


def _check_title(table: ParsedTable, today: dt.date, line: int, problems: Problems) -> None:
    if not table.name:
        problems.error(_("the title has no name; it begins with the event's"), line)
    if table.last_day > today:
        problems.error(_("the last day {last_day} is in the future", last_day=table.last_day), line)
    if table.last_day < table.first_day:
        problems.error(
            _(
                "the last day {last_day} is before the first, {first_day}",
                last_day=table.last_day,
                first_day=table.first_day,
            ),
            line,
        )
        table.first_day = table.last_day


def _row(line: int, text: str, with_macmahon: bool, problems: Problems) -> tuple[ParsedRow, str] | None:
    found = ROW.match(text)
    if found is None:
        problems.error(_("not a row of a published table: “{text}”", text=text.strip()[:50]), line)
        return None
    row = ParsedRow(int(found["number"]), line, "", "", found["country"].upper())
    if row.country != found["country"]:
        problems.warn(_("nationality “{country}” in lower case", country=found["country"]), line, row.number)
    row.grade = f"{found['grade']} {found['unit']}" if found["grade"] else None
    row.rating, row.starred = int(found["rating"]), bool(found["star"])
    row.cells = read_tokens(found["cells"], problems, line, row.number)
    rest = found["rest"].split()
    if with_macmahon and rest:
        row.macmahon = read_points(rest.pop(0))
    row.points = read_points(rest.pop(0)) if rest else None
    if rest and re.fullmatch(r"[-+]?\d+", rest[0]):
        row.change = int(rest.pop(0))
    if rest or row.points is None or (row.change is None) != row.starred:
        problems.error(_("after the results come MMS (if any), Pts and +/-; a row with * has no +/-"), line, row.number)
    # names begin behind the number and one space: keep the line from there, however wide the number was
    return row, text[found.start("names") : found.start("country")]


def _split_names(rows: list[tuple[ParsedRow, str]], problems: Problems) -> None:
    """Family names fill a column as wide as the longest: the given names' most frequent start divides the two."""
    starts: Counter[int] = Counter()
    for _row, names in rows:
        starts.update(i for i in range(1, len(names)) if names[i - 1] == " " and names[i] != " ")
    column = max(starts, key=lambda start: (starts[start], -start), default=0)
    for row, names in rows:
        row.family, row.given = names[:column].strip() or names.strip(), names[column:].strip()
        if column and names[column - 1 : column] not in ("", " "):
            row.family, row.given = names.strip(), ""
        if not row.family:
            problems.error(_("the last name is missing"), row.line, row.number)


def _promote(promotions: Promotions, rows: list[ParsedRow], problems: Problems) -> None:
    by_name: dict[str, list[ParsedRow]] = {}
    for row in rows:
        by_name.setdefault(row.name, []).append(row)
    for line, found in promotions:
        named = by_name.get(" ".join(found["name"].split()), [])
        if len(named) != 1:
            none = _("Promoting {name}: this name stands in no row of the table", name=found["name"])
            told = _("Promoting {name}: this name stands in several rows of the table", name=found["name"])
            problems.error(told if named else none, line)
            continue
        named[0].promoted = f"{int(found['number'])} {found['unit']}"


def write_published(table: ParsedTable) -> str:
    """The published text of a table: title, header, rows, and the promotions behind a blank line."""
    family = max((len(row.family) for row in table.rows), default=0)
    given = max((len(row.given) for row in table.rows), default=0)
    handicaps = any(cell.handicap for row in table.rows for cell in row.cells)
    macmahon = any(row.macmahon for row in table.rows)
    titles = "".join(f"{number:>3} " + " " * (5 if handicaps else 0) for number in range(1, table.rounds + 1))
    head = f"{'Nr Name':<{family + given + 5}}Nat  Grade  ELO  {titles}{'MMS' if macmahon else ''} Pts   +/-"
    lines = [f"{table.name} : {days_text(table.first_day, table.last_day)}", head]
    lines += [_row_text(row, family, given, handicaps, macmahon) for row in table.rows]
    promoted = [f"Promoting {row.name} to {row.promoted}" for row in table.rows if row.promoted]
    if promoted:
        lines += ["", *promoted]
    return "\n".join(lines) + "\n"


def days_text(first: dt.date, last: dt.date) -> str:
    """`2024-04-20/21` where year and month are the same, else with as much of the last day as differs."""
    if first == last:
        return f"{first}"
    end = f"{last}"
    same = 8 if end[:8] == f"{first}"[:8] else 5 if end[:5] == f"{first}"[:5] else 0
    return f"{first}/{end[same:]}"


def _row_text(row: ParsedRow, family: int, given: int, handicaps: bool, macmahon: bool) -> str:
    number, _, unit = (row.grade or "").partition(" ")
    cells = "".join(_cell_text(cell, handicaps) for cell in row.cells)
    own = "" if row.rating is None else str(row.rating)
    counted = (row.macmahon or 0) + sum(cell.points for cell in row.cells)
    mms = f"{points_text(row.macmahon or 0):>2}" if macmahon else ""
    change = "" if row.change is None else f"{row.change:+}"
    return (
        f"{row.number:>2} {row.family:<{family}} {row.given:<{given}} {row.country:<3} {number:>2} {unit:<3}"
        f"  {own:>4}{'*' if row.starred else ' '} {cells}{mms} {points_text(counted):>2}  {change:>4}"
    ).rstrip() + ("  " if row.starred else "")


def _cell_text(cell: Cell, handicaps: bool) -> str:
    mark = ""
    if handicaps:
        mark = f"({'-' if cell.gave else '+'}{cell.handicap:<2})" if cell.handicap else " " * 5
    return f"{cell.token():>3}{mark} "
