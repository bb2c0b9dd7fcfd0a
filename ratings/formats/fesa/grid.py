"""Reader and writer of the American Grid (turnering.txt), which organisers send to FESA.

Source: FESA's organisers' guide, and the way in which its rating program reads the file.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import Literal

from ratings.formats.checks import check_games, check_in_order
from ratings.formats.event_head import Head
from ratings.formats.parsed import (
    LINE_AT_MOST,
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
    r"""\s* (?P<number>\d+) \s* (?P<new>N\b)? \s*
        \[(?P<family>[^\[\]]*)\] \s* \[(?P<given>[^\[\]]*)\] (?P<supplement>[^\[\]]*)
        \[(?P<results>[^\[\]]*)\] \s* (?:\[(?P<macmahon>[^\[\]]*)\])? (?P<points>[^\[\]]*) $""",
    re.VERBOSE,
)
BRACKETED = re.compile(r"\[([^\[\]]*)\]")
SIGNS = re.compile(r"[-+=&#]")
BEGINS_WITH_NUMBER = re.compile(r"\s*\d+\b")


def looks_like_grid(data: bytes) -> bool:
    """Return True if a line has the number and brackets of a player's row, or the first line begins with a bracket."""
    head = data[:20000].decode("latin-1").lstrip("\ufeffï»¿")
    lines = [line for line in head.splitlines() if line.strip() and not line.startswith(";")]
    short = (line for line in lines if len(line) <= LINE_AT_MOST)
    return bool(lines) and (lines[0].strip().startswith("[") or any(map(ROW.match, short)))


def read_grid(data: bytes, today: dt.date, event: Head | None = None) -> tuple[ParsedTable | None, Problems]:
    """Return the table, None if there is none, and all problems of the file.

    A last day after `today` is an error. If the head of the file cannot be read, the table has the name and days of
    `event`; without `event` there is no table.
    """
    problems = Problems()
    text = decode(data, problems, latin1=True)
    lines = [(number, line) for number, line in enumerate(text, 1) if line.strip() and not line.startswith(";")]
    if not lines:
        if not problems.fatal:
            problems.error(FileProblem.FILE_EMPTY())
        return None, problems
    start = next((i for i, (_, line) in enumerate(lines) if _begins_rows(line)), len(lines))
    table = _read_head(lines[:start], problems, today) or _build_event_table(event)
    rows = _read_rows(lines[start:], problems)
    if not rows:
        problems.error(FileProblem.NO_GRID_ROWS())
    if check_in_order(rows, problems):
        check_games(rows, problems)
    if table is not None:
        table.rows = rows
    return table, problems


def _build_event_table(event: Head | None) -> ParsedTable | None:
    if event is None or event.first_day is None:
        return None
    return ParsedTable(event.name, event.first_day, event.last_day or event.first_day, [])


def _begins_rows(line: str) -> bool:
    return bool(BEGINS_WITH_NUMBER.match(line) and (ROW.match(line) or (SIGNS.search(line) and "[" in line)))


def _read_head(lines: list[tuple[int, str]], problems: Problems, today: dt.date) -> ParsedTable | None:
    bracketed = [(number, match[1]) for number, line in lines if (match := BRACKETED.search(line))]
    if not bracketed:
        problems.error(FileProblem.NO_NAME_LINE(), lines[0][0] if lines else None)
        return None
    title_line, title = bracketed[0]
    if len(bracketed) < 2:
        problems.error(FileProblem.NO_DATE_LINE(), title_line)
        return None
    date_line, closing = bracketed[1]
    last = read_days(closing.strip())
    if last is None or last[0] != last[1]:
        problems.error(FileProblem.NOT_LAST_DAY(closing=closing), date_line)
        problems.texts["last_day"] = closing.strip()
        return None
    table = _read_title(title, last[1], problems, title_line)
    if last[1] > today:
        problems.error(FileProblem.LAST_DAY_IN_FUTURE(last_day=last[1]), date_line)
    if not table.first_day <= last[1] <= table.last_day:
        problems.warn(
            FileProblem.LAST_DAY_OUTSIDE(last=last[1], first_day=table.first_day, last_day=table.last_day), date_line
        )
        table.first_day = min(table.first_day, last[1])
    table.last_day = last[1]
    _read_time_control(table, lines, bracketed[2:], problems)
    return table


def _read_time_control(
    table: ParsedTable, lines: list[tuple[int, str]], rest: list[tuple[int, str]], problems: Problems
) -> None:
    control_text = next((text for _, text in rest if text.lower().startswith("time control")), None)
    if control_text is None:
        problems.warn(FileProblem.NO_TIME_CONTROL(), lines[-1][0])
        return
    table.time_control = control_text.partition(":")[2].strip()
    figures = [int(figure) for figure in re.findall(r"\d+", table.time_control)]
    minutes, seconds = [*figures, 0, 0][:2]
    if not ((minutes >= 30 and seconds >= 30) or (minutes >= 20 and seconds >= 40)):
        problems.warn(FileProblem.TIME_CONTROL_SHORT(), lines[-1][0])


