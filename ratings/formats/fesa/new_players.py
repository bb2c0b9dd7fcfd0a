"""Reader of the CSV file of new players that accompanies a grid: last_name,first_name,country,prior_grade."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import Any

from ratings.formats.parsed import Problems, decode
from ratings.formats.problems import FileProblem

COLUMNS = ["last_name", "first_name", "country", "prior_grade"]


@dataclass(frozen=True, slots=True)
class NewPlayer:
    family: str
    given: str
    country: str
    prior_grade: str
    line: int


def read_new_players(data: bytes) -> tuple[list[NewPlayer], Problems]:
    """Return the new players of a file, and its problems.

    The first two columns are required; the others may be missing or empty.
    """
    problems = Problems()
    lines = decode(data, problems)
    reader = csv.DictReader(lines, restkey="more", strict=True)
    players: list[NewPlayer] = []
    try:
        columns = [name.strip() for name in reader.fieldnames or []]
        if lines and (columns[:2] != COLUMNS[:2] or not set(columns) <= set(COLUMNS)):
            problems.error(FileProblem.EXPECTED_COLUMNS(columns=",".join(COLUMNS)), 1)
            return [], problems
        reader.fieldnames = columns
        for values in reader:
            players += _read_player(values, reader.line_num, len(columns), problems)
    except csv.Error:
        problems.error(FileProblem.QUOTE_OPEN(), reader.line_num + 1)
    return players, problems


def _read_player(values: dict[str, Any], line: int, columns: int, problems: Problems) -> list[NewPlayer]:
    fields = {column: (values.get(column) or "").strip() for column in COLUMNS}
    if "more" in values:
        problems.error(FileProblem.TOO_MANY_VALUES(columns=columns), line)
    elif not fields["last_name"]:
        problems.error(FileProblem.LAST_NAME_COLUMN_EMPTY(), line)
    else:
        return [NewPlayer(fields["last_name"], fields["first_name"], fields["country"], fields["prior_grade"], line)]
    return []
