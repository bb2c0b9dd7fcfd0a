"""Reader and writer of the result table that FESA publishes as fixed-width text.

Column widths are those of the published tables: Nr 2 right, family and given names as wide as the longest of each,
nationality 3, grade 2 + 1 + 3, rating 4 and * or space, cells of 3 (8 where the table has handicaps), MMS, Pts, +/-.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter

from ratings.formats.checks import check_games, check_numbers
from ratings.formats.event_head import Head
from ratings.formats.parsed import (
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
from ratings.formats.problems import FileProblem
from ratings.formats.tokens import read_tokens

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


def looks_like_published(data: bytes) -> bool:
    """Return True if the file has the header or the rows of a published table."""
    lines = [line for line in data[:20000].decode("latin-1").splitlines() if len(line) <= LINE_AT_MOST]
    return any(re.match(r"\s*Nr\s+Name\b.*\bELO\b", line) for line in lines) or any(map(ROW.match, lines[1:]))


def read_published(data: bytes, today: dt.date, event: Head | None = None) -> tuple[ParsedTable | None, Problems]:
    """Return the table, None if there is none, and all problems of the file.

    If the title has no date, the table has the name and days of `event`; without `event` there is no table.
    """
    problems = Problems()
    lines = [(number, line.rstrip()) for number, line in enumerate(decode(data, problems), 1) if line.strip()]
    if not lines:
        return None, problems
    table = _read_title(*lines[0], problems)
    if table is None and event is not None and event.first_day is not None:
        table = ParsedTable(event.name, event.first_day, event.last_day or event.first_day, [], published=True)
    elif table:
        _check_title(table, today, lines[0][0], problems)
    rows, broken, promotions = _read_lines(lines[1:], problems)
    _split_names(rows, problems)
    parsed_rows = [row for row, _ in rows]
    if not parsed_rows:
        problems.error(FileProblem.NO_PLAYER_ROWS())
    _set_promotions(promotions, parsed_rows, problems)
    if parsed_rows:
        parsed_rows = sorted([*parsed_rows, *broken], key=lambda row: row.number)
    if check_numbers(parsed_rows, problems):
        check_games(parsed_rows, problems)
    if table:
        table.rows = parsed_rows
    return table, problems


Promotions = list[tuple[int, re.Match[str]]]


def _read_lines(
    lines: list[tuple[int, str]], problems: Problems
) -> tuple[list[tuple[ParsedRow, str]], list[ParsedRow], Promotions]:
    """Return the rows with their unsplit names, the rows that cannot be read, and the promotions."""
    header = next((line for _, line in lines if line.lstrip().startswith("Nr ")), "")
    rows, broken, promotions = [], [], []
    for number, line in lines:
        if line.lstrip().startswith("Nr "):
            continue
        if promotion := PROMOTION.match(line.strip()):
            promotions.append((number, promotion))
        elif parsed := _read_row(number, line, "MMS" in header.split(), problems):
            rows.append(parsed)
        elif printed := re.match(r"\s*\d+", line):
            broken.append(ParsedRow(int(printed[0]), number, "?", "", broken=True, texts={"row": line.strip()}))
    return rows, broken, promotions


def _read_title(line: int, text: str, problems: Problems) -> ParsedTable | None:
    """Return a table with the data of its title, None if the title has no date.

    The title is `Name : 2024-04-20/21` or, as in the grid, `Name, City, Country, date or range`.
    """
    name, colon, days_text = text.rpartition(" : ")
    parts = [part.strip() for part in text.split(",")]
    days = read_days((days_text if colon else parts[-1]).strip())
    if days is None:
        problems.error(FileProblem.TITLE_WITHOUT_DATE(), line)
        return None
    if colon:
        return ParsedTable(name.strip(), days[0], days[1], [], published=True)
    parts = parts[:-1]
    country = parts.pop() if len(parts) > 2 else ""
    place = parts.pop() if len(parts) > 1 else ""
    return ParsedTable(", ".join(parts), days[0], days[1], [], place, country, published=True)


def _check_title(table: ParsedTable, today: dt.date, line: int, problems: Problems) -> None:
    if not table.name:
        problems.error(FileProblem.TITLE_WITHOUT_NAME(), line)
    if table.last_day > today:
        problems.error(FileProblem.LAST_DAY_IN_FUTURE(last_day=table.last_day), line)
    if table.last_day < table.first_day:
        problems.error(FileProblem.LAST_DAY_BEFORE_FIRST(end=table.last_day, start=table.first_day), line)
        table.first_day = table.last_day


def _read_row(line: int, text: str, with_macmahon: bool, problems: Problems) -> tuple[ParsedRow, str] | None:
    match = ROW.match(text)
    if match is None:
        problems.error(FileProblem.NOT_A_PUBLISHED_ROW(text=text.strip()[:50]), line)
        return None
    row = ParsedRow(int(match["number"]), line, "", "", match["country"].upper())
    if row.country != match["country"]:
        problems.warn(FileProblem.COUNTRY_LOWER_CASE(code=match["country"]), line, row.number)
    row.grade = f"{match['grade']} {match['unit']}" if match["grade"] else None
    row.rating, row.starred = int(match["rating"]), bool(match["star"])
    row.cells = read_tokens(match["cells"], problems, line, row.number)
    rest = match["rest"].split()
    if with_macmahon and rest:
        row.macmahon = read_points(rest.pop(0))
    row.points = read_points(rest.pop(0)) if rest else None
    if rest and re.fullmatch(r"[-+]?\d+", rest[0]):
        row.change = int(rest.pop(0))
    if rest or row.points is None or (row.change is None) != row.starred:
        problems.error(FileProblem.PUBLISHED_ROW_END(), line, row.number)
    # the names begin after the number and one space; the number's width varies
    return row, text[match.start("names") : match.start("country")]


def _split_names(rows: list[tuple[ParsedRow, str]], problems: Problems) -> None:
    """Split the names of the rows into family and given names.

    The column of family names is as wide as the longest one, so the names are split where most given names begin.
    """
    starts: Counter[int] = Counter()
    for _parsed_row, names in rows:
        starts.update(i for i in range(1, len(names)) if names[i - 1] == " " and names[i] != " ")
    column = max(starts, key=lambda start: (starts[start], -start), default=0)
    for row, names in rows:
        row.family, row.given = names[:column].strip() or names.strip(), names[column:].strip()
        if column and names[column - 1 : column] not in ("", " "):
            row.family, row.given = names.strip(), ""
        if not row.family:
            problems.error(FileProblem.LAST_NAME_MISSING(), row.line, row.number)


def _set_promotions(promotions: Promotions, rows: list[ParsedRow], problems: Problems) -> None:
    by_name: dict[str, list[ParsedRow]] = {}
    for row in rows:
        by_name.setdefault(row.name, []).append(row)
    for line, promotion in promotions:
        rows_with_name = by_name.get(" ".join(promotion["name"].split()), [])
        if len(rows_with_name) != 1:
            unknown = FileProblem.PROMOTED_UNKNOWN(name=promotion["name"])
            ambiguous = FileProblem.PROMOTED_AMBIGUOUS(name=promotion["name"])
            problems.error(ambiguous if rows_with_name else unknown, line)
            continue
        rows_with_name[0].promoted = f"{int(promotion['number'])} {promotion['unit']}"


def write_published(table: ParsedTable) -> str:
    """Return the published text of a table: title, header, rows, and the promotions after a blank line."""
    family = max((len(row.family) for row in table.rows), default=0)
    given = max((len(row.given) for row in table.rows), default=0)
    handicaps = any(cell.handicap for row in table.rows for cell in row.cells)
    macmahon = any(row.macmahon for row in table.rows)
    titles = "".join(f"{number:>3} " + " " * (5 if handicaps else 0) for number in range(1, table.rounds + 1))
    head = f"{'Nr Name':<{family + given + 5}}Nat  Grade  ELO  {titles}{'MMS' if macmahon else ''} Pts   +/-"
    lines = [f"{table.name} : {days_text(table.first_day, table.last_day)}", head]
    lines += [_format_row(row, family, given, handicaps, macmahon) for row in table.rows]
    promoted = [f"Promoting {row.name} to {row.promoted}" for row in table.rows if row.promoted]
    if promoted:
        lines += ["", *promoted]
    return "\n".join(lines) + "\n"


def days_text(first: dt.date, last: dt.date) -> str:
    """Return the days of an event as text, with as much of the last day as differs, such as `2024-04-20/21`."""
    if first == last:
        return f"{first}"
    end = f"{last}"
    same = 8 if end[:8] == f"{first}"[:8] else 5 if end[:5] == f"{first}"[:5] else 0
    return f"{first}/{end[same:]}"


def _format_row(row: ParsedRow, family: int, given: int, handicaps: bool, macmahon: bool) -> str:
    number, _, unit = (row.grade or "").partition(" ")
    cells = "".join(_format_cell(cell, handicaps) for cell in row.cells)
    rating = "" if row.rating is None else str(row.rating)
    counted = (row.macmahon or 0) + sum(cell.points for cell in row.cells)
    mms = f"{points_text(row.macmahon or 0):>2}" if macmahon else ""
    change = "" if row.change is None else f"{row.change:+}"
    return (
        f"{row.number:>2} {row.family:<{family}} {row.given:<{given}} {row.country:<3} {number:>2} {unit:<3}"
        f"  {rating:>4}{'*' if row.starred else ' '} {cells}{mms} {points_text(counted):>2}  {change:>4}"
    ).rstrip() + ("  " if row.starred else "")


def _format_cell(cell: Cell, handicaps: bool) -> str:
    mark = ""
    if handicaps:
        mark = f"({'-' if cell.gave else '+'}{cell.handicap:<2})" if cell.handicap else " " * 5
    return f"{cell.token():>3}{mark} "
