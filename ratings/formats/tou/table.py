"""Reader and writer of .tou, the results of a tournament as the French Go Federation takes them.

Source: OpenGotha and pairgoth write it. Head lines such as `;name=Cup` and `;date=26/10/2026`, a line of titles, then a
row for each player: place 0-3, `LASTNAME Firstname` 5-29, grade 30-32, licence 34-40, club 42-45 (the country of
foreigners), and results of 8 columns such as `2+w0`, `3-b4` and `0=`, counted from 0. `0=` means that a player did not
play: 0 points.
"""

from __future__ import annotations

import datetime as dt
import re

from ratings.formats.event_head import Head, HeadText, read_day, read_event_days
from ratings.formats.ffg.rating_list import HOME, NO_LICENCE, capitalize_name, find_licence, read_licence
from ratings.formats.go_players import OWN_COUNTRIES
from ratings.formats.h9.rows import RowParts, split_row
from ratings.formats.h9.table import build_rows
from ratings.formats.parsed import Cell, ParsedRow, ParsedTable, Problems, decode
from ratings.formats.problems import FileProblem

HEADER = re.compile(r";\s*(?P<key>name|date|vill|comm|prog|time|ta|size|komi)\s*=(?P<text>[^;]*)", re.IGNORECASE)
TITLES = ";Num Nom Prenom               Niv Licence Club"
ROW = re.compile(
    r"\s*(?P<place>\d{1,4})\s+(?P<names>\S.*?)\s+(?P<grade>\d{1,2}[dkDK]|-)\s+(?P<licence>[0-9A-Za-z]{7}|-{7})"
    r"\s+(?P<club>\S{1,4})(?P<results>(?:\s+\S+)*)\s*",
    re.ASCII,
)
COLOUR = re.compile(r"(?<=[-+=])(?=[bwBW])")
NOT_PLAYED = re.compile(r"0+=0?(?=$|/)")
DAY = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)
NAME_WIDTH = 25


def looks_like_tou(data: bytes) -> bool:
    """Return True if one of the first lines is a head line or the line of titles."""
    lines = data[:5000].decode("latin-1").removeprefix("ï»¿").splitlines()[:50]
    return any(HEADER.match(line) or line.startswith(TITLES[:15]) for line in lines)


