"""Reader of the file of new players that accompanies a results file, as CSV or .xlsx."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from ratings.formats.event_head import read_day
from ratings.formats.parsed import Problems
from ratings.formats.problems import FileProblem

from .columns import TITLES
from .people_sheet import ChosenColumns, PeopleSheet, read_people_sheet, read_values
from .rating_sheet import read_grade

COLUMNS = ("family", "given", "country", "prior_grade", "member_until")
REQUIRED = ("family",)
NEW = "new"
"""Answer of a person that a name is another person than all known ones."""


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """A player of the file; `answer` is what a person said about the name: a public id, `NEW`, or nothing."""

    family: str
    given: str
    country: str
    prior_grade: str
    line: int
    member_until: dt.date | None = None
    answer: str = ""


def read_new_titles(data: bytes, chosen: ChosenColumns | None = None) -> PeopleSheet | None:
    """Return the sheet of a file with the meaning of its columns, to be shown; None if it has no sheet."""
    return read_people_sheet(data, COLUMNS, REQUIRED, Problems(), chosen)


def read_new_players(data: bytes, chosen: ChosenColumns | None = None) -> tuple[list[NewPlayer], Problems]:
    """Return the new players of a file, and its problems; only the last name is required.

    `chosen` are the columns, if a person has chosen them.
    """
    problems = Problems()
    players: list[NewPlayer] = []
    sheet = read_people_sheet(data, COLUMNS, REQUIRED, problems, chosen)
    if sheet is None or problems.fatal:
        return players, problems
    for line, values in read_values(sheet, problems):
        if not values["family"]:
            problems.error(FileProblem.VALUE_MISSING(titles=TITLES["family"][0]), line)
            continue
        grade = read_grade(values["prior_grade"]) or values["prior_grade"]
        until = read_day(values["member_until"]) if values["member_until"] else None
        if values["member_until"] and until is None:
            titles, text = TITLES["member_until"][0], values["member_until"][:30]
            problems.error(FileProblem.VALUE_INVALID(titles=titles, values=text, what=FileProblem.EXPECTED_DAY()), line)
            continue
        players.append(NewPlayer(values["family"], values["given"], values["country"], grade, line, until))
    return players, problems
