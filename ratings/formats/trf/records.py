"""Lines of TRF that are neither a player's nor a fact of the event: rounds, time control, byes, rules of pairing.

Source: FIDE's TRF26 of May 2025, with the older lines of JaVaFo (XX.) and bbpPairings (BB.).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ratings.formats.parsed import LINE_AT_MOST, Cell, ParsedRow, Problems
from ratings.formats.problems import FileProblem
from ratings.systems.values import GameKind

from .rows import ReadLines

ROUNDS = ("142", "XXR")
TIME_CONTROL, BYES = "222", "240"
TYPE, TIE_BREAKS = "092", ("202", "212")
PROGRAM = (TYPE, "152", "172", "182", "192", *TIE_BREAKS)
"""Type in words, initial colour, order of the starting ranks, program, type of tournament, and tie-breaks."""
BY_RANK = frozenset({BYES, "250", "260", "XXA", "XXP", "XXZ"})
"""Announced byes, accelerations, pairs that must not meet, absences: lines that name players by starting ranks."""
PAIRING = frozenset({"202", "212", "250", "260", "XXA", "XXC", "XXP", "XXZ"})
OTHER_POINTS = frozenset({"162", "XXS", "BBW", "BBD", "BBL", "BBZ", "BBF", "BBU"})
DECISIONS = "299"
TEAMS = frozenset({"013", "300", "310", "320", "330", "352", "362", "801", "802"})
HEAD = frozenset({"012", "022", "032", "042", "052", "062", "072", "082", "092", "102", "112", "122", "132", "###"})
KNOWN = PAIRING | OTHER_POINTS | TEAMS | HEAD | {*ROUNDS, TIME_CONTROL, BYES, *PROGRAM, DECISIONS}
CODE_WIDTH = 4
"""Columns of a code and the blank after it."""
PERIOD = re.compile(r"(?:(?P<moves>\d{1,3})/)?(?P<seconds>\d{1,6})(?:\+(?P<increment>\d{1,4}))?", re.ASCII)
POINTS_OF_BYES = {"F": 1.0, "H": 0.5, "Z": 0.0}
USUAL_POINTS = {"W": 1, "D": 0.5, "L": 0, "A": 0, "P": 1, "X": 0.5}
"""Points of win, draw, loss, absence, pairing bye and unpaired half point, if line 162 does not change them."""


class Record(NamedTuple):
    """A line with its code and its number in the file."""

    code: str
    text: str
    line: int


class Place(NamedTuple):
    """A starting rank and a round."""

    rank: int
    round: int


class Time(NamedTuple):
    """A time control: minutes for each player and game, and seconds added with every move."""

    minutes: float
    increment: int = 0

    def __str__(self) -> str:
        return f"{self.minutes:g} min" + (f" + {self.increment} sec" if self.increment else "")


def read_time(records: Sequence[Record], problems: Problems) -> Time | None:
    """Return the time control in seconds (222); None without one that minutes and an increment can express."""
    record = next((record for record in records if record.code == TIME_CONTROL and record.text[4:].strip()), None)
    if record is None:
        return None
    text = record.text[4:].strip()
    by_colour = re.fullmatch(r"W([^\s-]+)-B([^\s-]+)", text)
    parts = by_colour.groups() if by_colour else (text,)
    if not all(PERIOD.fullmatch(period) for part in parts for period in part.split(":")):
        problems.note(FileProblem.NOT_SECONDS(text=text[:40]), record.line)
        return None
    times = {_sum_periods(part.split(":")) for part in parts}
    time = times.pop()
    if times or time is None:
        problems.note(FileProblem.TIME_CONTROL_NOT_USED(text=text[:40]), record.line)
        return None
    return time


def _sum_periods(periods: Sequence[str]) -> Time | None:
    """Return the time of all periods together; None if their increments differ."""
    found = [match for period in periods if (match := PERIOD.fullmatch(period))]
    increments = {int(match["increment"] or 0) for match in found}
    seconds = sum(int(match["seconds"]) for match in found)
    return Time(seconds / 60, increments.pop()) if len(increments) == 1 else None


def write_time(minutes: float, increment: int | None) -> str:
    """Return a time control in seconds, such as 5400+30."""
    return f"{round(minutes * 60)}" + (f"+{increment}" if increment else "")


def read_byes(records: Sequence[Record], rows: Mapping[int, ParsedRow], read: ReadLines, problems: Problems) -> None:
    """Set the results of announced byes (240) where a row has none, and report those that differ from the row.

    The rows have all rounds; a round after those is not played yet.
    """
    for record in records:
        sign, round_text, ranks = record.text[4:5].upper(), record.text[6:9].strip(), record.text[9:].split()
        if sign not in POINTS_OF_BYES or not _are_numbers([round_text, *ranks]) or not ranks:
            problems.warn(FileProblem.NOT_A_BYE_LINE(text=record.text.strip()[:40]), record.line)
            continue
        for rank in map(int, ranks):
            _set_bye(record, Place(rank, int(round_text)), rows.get(rank), read, problems)


def agrees_with_rows(line: str, rows: Sequence[ParsedRow]) -> bool:
    """Return False for a line of announced byes that the results of the rows contradict."""
    problems = Problems()
    if line.startswith(BYES):
        read_byes([Record(BYES, line, 0)], {row.number: row for row in rows}, ReadLines(), problems)
    return not problems.all


def _set_bye(record: Record, place: Place, row: ParsedRow | None, read: ReadLines, problems: Problems) -> None:
    """Set the result of one announced bye."""
    sign = record.text[4:5].upper()
    points = POINTS_OF_BYES[sign]
    if row is None or not place.round:
        problems.warn(FileProblem.BYE_OF_NOBODY(rank=place.rank, round=place.round), record.line)
        return
    if place.round > len(row.cells):
        return
    cell = row.cells[place.round - 1]
    if place in read.blank:
        row.cells[place.round - 1] = Cell(0, points, kind=GameKind.FULL_BYE.value if points == 1 else "")
    elif cell.readable and (cell.opponent or cell.points != points):
        problems.warn(FileProblem.BYE_DIFFERS(sign=sign, name=row.name), row.line, row.number, place.round)


def _are_numbers(words: Sequence[str]) -> bool:
    return all(re.fullmatch(r"\d{1,4}", word, re.ASCII) for word in words)


def counts_other_points(records: Sequence[Record], problems: Problems) -> bool:
    """Return True if the event counts other points than 1, ½ and 0, with a note; the file's points say nothing then."""
    for record in (record for record in records if record.code in OTHER_POINTS):
        points = re.findall(r"([WDLAPX])\s*(\d+(?:\.\d+)?)", record.text[4:], re.ASCII)
        if record.code == "162" and all(float(text) == USUAL_POINTS[sign] for sign, text in points):
            continue
        problems.note(FileProblem.OTHER_POINTS(code=record.code), record.line)
        return True
    return False