def read_tou(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """Return the table, None if the file has no text, and all problems of the file.

    A file without name or day gets the event's (`head`), and the last day is the event's. Licences are ids of France.
    """
    problems = Problems()
    lines = decode(data, problems)
    if not lines:
        return None, problems
    headers: dict[str, HeadText] = {}
    divided: list[RowParts] = []
    for number, line in enumerate(lines, 1):
        if line.lstrip().startswith(";"):
            for header in HEADER.finditer(line):
                headers.setdefault(header["key"].lower(), HeadText(header["text"].strip(), number))
            continue
        if not line.strip():
            continue
        match = ROW.fullmatch(line)
        parts = _read_row(number, match, problems) if match else _report_row(number, line, problems)
        divided += [parts] if parts else []
    rows = build_rows(divided, None, problems)
    return _build_table(headers, rows, head, today, problems), problems


def _report_row(number: int, line: str, problems: Problems) -> RowParts | None:
    """Report a line that is no row; return its place with the line as a row to fill in, None without a place."""
    place = re.match(r"\s*(\d{1,4})\s", line, re.ASCII)
    row = int(place[1]) if place else None
    problems.error(FileProblem.NOT_A_TOU_ROW(text=line.strip()[:40].rstrip()), number, row)
    broken = ParsedRow(row or 0, number, "?", "", broken=True, texts={"row": line.strip()})
    return None if row is None else RowParts(broken, [])


def _read_row(number: int, match: re.Match[str], problems: Problems) -> RowParts | None:
    """Return the parts of a row, written as one of .h9, where 0= may be half a point and 0- is none."""
    club = match["club"].upper()
    country = club if re.fullmatch(r"[A-Z]{2}", club) else HOME
    family, _blank, given = match["names"].partition(" ")
    name = f"{capitalize_name(family).replace(' ', '_')} {given.strip().replace(' ', '_') or '_'}"
    results = " ".join(NOT_PLAYED.sub("0-", COLOUR.sub("/", word)) for word in match["results"].split())
    parts = split_row(number, f"{match['place']} {name} {match['grade']} {country} xxxx {results}", problems)
    if parts is not None:
        parts.row.outside = read_licence(match["licence"])
    return parts


def _build_table(
    headers: dict[str, HeadText], rows: list[ParsedRow], head: Head, today: dt.date, problems: Problems
) -> ParsedTable:
    texts = {key: head_text.text for key, head_text in headers.items()}
    day = headers.get("date") if texts.get("date") else None
    if day and (match := DAY.fullmatch(day.text)) and read_day(dotted := ".".join(match.groups())):
        day = HeadText(dotted, day.line)
    days = read_event_days(day, None, head, today, problems)
    return ParsedTable(texts.get("name") or head.name, *days, rows, texts.get("vill", ""), "", texts.get("time", ""))


def write_tou(table: ParsedTable) -> str:
    """Return the results of a table, with CR and LF after every line, in letters of ISO-8859-1.

    The format has one day, no more than 24 letters of a name, and last names in capitals.
    """
    adjusted = "" if table.adjusted_minutes is None else f"{round(table.adjusted_minutes)}"
    head = {
        "name": table.name,
        "date": f"{table.first_day:%d/%m/%Y}",
        "vill": table.place,
        "time": table.time_control,
        "ta": adjusted,
    }
    lines = [f";{key}={text.replace(';', ',')}" for key, text in head.items() if text]
    return "".join(f"{line}\r\n" for line in [*lines, TITLES, *map(_format_row, table.rows)])


def _format_row(row: ParsedRow) -> str:
    number, _, unit = (row.grade or "").partition(" ")
    grade = f"{number}{unit[:1].upper()}" if row.grade else "-"
    licence = find_licence(row.national) or NO_LICENCE
    club = "xxxx" if row.country == HOME else OWN_COUNTRIES.get(row.country, row.country)
    name = _format_name(row)
    results = "".join(f"{_format_cell(cell):>8}" for cell in row.cells)
    return f"{row.number:>4} {name:<{NAME_WIDTH}}{grade:>3} {licence} {club:<4}{results}"


def _format_name(row: ParsedRow) -> str:
    return f"{row.family.replace(' ', '_').upper()} {row.given.replace(' ', '_')}".strip()


def _format_cell(cell: Cell) -> str:
    sign = {1: "+", 0: "-", 0.5: "="}[cell.points]
    colour = "" if cell.black is None else f"{'b' if cell.black else 'w'}{cell.stones}"
    return f"{cell.opponent}{sign}{colour}"


def holds_rows(table: ParsedTable) -> bool:
    """Return True if the format can hold a table: one day, names and countries, no half-point byes and no forfeits."""
    texts = [table.name, table.place, table.time_control, *(row.family + row.given for row in table.rows)]
    fits = all(text.isascii() or _is_latin_1(text) for text in texts)
    return (
        fits
        and table.first_day == table.last_day
        and not any(";" in text for text in texts)
        and not any(_is_half_without_game(cell) or cell.forfeit for row in table.rows for cell in row.cells)
        and all(_holds_row(row) for row in table.rows)
    )


def _holds_row(row: ParsedRow) -> bool:
    name = _format_name(row)
    is_read_again = capitalize_name(row.family.replace(" ", "_").upper()) == row.family and "_" not in row.family
    return bool(row.country and row.family and is_read_again and "_" not in row.given and len(name) < NAME_WIDTH)


def _is_half_without_game(cell: Cell) -> bool:
    return not cell.opponent and cell.points == 0.5


def _is_latin_1(text: str) -> bool:
    return all(sign <= "\xff" for sign in text)
