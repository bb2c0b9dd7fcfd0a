"""A federation's rating list in whichever of the known forms it is."""

from __future__ import annotations

from ratings.systems.words import Words as _

from .parsed import Problems
from .rating_csv import looks_like_rating_csv, read_rating_csv
from .rating_list_reader import ParsedList, looks_like_rating_list, read_rating_list


def read_opening_list(data: bytes) -> tuple[ParsedList | None, Problems]:
    """The list, None where nothing of it can be read, and everything that is wrong with the file."""
    if looks_like_rating_list(data):
        return read_rating_list(data)
    if looks_like_rating_csv(data):
        return read_rating_csv(data)
    problems = Problems()
    problems.error(
        _(
            "neither FESA's rating list text (“Elo list for 2026-06-01”, then a line of titles) nor CSV whose"
            " first line names the columns (Last name, First name, Country, Rating, Games, Grade, Prior grade,"
            " Birth year, id)"
        )
    )
    return None, problems