def _read_title(title: str, last: dt.date, problems: Problems, line: int) -> ParsedTable:
    """Return a table with the data of its title, `Name, City, Country, date or range`.

    The name may contain commas.
    """
    parts = [part.strip() for part in title.split(",")]
    days = read_days(parts[-1]) if len(parts) > 1 else None
    if days is None:
        problems.warn(FileProblem.NAME_LINE_WITHOUT_DATE(), line)
        days = (last, last)
    else:
        parts = parts[:-1]
    country = parts.pop() if len(parts) > 2 else ""
    place = parts.pop() if len(parts) > 1 else ""
    name = ", ".join(parts)
    if not name:
        problems.error(FileProblem.NAME_LINE_EMPTY(), line)
    return ParsedTable(name, days[0], days[1], [], place, country)


def _read_rows(lines: list[tuple[int, str]], problems: Problems) -> list[ParsedRow]:
    rows: list[ParsedRow] = []
    ended = False
    for number, line in lines:
        is_row = bool(BEGINS_WITH_NUMBER.match(line)) and "[" in line
        if not is_row:
            problems.warn(FileProblem.TEXT_AFTER_TABLE(line=line.strip()[:40]), number)
            ended = True
            continue
        if ended:
            problems.error(FileProblem.ROW_AFTER_END(), number)
        rows.append(_read_row(number, line, problems))
    return rows


def _read_row(number: int, line: str, problems: Problems) -> ParsedRow:
    match = ROW.match(line)
    row_number = BEGINS_WITH_NUMBER.match(line)
    assert row_number
    if match is None:
        problems.error(
            FileProblem.BRACKETS(),
            number,
            int(row_number[0]),
        )
        return ParsedRow(int(row_number[0]), number, "?", "", broken=True, texts={"row": line.strip()})
    row = ParsedRow(int(match["number"]), number, match["family"].strip(), match["given"].strip())
    if not row.family:
        problems.error(FileProblem.LAST_NAME_MISSING(), number, row.number)
    row.new = bool(match["new"])
    row.country = _read_nationality(match["supplement"], row, problems)
    row.simultaneous = match["results"].strip() == "&"
    if not row.simultaneous:
        row.cells = read_tokens(match["results"], problems, number, row.number)
    row.macmahon = _read_points_field(match["macmahon"], "macmahon", row, problems)
    row.points = _read_points_field(match["points"], "points", row, problems)
    return row


def _read_points_field(
    text: str | None, field: Literal["macmahon", "points"], row: ParsedRow, problems: Problems
) -> float | None:
    if text is None or not text.strip():
        return None
    value = read_points(text)
    if value is None:
        is_macmahon = field == "macmahon"
        what = FileProblem.MACMAHON_POINTS() if is_macmahon else FileProblem.POINTS()
        level = problems.error if is_macmahon else problems.warn
        level(FileProblem.NOT_A_NUMBER(what=what, text=text.strip()[:20]), row.line, row.number)
        row.texts[field] = text.strip()
    elif field == "macmahon" and value * 2 != int(value * 2):
        problems.error(FileProblem.MACMAHON_NOT_HALF_POINTS(text=text.strip()[:20]), row.line, row.number)
    return value


def _read_nationality(supplement: str, row: ParsedRow, problems: Problems) -> str:
    parts = supplement.split()
    code = next((part for part in parts if re.fullmatch(r"[A-Za-z]{2,3}", part)), "")
    if not code and row.new:
        problems.warn(FileProblem.COUNTRY_MISSING(), row.line, row.number)
    if code != code.upper():
        problems.warn(FileProblem.COUNTRY_LOWER_CASE(code=code), row.line, row.number)
    return code.upper()


def write_grid(table: ParsedTable) -> str:
    """Return the grid of a table, as in the guide, with a line end after every line."""
    span = f"{table.first_day}" if table.first_day == table.last_day else f"{table.first_day} to {table.last_day}"
    places = (table.place, table.country)
    # a name with commas is read correctly only if place and country follow it, even if they are empty
    title = ", ".join((table.name, *(part for part in places if part or "," in table.name), span))
    with_macmahon = any(row.macmahon is not None for row in table.rows)
    lines = [f"[{title}]", f"[{table.last_day}]"]
    if table.time_control:
        lines.append(f"[Time control: {table.time_control}]")
    titles = [str(round_ + 1) for round_ in range(table.rounds)]
    lines.append(" ".join(["Nr Name Nat", *titles, *(["MM"] if with_macmahon else []), "Pts"]))
    lines += [_format_row(row) for row in table.rows]
    return "\n".join(lines) + "\n"


def _format_row(row: ParsedRow) -> str:
    results = "&" if row.simultaneous else " ".join(cell.token() + cell.mark for cell in row.cells)
    counted = (row.macmahon or 0) + sum(cell.points for cell in row.cells)
    parts = [
        str(row.number),
        "N" if row.new else "",
        f"[{row.family}] [{row.given}]",
        row.country,
        f"[{results}]",
        "" if row.macmahon is None else f"[{points_text(row.macmahon)}]",
        points_text(counted),
    ]
    return " ".join(part for part in parts if part)
