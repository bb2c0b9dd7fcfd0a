"""The rating list text as FESA's program writes it: fixed columns, Latin-1, no newline at the end."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

TITLES = "    Name                               Grades       Elo #games Nationality"


@dataclass(frozen=True, slots=True)
class ListLine:
    """A line of the list; `prior_grade` is the second grade column (an official grade from elsewhere)."""

    family: str
    given: str
    grade: str | None
    prior_grade: str | None
    rating: int
    games: int
    country: str


def write_rating_list(day: dt.date, lines: Iterable[ListLine]) -> str:
    """The text of a list as of `day`, in the order of `lines`; the rank is counted along."""
    body = [_line_text(rank, line) for rank, line in enumerate(lines, 1)]
    return "\n".join([f"Elo list for {day}", "", TITLES, *body])


def _line_text(rank: int, line: ListLine) -> str:
    return (
        f"{rank:>3} {line.family:<17} {line.given:<15} {_grade(line.grade)} {_grade(line.prior_grade)}"
        f" {line.rating:>4} {line.games:>3}     {line.country}"
    )


def _grade(grade: str | None) -> str:
    number, _, unit = (grade or "").partition(" ")
    return f"{number:>2} {unit:<3}"