def report_unused(records: Sequence[Record], rounds: int, problems: Problems) -> None:
    """Report each kind of line whose content stays in the file, and an announced number of rounds that differs."""
    for record in records:
        announced = record.text[4:].strip() if record.code in ROUNDS else ""
        if _are_numbers([announced]) and int(announced) != rounds:
            message = FileProblem.ROUND_COUNT_DIFFERS(code=record.code, told=announced, rounds=rounds)
            problems.warn(message, record.line)
        if record.code == DECISIONS:
            problems.warn(FileProblem.POINTS_BY_DECISION(text=record.text[4:].strip()[:40]), record.line)
    for codes, message_of in ((PAIRING, FileProblem.PAIRING_LINES_KEPT), (TEAMS, FileProblem.TEAM_LINES_LEFT_OUT)):
        found = [record for record in records if record.code in codes]
        if found:
            names = ", ".join(dict.fromkeys(record.code for record in found))
            problems.note(message_of(codes=names), found[0].line)
    unknown = [record for record in records if record.code not in KNOWN]
    if unknown:
        names = ", ".join(dict.fromkeys(record.code for record in unknown))
        problems.note(FileProblem.LINES_UNKNOWN(codes=names[:60]), unknown[0].line)


def keep_program_lines(records: Sequence[Record]) -> tuple[str, ...]:
    """Return the lines of the pairing program, one of each code, as they are written again."""
    found = {record.code: record.text.rstrip() for record in reversed(records) if record.code in PROGRAM}
    return tuple(found[code] for code in PROGRAM if code in found and _is_kept(found[code]))


def keep_pairing_lines(records: Sequence[Record]) -> tuple[str, ...]:
    """Return the lines of the pairing that name players by their starting ranks, as they are written again."""
    lines = (record.text.rstrip() for record in records if record.code in BY_RANK)
    return tuple(line for line in lines if _is_kept(line))


def _is_kept(line: str) -> bool:
    return line.isprintable() and CODE_WIDTH < len(line) <= LINE_AT_MOST
