"""What an event already says of itself, for files that do not; and dates as the outside formats write them."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from ratings.systems.words import Words as _

from .parsed import Problems

YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d\d?)\2(\d\d?)", re.ASCII)
DAY_FIRST = re.compile(r"(\d\d?)\.(\d\d?)\.(\d{4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Head:
    """Name and days of the event that a file is read for; used where the file gives none of its own.

    Without days the file has to tell them.
    """

    name: str
    first_day: dt.date | None
    last_day: dt.date | None


@dataclass(frozen=True, slots=True)
class Told:
    """A text of a file's head and the line it stands in."""

    text: str
    line: int


def read_day(text: str) -> dt.date | None:
    """`2026-03-07`, `2026/3/7`, `2026.03.07` or `07.03.2026`; None for anything else."""
    year_first, day_first = YEAR_FIRST.fullmatch(text.strip()), DAY_FIRST.fullmatch(text.strip())
    try:
        if year_first:
            return dt.date(int(year_first[1]), int(year_first[3]), int(year_first[4]))
        return dt.date(int(day_first[3]), int(day_first[2]), int(day_first[1])) if day_first else None
    except ValueError:
        return None


def span_of(
    first: Told | None, last: Told | None, head: Head, today: dt.date, problems: Problems
) -> tuple[dt.date, dt.date]:
    """The days of a file from what it tells of them, else of the event; with an error for each that cannot be."""
    days = []
    for told in (first, last):
        day = read_day(told.text) if told else None
        if told and day is None:
            problems.error(
                _("“{text}” is no date; write year, month and day as 2026-03-07", text=told.text.strip()[:40]),
                told.line,
            )
        if told and day and day > today:
            problems.error(_("the day {day} is in the future", day=day), told.line)
        days.append(day)
    if head.first_day is None and not (first or last):
        problems.error(_("the file tells no days; say when the event was (--day)"))
    start = days[0] or min((day for day in (head.first_day, days[1]) if day), default=today)
    end = days[1] or max(head.last_day or start, start)
    if end < start:
        problems.error(
            _("the last day {end} is before the first, {start}", end=end, start=start), last.line if last else None
        )
        start = end
    if not (first or last) and end > today:
        problems.error(_("the file tells no days, and the event's last day {end} is in the future", end=end))
    return start, end
