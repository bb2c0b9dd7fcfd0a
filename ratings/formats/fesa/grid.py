"""The American Grid (turnering.txt) that organisers send to FESA, read and written.

Source: FESA's organisers' guide and its rating program's reading of the file.
"""

from __future__ import annotations

import datetime as dt
import re

from ratings.systems.words import Words as _

from .checks import check_games, check_in_order
from .parsed import (
    LINE_AT_MOST,
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
    r"""\s* (?P<number>\d+) \s* (?P<new>N\b)? \s*
        \[(?P<family>[^\[\]]*)\] \s* \[(?P<given>[^\[\]]*)\] (?P<supplement>[^\[\]]*)
        \[(?P<results>[^\[\]]*)\] \s* (?:\[(?P<macmahon>[^\[\]]*)\])? (?P<points>[^\[\]]*) $""",
    re.VERBOSE,
)
BRACKETED = re.compile(r"\[([^\[\]]*)\]")
SIGNS = re.compile(r"[-+=&#]")
BEGINS_WITH_NUMBER = re.compile(r"\s*\d+\b")


def looks_like_grid(data: bytes) -> bool:
    """Whether some line has a player row's number and brackets, or the first line a title's."""
    head = data[:20000].decode("latin-1").lstrip("\ufeffï»¿")
    lines = [line for line in head.splitlines() if line.strip() and not line.startswith(";")]
    short = (line for line in lines if len(line) <= LINE_AT_MOST)
    return bool(lines) and (lines[0].strip().startswith("[") or any(map(ROW.match, short)))


