"""Reader and writer of the wall list of the European Go Federation (.h9).

Source: the federation's description of its files; a row is place, last name, first name, grade, country, club, scores,
and one result per round.
"""

from __future__ import annotations

import datetime as dt
import re

from ratings.formats.checks import check_games, check_numbers, copy_colours
from ratings.formats.event_head import Head, HeadText, read_event_days
from ratings.formats.parsed import LINE_AT_MOST, ParsedRow, ParsedTable, Problems, decode
from ratings.formats.problems import FileProblem

from .rows import COUNTRY_ALIASES, ROW, read_row, row_text, set_points, split_row, strip_pin

HEADER = re.compile(r"\b(?P<key>[A-Z]{2})\[(?P<text>[^\]]*)\]")
HEADER_LINE = re.compile(r"\s*;\s*(TC|CL|EV|PC|DT|HA|KM|TM|CM)\[")
EVEN_GAMES_POLICY = "h9"


def looks_like_h9(data: bytes) -> bool:
    """Return True if a line is a header or a player's: place, names, a grade as 5d or 10k, a country, results."""
    lines = [line for line in data[:20000].decode("latin-1").splitlines() if len(line) <= LINE_AT_MOST]
    return any(HEADER_LINE.match(line) or ROW.match(line) for line in lines)


def read_h9(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """Return the table, None if the file has no text, and all problems of the file.

    A file without name or days gets the event's (`head`). Pins, clubs and scores other than the points are ignored.
    """
    problems = Problems()
    lines = decode(data, problems)
    if not lines:
        return None, problems
    headers: dict[str, HeadText] = {}
    divided = []
    for number, line in enumerate(lines, 1):
        text, _semicolon, comment = line.partition(";")
        for header in HEADER.finditer(comment):
            headers.setdefault(header["key"], HeadText(header["text"].strip(), number))
        text = strip_pin(text)
        if text.strip() and (parts := split_row(number, text, problems)):
            divided.append(parts)
    scores = _most_frequent([parts.leading_numbers for parts in divided if not parts.row.broken])
    figures = {id(parts.row): read_row(parts, scores, problems) for parts in divided}
    rows = [parts.row for parts in divided]
    set_points(rows, [figures[id(row)] for row in rows])
    if not rows:
        problems.error(FileProblem.NO_H9_ROWS())
    if check_numbers(rows, problems):
        copy_colours(rows, problems)
        check_games(rows, problems)
    table = _build_table(
        {key: head_text for key, head_text in headers.items() if head_text.text}, rows, head, today, problems
    )
    return table, problems


def _most_frequent(counts: list[int]) -> int:
    """Return the most frequent count, which is the number of score columns of the file.

    A row with fewer or more has a score that looks like a result.
    """
    return max(sorted(set(counts)), key=counts.count, default=0)


def _build_table(
    headers: dict[str, HeadText], rows: list[ParsedRow], head: Head, today: dt.date, problems: Problems
) -> ParsedTable:
    texts = {key: head_text.text for key, head_text in headers.items()}
    first = last = headers.get("DT")
    if first and "," in first.text:
        start, _comma, end = first.text.partition(",")
        first, last = HeadText(start, first.line), HeadText(end, first.line)
    days = read_event_days(first, last, head, today, problems)
    country, _comma, place = (part.strip() for part in texts.get("PC", "").partition(","))
    if country and not re.fullmatch(r"[A-Za-z]{2}", country):
        problems.warn(FileProblem.NO_COUNTRY_IN_PC(pc=texts["PC"][:40]), headers["PC"].line)
        country, place = "", place or country
    _check_policy(headers.get("HA"), rows, problems)
    minutes = texts.get("TM", "")
    if minutes and not re.fullmatch(r"\d+", minutes, re.ASCII):
        problems.warn(FileProblem.NO_MINUTES_IN_TM(minutes=minutes[:40]), headers["TM"].line)
    control = f"{minutes} minutes" if minutes.isdecimal() else minutes
    country = COUNTRY_ALIASES.get(country.upper(), country.upper())
    return ParsedTable(texts.get("EV", head.name), *days, rows, place, country, control)


def _check_policy(policy: HeadText | None, rows: list[ParsedRow], problems: Problems) -> None:
    """Add a warning if the handicap policy (HA) does not match the stones in the results.

    Stones are read from the results only.
    """
    stones = any(cell.stones for row in rows for cell in row.cells)
    if policy and policy.text.lower() == EVEN_GAMES_POLICY and stones:
        problems.warn(FileProblem.EVEN_GAMES_WITH_STONES(), policy.line)
    elif policy and policy.text.lower() != EVEN_GAMES_POLICY and not stones:
        problems.warn(FileProblem.HANDICAP_WITHOUT_STONES(text=policy.text[:40]), policy.line)


def write_h9(table: ParsedTable) -> str:
    """Return the wall list of a table, with a line end after every line.

    The only score is the points. Blanks in names are written as _, unknown values as -. The format cannot hold
    handicaps other than stones, MacMahon points and simultaneous displays.
    """
    control = re.fullmatch(r"(\d+) ?min(utes)?", table.time_control, re.ASCII)
    known = table.code or table.country
    country = known.upper() if re.fullmatch(r"[A-Za-z]{2}", known) else ""
    stones = any(cell.stones for row in table.rows for cell in row.cells)
    head = {
        "EV": table.name,
        "PC": f"{country}, {table.place}" if country else table.place,
        "DT": f"{table.first_day},{table.last_day}",
        "HA": "" if stones else EVEN_GAMES_POLICY,
        "TM": control[1] if control else "",
    }
    lines = [f"; {key}[{text.replace(']', ')')}]" for key, text in head.items() if text]
    return "\n".join([*lines, *(row_text(row) for row in table.rows)]) + "\n"
