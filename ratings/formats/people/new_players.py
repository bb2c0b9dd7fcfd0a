"""Reader of the file of new players that accompanies a results file, as CSV or .xlsx."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass, field

from ratings.formats.event_head import read_day
from ratings.formats.parsed import Problems
from ratings.formats.problems import FileProblem

from .columns import OUTSIDE_IDS, TITLES
from .outside_ids import NATIONAL, read_national_ids, read_outside_id
from .people_sheet import ChosenColumns, PeopleSheet, Values, read_people_sheet, read_values
from .rating_sheet import read_grade

COLUMNS = ("family", "given", "country", "prior_grade", "member_until", *OUTSIDE_IDS, NATIONAL)
REQUIRED = ("family",)
NEW = "new"
"""Answer of a person that a name is another person than all known ones."""


@dataclass(frozen=True, slots=True)
class NewPlayer:
    """A player of the file, with the ids in other registries by the registry's key, or by country for national ones.

    `answer` is what a person said about the name: a public id, `NEW`, or nothing.
    """

    family: str
    given: str
    country: str
    prior_grade: str
    line: int
    member_until: dt.date | None = None
    answer: str = ""
    outside: Mapping[str, str] = field(default_factory=dict)


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
        if (player := _read_player(values, line, problems)) is not None:
            players.append(player)
    return players, problems


def _read_player(values: Values, line: int, problems: Problems) -> NewPlayer | None:
    """Return the player of a line, or None after adding all errors of the line."""
    errors = [] if values["family"] else [FileProblem.VALUE_MISSING(titles=TITLES["family"][0])]
    grade = read_grade(values["prior_grade"]) or values["prior_grade"]
    until = read_day(values["member_until"]) if values["member_until"] else None
    outside = {key: read_outside_id(key, values[key]) for key in OUTSIDE_IDS if values[key]}
    expected = {"member_until": FileProblem.EXPECTED_DAY()} if values["member_until"] and until is None else {}
    expected |= {key: FileProblem.EXPECTED_OUTSIDE_ID() for key, value in outside.items() if value is None}
    national = read_national_ids(values[NATIONAL])
    expected |= {NATIONAL: FileProblem.EXPECTED_NATIONAL_IDS()} if national is None else {}
    for column, what in expected.items():
        errors.append(FileProblem.VALUE_INVALID(titles=TITLES[column][0], values=values[column][:30], what=what))
    for message in errors:
        problems.error(message, line)
    if errors:
        return None
    ids = {key: value for key, value in outside.items() if value} | (national or {})
    return NewPlayer(values["family"], values["given"], values["country"], grade, line, until, outside=ids)
