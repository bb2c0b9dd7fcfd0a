"""The CSV beside a grid that names its new players: last_name,first_name,country,prior_grade."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from typing import Any

from ratings.systems.words import Words as _

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
    reader = csv.DictReader(lines, restkey="more", strict=True)
    players: list[NewPlayer] = []
    try:
        columns = [name.strip() for name in reader.fieldnames or []]
        if lines and (columns[:2] != COLUMNS[:2] or not set(columns) <= set(COLUMNS)):
            problems.error(_("the first line names the columns: {columns}", columns=",".join(COLUMNS)), 1)
            return [], problems
        reader.fieldnames = columns
        for values in reader:
            players += _player(values, reader.line_num, len(columns), problems)
    except csv.Error:
        problems.error(
            _("a quotation mark is opened here and not closed, or text follows where it is closed"), reader.line_num + 1
        )
    return players, problems


def _player(values: dict[str, Any], line: int, columns: int, problems: Problems) -> list[NewPlayer]:
    given = {column: (values.get(column) or "").strip() for column in COLUMNS}
    if "more" in values:
        problems.error(_("more than {columns} columns", columns=columns), line)
    elif not given["last_name"]:
        problems.error(_("last_name is missing"), line)
    else:
        return [NewPlayer(given["last_name"], given["first_name"], given["country"], given["prior_grade"], line)]
    return []
