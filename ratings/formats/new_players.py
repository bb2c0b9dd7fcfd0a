"""The CSV beside a grid that names its new players: last_name,first_name,country,prior_grade."""

from __future__ import annotations

import csv
from dataclasses import dataclass

from .parsed import Problems, decode

COLUMNS = ["last_name", "first_name", "country", "prior_grade"]


@dataclass(frozen=True, slots=True)
class NewPlayer:
    family: str
    given: str
    country: str
    prior_grade: str
    line: int


def read_new_players(data: bytes) -> tuple[list[NewPlayer], Problems]:
    """The lines of the file; the first two columns are required, the others may be left out or empty."""
    problems = Problems()
    lines = decode(data, problems)
    reader = csv.DictReader(lines, restkey="more")
    columns = [name.strip() for name in reader.fieldnames or []]
    if lines and (columns[:2] != COLUMNS[:2] or not set(columns) <= set(COLUMNS)):
        problems.error(f"the first line names the columns: {','.join(COLUMNS)}", 1)
        return [], problems
    players = []
    reader.fieldnames = columns
    for values in reader:
        given = {column: (values.get(column) or "").strip() for column in COLUMNS}
        if "more" in values:
            problems.error(f"more than {len(columns)} columns", reader.line_num)
        elif not given["last_name"]:
            problems.error("last_name is missing", reader.line_num)
        else:
            players.append(
                NewPlayer(
                    given["last_name"], given["first_name"], given["country"], given["prior_grade"], reader.line_num
                )
            )
    return players, problems
