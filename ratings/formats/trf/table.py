"""Reader and writer of TRF26, the report file of chess and draughts pairing programs; TRF16 is read too.

Source: FIDE Handbook, C.04 Annex 2 (TRF16) and TRF26 of May 2025. Columns are counted from 1 there, and from 0 in the
slices of this package.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ratings.formats.checks import check_games, check_numbers, copy_colours, describe_mirror_error
from ratings.formats.event_head import Head, HeadText, read_event_days
from ratings.formats.fide.country_codes import COUNTRY_BY_FEDERATION, country_code, federation_code
from ratings.formats.parsed import ParsedRow, ParsedTable, Problems, add_broken_rows, decode
from ratings.formats.problems import FileProblem

from .organisation import ARBITER, Days, RoundDays, read_arbiter, read_round_days, write_round_days
from .records import (
    BYES,
    Record,
    counts_other_points,
    keep_pairing_lines,
    keep_program_lines,
    read_byes,
    read_time,
    report_unused,
    write_time,
)
from .rows import ReadLines, add_missing_rounds, read_national_line, read_row
from .written_rows import write_national_row, write_rows

TAG = re.compile(r"\d{3}|[A-Z]{3}|###")
TITLE = re.compile(r"[A-Za-z]{1,3}")
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
    unnumbered: list[tuple[int, str]] = []
    national: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        code = line[:3].upper()
        if code == "001":
            parsed = read_row(number, line, read, problems)
            rows += parsed
            unnumbered += [] if parsed else [(number, line.strip())]
        elif code in COUNTRY_BY_FEDERATION and re.fullmatch(r" *\d+", line[4:8], re.ASCII):
            national.append((number, line))
        elif TAG.fullmatch(code) and line[3:4].strip() == "":
            records.append(Record(code, line, number))
        elif line.strip():
            problems.warn(FileProblem.TEXT_OUTSIDE_TRF(line=line.strip()[:40]), number)
    add_missing_rounds(rows, read)
    table = _build_table(records, rows, head, today, problems)
    if not rows:
        problems.error(FileProblem.NO_TRF_ROWS())
    _read_national_lines(national, rows, problems)
    _read_program_lines(records, rows, read, problems)
    add_broken_rows(rows, unnumbered)
    if check_numbers(rows, problems):
        copy_colours(rows, problems)
        _check_unplayed(rows, read.met, problems)
        check_games(rows, problems)
    return table, problems


def _read_national_lines(lines: Sequence[tuple[int, str]], rows: list[ParsedRow], problems: Problems) -> None:
    """Add the lines of national federations, as (line number, text), to the rows of their players."""
    if lines:
        problems.note(FileProblem.NATIONAL_LINES_READ(lines=len(lines)), lines[0][0])
    by_number = {row.number: row for row in rows}
    for number, line in lines:
        read_national_line(number, line, by_number, problems)


class Organisation(NamedTuple):
    """The organisation of an event in a file, to be written again: the program's lines, the arbiter, the rounds' days.

    The program's lines say by which program and rules the event was paired; `pairing_lines` name players by their
    starting ranks. `players` are the starting ranks and titles of the players, by the number of the line. All are empty
    where the file has none.
    """

    program_lines: tuple[str, ...]
    arbiter: str
    round_days: RoundDays
    pairing_lines: tuple[str, ...]
    players: Mapping[int, RankAndTitle]


class RankAndTitle(NamedTuple):
    """The starting rank of a player, and the title; "" without one."""

    rank: int
    title: str


def find_organisation(data: bytes, rounds: int, days: Days) -> Organisation:
    """Return the organisation of an event of some rounds from its file."""
    records = [Record(line[:3], line, number) for number, line in enumerate(decode(data, Problems()), 1)]
    round_days = read_round_days(records, rounds, days, Problems())
    players = {
        record.line: RankAndTitle(row.number, row.title if TITLE.fullmatch(row.title) else "")
        for record in records
        if record.code == "001"
        for row in read_row(record.line, record.text, ReadLines(), Problems())
    }
    pairing_lines = keep_pairing_lines(records)
    return Organisation(keep_program_lines(records), read_arbiter(records), round_days, pairing_lines, players)


def _read_program_lines(records: Sequence[Record], rows: list[ParsedRow], read: ReadLines, problems: Problems) -> None:
    """Complete the rows by the lines of TRF26 that say more about their results, and report the other lines."""
    report_unused(records, max((len(row.cells) for row in rows), default=0), problems)
    read_byes([record for record in records if record.code == BYES], {row.number: row for row in rows}, read, problems)
    if counts_other_points(records, problems):
        for row in rows:
            row.points = None
    byes = Counter(round_ for _rank, round_ in read.pairing_byes)
    for round_, count in sorted(byes.items()):
        if count > 1:
            problems.warn(FileProblem.SEVERAL_PAIRING_BYES(count=count), round=round_)
    forfeits = sum(bool(cell.forfeit and not cell.kind) for row in rows for cell in row.cells)
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
        pairing_lines=keep_pairing_lines(records),
        arbiter=read_arbiter(records),
        round_days=read_round_days(records, len(rows[0].cells) if rows else 0, Days(first, last), problems),
    )


def _check_unplayed(rows: list[ParsedRow], met: dict[tuple[int, int], int], problems: Problems) -> None:
    """Add an error if the two players of a game without a result, or of a bye, do not name each other."""
    by_number = {row.number: row for row in rows}
    for (number, round_), opponent in met.items():
        row, other = by_number[number], by_number.get(opponent)
        if row.cells[round_ - 1].named or row.broken:
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
        ARBITER: table.arbiter,
        "122": table.time_control,
        "142": str(table.rounds) if table.rounds else "",
        "222": "" if table.minutes is None else write_time(table.minutes, table.increment),
    }
    written = [f"{tag} {text}" for tag, text in head.items() if text]
    comments = [f"{COMMENT} {text}" for text in table.comments]
    days = write_round_days(table.round_days)
    written += [days] if days else []
    kept = (*table.program_lines, *table.pairing_lines)
    lines = [*comments, *sorted([*written, *kept], key=lambda line: line[:3])]
    lines += write_rows(table.rows, table.rounds)
    lines += [
        write_national_row(row, code, number, row.national_rating)
        for row in table.rows
        for code, number in sorted(row.national.items())
    ]
    return "".join(f"{line}{LINE_END}" for line in lines)
