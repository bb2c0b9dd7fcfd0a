"""Writer of the rating list text in the form of FESA's program: fixed columns, Latin-1, no newline at the end."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

TITLES = "    Name                               Grades       Elo #games Nationality"


@dataclass(frozen=True, slots=True)
class ListLine:
    """A line of the list; `prior_grade` is the second grade column (an official grade from another organisation)."""

    family: str
    given: str
    grade: str | None
    prior_grade: str | None
    rating: int
    games: int
    country: str


def write_rating_list(day: dt.date, lines: Iterable[ListLine]) -> str:
    """Return the text of a list on a day, in the order of `lines`, with ranks counted from 1."""
    body = [_format_line(rank, line) for rank, line in enumerate(lines, 1)]
    return "\n".join([f"Elo list for {day}", "", TITLES, *body])


def _format_line(rank: int, line: ListLine) -> str:
    return (
        f"{rank:>3} {line.family:<17} {line.given:<15} {_format_grade(line.grade)} {_format_grade(line.prior_grade)}"
        f" {line.rating:>4} {line.games:>3}     {line.country}"
    )


def _format_grade(grade: str | None) -> str:
    number, _, unit = (grade or "").partition(" ")
    return f"{number:>2} {unit:<3}"
