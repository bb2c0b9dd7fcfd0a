"""Name and days of an event, for files that lack them, and parsing of the dates in results files."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import dataclass

from ratings.formats.problems import FileProblem, SubmissionProblem

from .parsed import Problems, is_possible_day

YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d\d?)\2(\d\d?)", re.ASCII)
DAY_FIRST = re.compile(r"(\d\d?)\.(\d\d?)\.(\d{4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Head:
    """Name and days of the event whose file is read, used if the file has none.

    If the days are None, the file must contain them. The extension of `file_name` says how stones follow from grades.
    """

    name: str
    first_day: dt.date | None
    last_day: dt.date | None
    file_name: str = ""


@dataclass(frozen=True, slots=True)
class HeadText:
    """A text from the head of a file, with its line number."""

    text: str
    line: int


def read_day(text: str) -> dt.date | None:
    """Return the date of a text such as `2026-03-07`, `2026/3/7`, `2026.03.07` or `07.03.2026`; None for others."""
    day = _parse_day(text)
    return day if day is not None and is_possible_day(day) else None


def _parse_day(text: str) -> dt.date | None:
    year_first, day_first = YEAR_FIRST.fullmatch(text.strip()), DAY_FIRST.fullmatch(text.strip())
    try:
        if year_first:
            return dt.date(int(year_first[1]), int(year_first[3]), int(year_first[4]))
        return dt.date(int(day_first[3]), int(day_first[2]), int(day_first[1])) if day_first else None
    except ValueError:
        return None


def read_event_days(
    first: HeadText | None, last: HeadText | None, head: Head, today: dt.date, problems: Problems
) -> tuple[dt.date, dt.date]:
    """Return the first and last day of a file, else of the event; add an error for each invalid day."""
    days = []
    for name, head_text in (("first_day", first), ("last_day", last)):
        day = read_day(head_text.text) if head_text else None
        if head_text and day is None:
            problems.texts[name] = head_text.text.strip()
            problems.error(SubmissionProblem.NOT_A_DATE(text=head_text.text.strip()[:40]), head_text.line)
        if head_text and day and day > today:
            problems.error(FileProblem.DAY_IN_FUTURE(day=day), head_text.line)
        days.append(day)
    if head.first_day is None and not (first or last):
        problems.error(FileProblem.DAYS_MISSING())
    start = days[0] or min((day for day in (head.first_day, days[1]) if day), default=today)
    end = days[1] or max(head.last_day or start, start)
    if end < start:
        problems.error(FileProblem.LAST_DAY_BEFORE_FIRST(end=end, start=start), last.line if last else None)
        problems.texts |= {"first_day": str(start), "last_day": str(end)}
        start = end
    if not (first or last) and end > today:
        problems.error(FileProblem.EVENT_IN_FUTURE(end=end))
    return start, end
