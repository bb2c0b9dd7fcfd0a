"""Reader and writer of TRF26, the report file of chess and draughts pairing programs; TRF16 is read too.

Source: FIDE Handbook, C.04 Annex 2 (TRF16) and TRF26 of May 2025. Columns are counted from 1 there, and from 0 in the
slices of this package.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Sequence

from ratings.formats.checks import check_games, check_numbers, copy_colours, describe_mirror_error
from ratings.formats.event_head import Head, HeadText, read_event_days
from ratings.formats.fide.country_codes import COUNTRY_BY_FEDERATION, country_code, federation_code
from ratings.formats.parsed import ParsedRow, ParsedTable, Problems, add_broken_rows, decode
from ratings.formats.problems import FileProblem

from .records import (
    BYES,
    Record,
    counts_other_points,
    keep_program_lines,
    read_byes,
    read_time,
    report_unused,
    write_time,
)
from .rows import ReadLines, add_missing_rounds, read_row
from .written_rows import write_national_row, write_rows

TAG = re.compile(r"\d{3}|[A-Z]{3}|###")
COMMENT = "###"
LINE_END = "\r\n"


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
    rows: list[ParsedRow] = []
    records: list[Record] = []
    read = ReadLines()
    unnumbered, national = [], []
    for number, line in enumerate(lines, 1):
        code = line[:3].upper()
        if code == "001":
            parsed = read_row(number, line, read, problems)
            rows += parsed
            unnumbered += [] if parsed else [(number, line.strip())]
        elif code in COUNTRY_BY_FEDERATION and line[4:8].strip().isdecimal():
            national.append(number)
        elif TAG.fullmatch(code) and line[3:4].strip() == "":
            records.append(Record(code, line, number))
        elif line.strip():
            problems.warn(FileProblem.TEXT_OUTSIDE_TRF(line=line.strip()[:40]), number)
    table = _build_table(records, rows, head, today, problems)
    if not rows:
        problems.error(FileProblem.NO_TRF_ROWS())
    if national:
        problems.note(FileProblem.NATIONAL_LINES_KEPT(lines=len(national)), national[0])
    _read_program_lines(records, rows, read, problems)
    add_broken_rows(rows, unnumbered)
    if check_numbers(rows, problems):
        copy_colours(rows, problems)
        _check_unplayed(rows, read.met, problems)
        check_games(rows, problems)
    return table, problems


def find_program_lines(data: bytes) -> tuple[str, ...]:
    """Return the lines of a file that tell by which program and rules it was paired, to be written again."""
    lines = enumerate(decode(data, Problems()), 1)
    return keep_program_lines([Record(line[:3], line, number) for number, line in lines])


def _read_program_lines(records: Sequence[Record], rows: list[ParsedRow], read: ReadLines, problems: Problems) -> None:
    """Complete the rows by the lines of TRF26 that say more about their results, and report the other lines."""
    add_missing_rounds(rows, read)
    report_unused(records, max((len(row.cells) for row in rows), default=0), problems)
    read_byes([record for record in records if record.code == BYES], {row.number: row for row in rows}, read, problems)
    if counts_other_points(records, problems):
        for row in rows:
            row.points = None
    byes = Counter(round_ for _rank, round_ in read.pairing_byes)
    for round_, count in sorted(byes.items()):
        if count > 1:
            problems.warn(FileProblem.SEVERAL_PAIRING_BYES(count=count), round=round_)
    forfeits = sum(bool(cell.forfeit) for row in rows for cell in row.cells)
    if forfeits:
        problems.note(FileProblem.FORFEITS(games=(forfeits + 1) // 2))


def _build_table(
    records: Sequence[Record], rows: list[ParsedRow], head: Head, today: dt.date, problems: Problems
) -> ParsedTable:
    tags: dict[str, HeadText] = {}
    for record in records:
        if text := record.text[4:].strip():
            tags.setdefault(record.code, HeadText(text, record.line))
    texts = {tag: head_text.text for tag, head_text in tags.items()}
    first, last = read_event_days(tags.get("042"), tags.get("052"), head, today, problems)
    country = country_code(texts.get("032", ""))
    if country is None:
        problems.warn(FileProblem.FEDERATION_UNKNOWN(code=texts["032"][:40]), tags["032"].line)
    declared = re.match(r"\d{1,6}", texts.get("062", ""))
    if declared and int(declared[0]) != len(rows):
        problems.warn(FileProblem.PLAYER_COUNT_DIFFERS(told=declared[0], rows=len(rows)), tags["062"].line)
    time = read_time(records, problems)
    return ParsedTable(
        texts.get("012", head.name),
        first,
        last,
        rows,
        texts.get("022", ""),
        country or "",
        texts.get("122") or (str(time) if time else ""),
        minutes=time.minutes if time else None,
        increment=time.increment or None if time else None,
        program_lines=keep_program_lines(records),
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
    """Return the report of a table; lines end with CR and LF.

    TRF cannot hold handicaps, MacMahon points and simultaneous displays; names are cut after 33 characters.
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
        "142": str(table.rounds) if table.rounds else "",
        "222": "" if table.minutes is None else write_time(table.minutes, table.increment),
    }
    written = [f"{tag} {text}" for tag, text in head.items() if text]
    comments = [f"{COMMENT} {text}" for text in table.comments]
    lines = [*comments, *sorted([*written, *table.program_lines], key=lambda line: line[:3])]
    lines += write_rows(table.rows, table.rounds)
    lines += [
        write_national_row(row, code, number, row.national_rating)
        for row in table.rows
        for code, number in sorted(row.national.items())
    ]
    return "".join(f"{line}{LINE_END}" for line in lines)
