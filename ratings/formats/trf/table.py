"""Reader and writer of TRF16, the report file of chess and draughts pairing programs.

Source: FIDE Handbook, C.04 Annex 2. Columns are counted from 1 there, and from 0 in the slices of this package.
"""

from __future__ import annotations

import datetime as dt
import re

from ratings.formats.checks import check_games, check_numbers, copy_colours, describe_mirror_error
from ratings.formats.event_head import Head, HeadText, read_event_days
from ratings.formats.fide.country_codes import country_code, federation_code
from ratings.formats.parsed import ParsedRow, ParsedTable, Problems, add_broken_rows, decode
from ratings.formats.problems import FileProblem

from .rows import add_missing_rounds, read_row, row_text

TAG = re.compile(r"\d{3}|[A-Z]{3}|###")


def looks_like_trf(data: bytes) -> bool:
    """Return True if a line is a player's (`001` and a starting rank) or the first one names a tournament (`012`)."""
    text = data[:20000].decode("latin-1").removeprefix("ï»¿")
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    first_line = next((line for line in lines if line.strip()), "")
    return first_line.startswith("012 ") or any(re.match(r"001 [ \d]{3}\d ", line) for line in lines)


def read_trf(data: bytes, head: Head, today: dt.date) -> tuple[ParsedTable | None, Problems]:
    """Return the table, None if the file has no text, and all problems of the file.

    A file without name or days gets the event's (`head`). Only cells of played games have an opponent.
    """
    problems = Problems()
    lines = decode(data, problems)
    if not lines:
        return None, problems
    tags: dict[str, HeadText] = {}
    rows: list[ParsedRow] = []
    met: dict[tuple[int, int], int] = {}
    unnumbered = []
    for number, line in enumerate(lines, 1):
        if line.startswith("001"):
            parsed = read_row(number, line, met, problems)
            rows += parsed
            unnumbered += [] if parsed else [(number, line.strip())]
        elif TAG.fullmatch(line[:3]) and line[3:4].strip() == "":
            tags.setdefault(line[:3], HeadText(line[4:].strip(), number))
        elif line.strip():
            problems.warn(FileProblem.TEXT_OUTSIDE_TRF(line=line.strip()[:40]), number)
    table = _build_table(
        {tag: head_text for tag, head_text in tags.items() if head_text.text}, rows, head, today, problems
    )
    if not rows:
        problems.error(FileProblem.NO_TRF_ROWS())
    add_missing_rounds(rows)
    add_broken_rows(rows, unnumbered)
    if check_numbers(rows, problems):
        copy_colours(rows, problems)
        _check_unplayed(rows, met, problems)
        check_games(rows, problems)
    return table, problems


def _build_table(
    tags: dict[str, HeadText], rows: list[ParsedRow], head: Head, today: dt.date, problems: Problems
) -> ParsedTable:
    texts = {tag: head_text.text for tag, head_text in tags.items()}
    first, last = read_event_days(tags.get("042"), tags.get("052"), head, today, problems)
    country = country_code(texts.get("032", ""))
    if country is None:
        problems.warn(FileProblem.FEDERATION_UNKNOWN(code=texts["032"][:40]), tags["032"].line)
    declared = re.match(r"\d{1,6}", texts.get("062", ""))
    if declared and int(declared[0]) != len(rows):
        problems.warn(FileProblem.PLAYER_COUNT_DIFFERS(told=declared[0], rows=len(rows)), tags["062"].line)
    return ParsedTable(
        texts.get("012", head.name), first, last, rows, texts.get("022", ""), country or "", texts.get("122", "")
    )


def _check_unplayed(rows: list[ParsedRow], met: dict[tuple[int, int], int], problems: Problems) -> None:
    """Add an error if the two players of an unplayed game, whose cells have no opponent, do not name each other."""
    by_number = {row.number: row for row in rows}
    for (number, round_), opponent in met.items():
        row, other = by_number[number], by_number.get(opponent)
        if row.cells[round_ - 1].opponent or row.broken:
            continue  # check_games checks it
        if opponent == number:
            problems.error(FileProblem.PLAYS_SELF(name=row.name), row.line, number, round_)
        elif other is None:
            message = FileProblem.OPPONENT_MISSING(name=row.name, opponent=opponent, rows=len(rows))
            problems.error(message, row.line, number, round_)
        elif not other.broken and other.cells[round_ - 1].readable and met.get((opponent, round_)) != number:
            named = met.get((opponent, round_))
            problems.error(describe_mirror_error(row, other, named, by_number), row.line, number, round_)


def write_trf(table: ParsedTable) -> str:
    """Return the report of a table, with a line end after every line.

    TRF16 cannot hold handicaps, MacMahon points and simultaneous displays; names are cut after 33 characters.
    """
    known = table.code or table.country
    country = federation_code(known) if len(known) == 2 else ""
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
