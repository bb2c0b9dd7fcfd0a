"""Reader of the file of new players that accompanies a results file, as CSV or .xlsx."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.formats.parsed import Problems
from ratings.formats.problems import FileProblem

from .columns import TITLES
from .people_sheet import read_people_sheet, read_values
from .rating_sheet import read_grade

COLUMNS = ("family", "given", "country", "prior_grade")


@dataclass(frozen=True, slots=True)
class NewPlayer:
    family: str
    given: str
    country: str
    prior_grade: str
    line: int


def read_new_players(data: bytes) -> tuple[list[NewPlayer], Problems]:
    """Return the new players of a file, and its problems; only the last name is required."""
    problems = Problems()
    players: list[NewPlayer] = []
    sheet = read_people_sheet(data, COLUMNS, ("family",), problems)
    if sheet is None or problems.fatal:
        return players, problems
    for line, values in read_values(sheet, problems):
        if not values["family"]:
            problems.error(FileProblem.VALUE_MISSING(titles=TITLES["family"][0]), line)
            continue
        grade = read_grade(values["prior_grade"]) or values["prior_grade"]
        players.append(NewPlayer(values["family"], values["given"], values["country"], grade, line))
    return players, problems
