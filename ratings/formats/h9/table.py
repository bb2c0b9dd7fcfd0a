"""Reader and writer of the wall list of the European Go Federation (.h9).

Source: the federation's description of its files; a row is place, last name, first name, grade, country, club, scores,
and one result per round.
"""

from __future__ import annotations

import datetime as dt
import re

from ratings.formats.checks import check_games, check_numbers, copy_colours
from ratings.formats.event_head import Head, HeadText, read_event_days
from ratings.formats.go_players import COUNTRY_ALIASES, OWN_COUNTRIES
from ratings.formats.parsed import LINE_AT_MOST, ParsedRow, ParsedTable, Problems, decode
from ratings.formats.people.outside_ids import EGD
from ratings.formats.problems import FileProblem

from .handicaps import EVEN_GAMES_POLICY, find_policy, read_policy
from .rows import ROW, RowParts, read_row, row_text, set_places, set_points, split_pin, split_row

HEADER = re.compile(r"\b(?P<key>[A-Z]{2})\[(?P<text>[^\]]*)\]")
HEADER_LINE = re.compile(r"\s*;\s*(TC|CL|EV|PC|DT|HA|KM|TM|CM)\[")
TITLES = f"Pl {'Name':30} {'Rk':>3} Co Club {'Pts':>4}"


def looks_like_h9(data: bytes) -> bool:
    """Return True if a line is a header or a player's: place, names, a grade as 5d or 10k, a country, results."""
    lines = [line for line in data[:20000].decode("latin-1").splitlines() if len(line) <= LINE_AT_MOST]
    return any(HEADER_LINE.match(line) or ROW.match(line) for line in lines)


def read_h9(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """Return the table, None if the file has no text, and all problems of the file.

    A file without name or days gets the event's (`head`). Clubs and scores other than the points are ignored.
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
        text, pin = split_pin(text)
        if text.strip() and (parts := split_row(number, text, problems)):
            parts.row.outside = {EGD: pin} if pin else {}
            divided.append(parts)
    headers = {key: head_text for key, head_text in headers.items() if head_text.text}
    rows = build_rows(divided, _find_policy(headers, head.file_name), problems)
    return _build_table(headers, rows, head, today, problems), problems


def build_rows(divided: list[RowParts], policy: HeadText | None, problems: Problems) -> list[ParsedRow]:
    """Return the rows with their results, checked; `policy` says how stones follow from grades."""
    scores = _most_frequent([parts.leading_numbers for parts in divided if not parts.row.broken])
    figures = {id(parts.row): read_row(parts, scores, problems) for parts in divided}
    rows = [parts.row for parts in divided]
    set_points(rows, [figures[id(row)] for row in rows])
    set_places(rows, [figures[id(row)] for row in rows])
    if not rows:
        problems.error(FileProblem.NO_H9_ROWS())
    if check_numbers(rows, problems):
        copy_colours(rows, problems)
        read_policy(policy, rows, problems)
        _count_forfeits(rows, problems)
        check_games(rows, problems)
    return rows


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
    minutes = texts.get("TM", "")
    if minutes and not re.fullmatch(r"\d+", minutes, re.ASCII):
        problems.warn(FileProblem.NO_MINUTES_IN_TM(minutes=minutes[:40]), headers["TM"].line)
    control = f"{minutes} minutes" if minutes.isdecimal() else minutes
    country = COUNTRY_ALIASES.get(country.upper(), country.upper())
    return ParsedTable(texts.get("EV", head.name), *days, rows, place, country, control)


def _find_policy(headers: dict[str, HeadText], file_name: str) -> HeadText | None:
    """Return the handicap policy of a file: the header HA, else the extension, such as .h1."""
    extension = re.search(r"\.(h[0-9])$", file_name, re.ASCII | re.IGNORECASE)
    return headers.get("HA") or (HeadText(extension[1], 1) if extension and extension[1] != "h9" else None)


def _count_forfeits(rows: list[ParsedRow], problems: Problems) -> None:
    """Add a note with the number of games won by default."""
    if sides := sum(bool(cell.forfeit) for row in rows for cell in row.cells):
        problems.note(FileProblem.FORFEITS(games=(sides + 1) // 2))


def write_h9(table: ParsedTable) -> str:
    """Return the wall list of a table in the columns of OpenGotha and pairgoth, with a line end after every line.

    The first score is the points; three zeros follow, as readers expect four scores. Blanks in names are written as _,
    an unknown country as XX, an unknown club as xxxx. The format cannot hold handicaps other than stones, MacMahon
    points and simultaneous displays.
    """
    control = re.fullmatch(r"(\d+) ?min(utes)?", table.time_control, re.ASCII)
    known = table.code or table.country
    country = known.upper() if re.fullmatch(r"[A-Za-z]{2}", known) else ""
    country = OWN_COUNTRIES.get(country, country)
    minutes = (
        f"{round(table.adjusted_minutes)}" if table.adjusted_minutes is not None else control[1] if control else ""
    )
    head = {
        "CL": table.time_class,
        "EV": table.name,
        "PC": f"{country},{table.place}" if country or table.place else "",
        "DT": f"{table.first_day},{table.last_day}",
        "HA": find_policy(table.rows),
        "TM": minutes,
        "CM": "" if control else table.time_control,
    }
    lines = [f"; {key}[{text.replace(']', ')')}]" for key, text in head.items() if text]
    return "\n".join([*lines, ";", f"; {TITLES}", *(row_text(row) for row in table.rows)]) + "\n"


def extension_of(table: ParsedTable) -> str:
    """Return the extension of a table's file, which is data: h9 for even games, h0 to h8 for stones by ranks."""
    return find_policy(table.rows) or EVEN_GAMES_POLICY
