"""Lines of TRF about the organisation of an event: the chief arbiter (102) and the days of the rounds (132)."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from typing import NamedTuple

from ratings.formats.parsed import Problems
from ratings.formats.problems import FileProblem

from .records import Record
from .rows import FIRST_ROUND, WIDTH

ARBITER, ROUND_DAYS = "102", "132"
DAY = re.compile(r"(\d\d)/(\d\d)/(\d\d)", re.ASCII)
CENTURY = 100

RoundDays = tuple[dt.date | None, ...]


class Days(NamedTuple):
    """The first and the last day of an event."""

    first: dt.date
    last: dt.date


def read_arbiter(records: Sequence[Record]) -> str:
    """Return the name of the chief arbiter, empty without one."""
    return next((text for each in records if each.code == ARBITER and (text := each.text[4:].strip())), "")


def read_round_days(records: Sequence[Record], rounds: int, days: Days, problems: Problems) -> RoundDays:
    """Return the day of each round, None where unknown; empty if the file has no line 132.

    Days that cannot be read or are outside the event are reported, and count as unknown.
    """
    record = next((each for each in records if each.code == ROUND_DAYS and each.text[4:].strip()), None)
    if record is None:
        return ()
    texts = _split_rounds(record.text)
    if len(texts) != rounds:
        problems.warn(FileProblem.ROUND_COUNT_DIFFERS(code=ROUND_DAYS, told=len(texts), rounds=rounds), record.line)
    found = [_read_day(text, number, record.line, days, problems) for number, text in enumerate(texts[:rounds], 1)]
    return (*found, *[None] * (rounds - len(found)))


def _split_rounds(text: str) -> list[str]:
    """Return the text of each round's day; text in front of the columns belongs to the first round."""
    columns = text.rstrip()[FIRST_ROUND:]
    parts = [columns[at : at + WIDTH].strip() for at in range(0, len(columns), WIDTH)] or [""]
    before = text[4:FIRST_ROUND].strip()
    return [f"{before} {parts[0]}".strip(), *parts[1:]]


def _read_day(text: str, round_: int, line: int, days: Days, problems: Problems) -> dt.date | None:
    if not text:
        return None
    day = _parse_day(text, days.first)
    if day is None:
        first = FIRST_ROUND + 1 + (round_ - 1) * WIDTH
        message = FileProblem.NOT_A_ROUND_DAY(text=text[:40], first=first, last=first + 7)
        problems.note(message, line, round=round_)
        return None
    if not days.first <= day <= days.last:
        problems.note(FileProblem.ROUND_DAY_OUTSIDE(day=day, first=days.first, last=days.last), line, round=round_)
        return None
    return day


def _parse_day(text: str, near: dt.date) -> dt.date | None:
    """Return the date of a text such as 26/03/07 in the year that is nearest to that of a day."""
    match = DAY.fullmatch(text)
    if match is None:
        return None
    short = int(match[1])
    year = near.year + (short - near.year + CENTURY // 2) % CENTURY - CENTURY // 2
    try:
        return dt.date(year, int(match[2]), int(match[3]))
    except ValueError:
        return None


def write_round_days(round_days: RoundDays) -> str:
    """Return the line of the rounds' days, with ten columns for each round; empty if none is known."""
    texts = (f"{day:%y/%m/%d}" if day else "" for day in round_days)
    columns = "".join(f"{text:<{WIDTH}}" for text in texts)
    return f"{ROUND_DAYS:<{FIRST_ROUND}}{columns}".rstrip() if any(round_days) else ""
