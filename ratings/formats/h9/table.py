"""The wall list of the European Go Federation (.h9), read and written.

Source: the federation's description of its files; a row is place, last name, first name, grade, country, club, scores,
and one result a round.
"""

from __future__ import annotations

import datetime as dt
import re

from ratings.systems.words import Words as _

from .checks import check_games, check_numbers, take_colours
from .h9_rows import GB, ROW, divide, points_column, read_row, row_text, strip_pin
from .head import Head, Told, span_of
from .parsed import LINE_AT_MOST, ParsedRow, ParsedTable, Problems, decode

HEADER = re.compile(r"\b(?P<key>[A-Z]{2})\[(?P<text>[^\]]*)\]")
HEADER_LINE = re.compile(r"\s*;\s*(TC|CL|EV|PC|DT|HA|KM|TM|CM)\[")
EVEN = "h9"


def looks_like_h9(data: bytes) -> bool:
    """Whether a line is one of the headers, or a player's: place, names, a grade as 5d or 10k, a country, results."""
    lines = [line for line in data[:20000].decode("latin-1").splitlines() if len(line) <= LINE_AT_MOST]
    return any(HEADER_LINE.match(line) or ROW.match(line) for line in lines)


def read_h9(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """The table, None where the file has no text, and everything that is wrong with the file.

    Name and days are the event's (`head`) where the file has none. Pins, clubs and scores other than the points are
    left out.
    """
    problems = Problems()
    lines = decode(data, problems)
    if not lines:
        return None, problems
    headers: dict[str, Told] = {}
    divided = []
    for number, line in enumerate(lines, 1):
        text, _semicolon, comment = line.partition(";")
        for found in HEADER.finditer(comment):
            headers.setdefault(found["key"], Told(found["text"].strip(), number))
        text = strip_pin(text)
        if text.strip() and (parts := divide(number, text, problems)):
            divided.append(parts)
    scores = _usual([parts.leading_numbers for parts in divided if not parts.row.broken])
    figures = {id(parts.row): read_row(parts, scores, problems) for parts in divided}
    rows = [parts.row for parts in divided]
    points_column(rows, [figures[id(row)] for row in rows])
    if not rows:
        problems.error(_("no player rows: a row looks like 1 Muster Anna 5d DE Club 3 2+ 3-/w 0+"))
    if check_numbers(rows, problems):
        take_colours(rows, problems)
        check_games(rows, problems)
    table = _table({key: told for key, told in headers.items() if told.text}, rows, head, today, problems)
    return table, problems


def _usual(counts: list[int]) -> int:
    """How many score columns the file has: a row with fewer or more has a score that looks like a result."""
    return max(sorted(set(counts)), key=counts.count, default=0)


def _table(
    headers: dict[str, Told], rows: list[ParsedRow], head: Head, today: dt.date, problems: Problems
) -> ParsedTable:
    texts = {key: told.text for key, told in headers.items()}
    first = last = headers.get("DT")
    if first and "," in first.text:
        start, _comma, end = first.text.partition(",")
        first, last = Told(start, first.line), Told(end, first.line)
    days = span_of(first, last, head, today, problems)
    country, _comma, place = (part.strip() for part in texts.get("PC", "").partition(","))
    if country and not re.fullmatch(r"[A-Za-z]{2}", country):
        problems.warn(_("PC[{pc}] begins with no country of two letters", pc=texts["PC"][:40]), headers["PC"].line)
        country, place = "", place or country
    _check_policy(headers.get("HA"), rows, problems)
    minutes = texts.get("TM", "")
    if minutes and not re.fullmatch(r"\d+", minutes, re.ASCII):
        problems.warn(_("TM[{minutes}] is no number of minutes", minutes=minutes[:40]), headers["TM"].line)
    control = f"{minutes} minutes" if minutes.isdecimal() else minutes
    country = GB.get(country.upper(), country.upper())
    return ParsedTable(texts.get("EV", head.name), *days, rows, place, country, control)


def _check_policy(policy: Told | None, rows: list[ParsedRow], problems: Problems) -> None:
    """Stones are read from the results only; the policy has to agree with them."""
    stones = any(cell.stones for row in rows for cell in row.cells)
    if policy and policy.text.lower() == EVEN and stones:
        problems.warn(_("HA[h9] tells even games, but results name handicap stones"), policy.line)
    elif policy and policy.text.lower() != EVEN and not stones:
        problems.warn(
            _(
                "HA[{text}] tells handicap games, but no result names stones: all games were read as even; write"
                " them as 2+/w3 and 1-/b3",
                text=policy.text[:40],
            ),
            policy.line,
        )


def write_h9(table: ParsedTable) -> str:
    """The wall list of a table, a line end after every line.

    It has one score, the points. Blanks in names are written as _, what is not known as -. Handicaps other than
    stones, MacMahon points and simultaneous displays have no place in it.
    """
    control = re.fullmatch(r"(\d+) ?min(utes)?", table.time_control, re.ASCII)
    known = table.code or table.country
    country = known.upper() if re.fullmatch(r"[A-Za-z]{2}", known) else ""
    stones = any(cell.stones for row in table.rows for cell in row.cells)
    head = {
        "EV": table.name,
        "PC": f"{country}, {table.place}" if country else table.place,
        "DT": f"{table.first_day},{table.last_day}",
        "HA": "" if stones else EVEN,
        "TM": control[1] if control else "",
    }
    lines = [f"; {key}[{text.replace(']', ')')}]" for key, text in head.items() if text]
    return "\n".join([*lines, *(row_text(row) for row in table.rows)]) + "\n"
