"""TRF16, the report file of chess and draughts pairing programs, read and written.

Source: FIDE Handbook, C.04 Annex 2. Columns count from 1 there and from 0 in the slices here.
"""

from __future__ import annotations

import datetime as dt
import re

from ratings.systems.words import Words as _

from .checks import check_games, check_numbers, not_mirrored, take_colours
from .fide import country_of, federation_of
from .head import Head, Told, span_of
from .parsed import ParsedRow, ParsedTable, Problems, decode
from .trf_rows import fill_up, read_row, row_text

TAG = re.compile(r"\d{3}|[A-Z]{3}|###")


def looks_like_trf(data: bytes) -> bool:
    """Whether a line is a player's, `001` and a starting rank, or the first one names a tournament, `012`."""
    text = data[:20000].decode("latin-1").removeprefix("ï»¿")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    begun = next((line for line in lines if line.strip()), "")
    return begun.startswith("012 ") or any(re.match(r"001 [ \d]{3}\d ", line) for line in lines)


def read_trf(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """The table, None where the file has no text, and everything that is wrong with the file.

    Name and days are the event's (`head`) where the file has none. Only played games name an opponent in the table.
    """
    problems = Problems()
    lines = decode(data, problems)
    if not lines:
        return None, problems
    tags: dict[str, Told] = {}
    rows: list[ParsedRow] = []
    met: dict[tuple[int, int], int] = {}
    for number, line in enumerate(lines, 1):
        if line.startswith("001"):
            rows += read_row(number, line, met, problems)
        elif TAG.fullmatch(line[:3]) and line[3:4].strip() == "":
            tags.setdefault(line[:3], Told(line[4:].strip(), number))
        elif line.strip():
            problems.warn(_("text outside the lines of TRF was left out: “{line}”", line=line.strip()[:40]), number)
    table = _table({tag: told for tag, told in tags.items() if told.text}, rows, head, today, problems)
    if not rows:
        problems.error(_("no player rows: they begin with 001 and the starting rank in columns 5–8"))
    fill_up(rows)
    if check_numbers(rows, problems):
        take_colours(rows, problems)
        _check_unplayed(rows, met, problems)
        check_games(rows, problems)
    return table, problems


def _table(tags: dict[str, Told], rows: list[ParsedRow], head: Head, today: dt.date, problems: Problems) -> ParsedTable:
    texts = {tag: told.text for tag, told in tags.items()}
    first, last = span_of(tags.get("042"), tags.get("052"), head, today, problems)
    country = country_of(texts.get("032", ""))
    if country is None:
        problems.warn(_("the federation “{code}” is not one of FIDE's codes", code=texts["032"][:40]), tags["032"].line)
    told = re.match(r"\d{1,6}", texts.get("062", ""))
    if told and int(told[0]) != len(rows):
        problems.warn(
            _("line 062 tells {told} players, but {rows} stand in the file", told=told[0], rows=len(rows)),
            tags["062"].line,
        )
    return ParsedTable(
        texts.get("012", head.name), first, last, rows, texts.get("022", ""), country or "", texts.get("122", "")
    )


def _check_unplayed(rows: list[ParsedRow], met: dict[tuple[int, int], int], problems: Problems) -> None:
    """Opponents of forfeits are not in the cells any more, yet both sides have to name each other."""
    by_number = {row.number: row for row in rows}
    for (number, round_), opponent in met.items():
        row, other = by_number[number], by_number.get(opponent)
        if row.cells[round_ - 1].opponent or row.broken:
            continue  # check_games sees it
        if opponent == number:
            problems.error(_("{name} plays himself", name=row.name), row.line, number, round_)
        elif other is None:
            told = _("opponent {opponent} does not exist: the table has {rows} rows", opponent=opponent, rows=len(rows))
            problems.error(told, row.line, number, round_)
        elif not other.broken and met.get((opponent, round_)) != number:
            named = met.get((opponent, round_))
            problems.error(not_mirrored(opponent, named), row.line, number, round_)


def write_trf(table: ParsedTable) -> str:
    """The report of a table, a line end after every line.

    Handicaps, MacMahon points and simultaneous displays have no place in it; names end after 33 characters.
    """
    known = table.code or table.country
    country = federation_of(known) if len(known) == 2 else ""
    head = {
        "012": table.name,
        "022": table.place,
        "032": country,
        "042": f"{table.first_day:%Y/%m/%d}",
        "052": f"{table.last_day:%Y/%m/%d}",
        "062": str(len(table.rows)),
        "122": table.time_control,
    }
    lines = [f"{tag} {text}" for tag, text in head.items() if text]
    return "\n".join([*lines, *(row_text(row, table.rounds) for row in table.rows)]) + "\n"