def read_grid(data: bytes, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """The table, None where its head cannot be read, and everything that is wrong with the file.

    `today` is the date from which a closing date lies in the future.
    """
    problems = Problems()
    text = decode(data, problems, latin1=True)
    lines = [(number, line) for number, line in enumerate(text, 1) if line.strip() and not line.startswith(";")]
    if not lines:
        if not problems.fatal:
            problems.error(_("the file is empty"))
        return None, problems
    start = next((i for i, (_, line) in enumerate(lines) if _begins_rows(line)), len(lines))
    table = _head(lines[:start], problems, today)
    rows = _rows(lines[start:], problems)
    if not rows:
        problems.error(_("no player rows: a row looks like 1 [Last][First] FR [2+ 3-] 1"))
    if check_in_order(rows, problems):
        check_games(rows, problems)
    if table is not None:
        table.rows = rows
    return table, problems


def _begins_rows(line: str) -> bool:
    return bool(BEGINS_WITH_NUMBER.match(line) and (ROW.match(line) or (SIGNS.search(line) and "[" in line)))


def _head(lines: list[tuple[int, str]], problems: Problems, today: dt.date) -> ParsedTable | None:
    bracketed = [(number, found[1]) for number, line in lines if (found := BRACKETED.search(line))]
    if not bracketed:
        problems.error(
            _("no name line: the file begins with [Name, City, Country, date]"), lines[0][0] if lines else None
        )
        return None
    title_line, title = bracketed[0]
    if len(bracketed) < 2:
        problems.error(_("no date line: the second line is the last day, as [2026-03-08]"), title_line)
        return None
    date_line, closing = bracketed[1]
    last = read_days(closing.strip())
    if last is None or last[0] != last[1]:
        problems.error(_("“{closing}” is not the last day; write it as [2026-03-08]", closing=closing), date_line)
        return None
    table = _title(title, last[1], problems, title_line)
    if last[1] > today:
        problems.error(_("the last day {last} is in the future", last=last[1]), date_line)
    if not table.first_day <= last[1] <= table.last_day:
        problems.warn(
            _(
                "the last day {last} is not inside {first_day} to {last_day} of the name line",
                last=last[1],
                first_day=table.first_day,
                last_day=table.last_day,
            ),
            date_line,
        )
        table.first_day = min(table.first_day, last[1])
    table.last_day = last[1]
    _time_control(table, lines, bracketed[2:], problems)
    return table


def _time_control(
    table: ParsedTable, lines: list[tuple[int, str]], rest: list[tuple[int, str]], problems: Problems
) -> None:
    given = next((text for _, text in rest if text.lower().startswith("time control")), None)
    if given is None:
        problems.warn(_("no time control given; write [Time control: 30min + 30sec]"), lines[-1][0])
        return
    table.time_control = given.partition(":")[2].strip()
    figures = [int(figure) for figure in re.findall(r"\d+", table.time_control)]
    minutes, seconds = [*figures, 0, 0][:2]
    if not ((minutes >= 30 and seconds >= 30) or (minutes >= 20 and seconds >= 40)):
        problems.warn(_("the time control is below 30min + 30sec and 20min + 40sec"), lines[-1][0])


def _title(title: str, last: dt.date, problems: Problems, line: int) -> ParsedTable:
    """`Name, City, Country, date or range`; the name may hold commas itself."""
    parts = [part.strip() for part in title.split(",")]
    days = read_days(parts[-1]) if len(parts) > 1 else None
    if days is None:
        problems.warn(_("the name line has no date; write [Name, City, Country, 2026-03-07 to 2026-03-08]"), line)
        days = (last, last)
    else:
        parts = parts[:-1]
    country = parts.pop() if len(parts) > 2 else ""
    place = parts.pop() if len(parts) > 1 else ""
    name = ", ".join(parts)
    if not name:
        problems.error(_("the name line is empty: [Name, City, Country, date]"), line)
    return ParsedTable(name, days[0], days[1], [], place, country)


def _rows(lines: list[tuple[int, str]], problems: Problems) -> list[ParsedRow]:
    rows: list[ParsedRow] = []
    ended = False
    for number, line in lines:
        is_row = bool(BEGINS_WITH_NUMBER.match(line)) and "[" in line
        if not is_row:
            problems.warn(_("text after the table was left out: “{line}”", line=line.strip()[:40]), number)
            ended = True
        elif ended:
            problems.error(_("a player row after the end of the table; move it up or delete the text between"), number)
        else:
            rows.append(_row(number, line, problems))
    return rows


def _row(number: int, line: str, problems: Problems) -> ParsedRow:
    found = ROW.match(line)
    printed = BEGINS_WITH_NUMBER.match(line)
    assert printed
    if found is None:
        problems.error(
            _("the brackets do not add up: place [Last][First] nationality [results] [MacMahon] points"), number,
            int(printed[0]),
        )  # fmt: skip
        return ParsedRow(int(printed[0]), number, "?", "", broken=True)
    row = ParsedRow(int(found["number"]), number, found["family"].strip(), found["given"].strip())
    if not row.family:
        problems.error(_("the last name is missing"), number, row.number)
    row.new = bool(found["new"])
    row.country = _nationality(found["supplement"], row, problems)
    row.simultaneous = found["results"].strip() == "&"
    if not row.simultaneous:
        row.cells = read_tokens(found["results"], problems, number, row.number)
    row.macmahon = _figure(found["macmahon"], _("MacMahon points"), row, problems)
    row.points = _figure(found["points"], _("points"), row, problems)
    return row


def _figure(text: str | None, what: str, row: ParsedRow, problems: Problems) -> float | None:
    if text is None or not text.strip():
        return None
    value = read_points(text)
    if value is None:
        level = problems.error if what == "MacMahon points" else problems.warn
        level(_("{what} “{text}” cannot be read as a number", what=what, text=text.strip()[:20]), row.line, row.number)
    elif what == "MacMahon points" and value * 2 != int(value * 2):
        problems.error(
            _("MacMahon points “{text}”: whole or half points", text=text.strip()[:20]), row.line, row.number
        )
    return value


def _nationality(supplement: str, row: ParsedRow, problems: Problems) -> str:
    words = supplement.split()
    code = next((word for word in words if re.fullmatch(r"[A-Za-z]{2,3}", word)), "")
    if not code and row.new:
        problems.warn(_("a new player needs a nationality of two letters"), row.line, row.number)
    if code != code.upper():
        problems.warn(_("nationality “{code}” in lower case", code=code), row.line, row.number)
    return code.upper()


def write_grid(table: ParsedTable) -> str:
    """The grid of a table, as the guide has it, with a line end after every line."""
    span = f"{table.first_day}" if table.first_day == table.last_day else f"{table.first_day} to {table.last_day}"
    places = (table.place, table.country)
    # a name with commas keeps them only where place and country stand behind it, even if they are empty
    title = ", ".join((table.name, *(part for part in places if part or "," in table.name), span))
    with_macmahon = any(row.macmahon is not None for row in table.rows)
    lines = [f"[{title}]", f"[{table.last_day}]"]
    if table.time_control:
        lines.append(f"[Time control: {table.time_control}]")
    titles = [str(round_ + 1) for round_ in range(table.rounds)]
    lines.append(" ".join(["Nr Name Nat", *titles, *(["MM"] if with_macmahon else []), "Pts"]))
    lines += [_row_text(row) for row in table.rows]
    return "\n".join(lines) + "\n"


def _row_text(row: ParsedRow) -> str:
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
