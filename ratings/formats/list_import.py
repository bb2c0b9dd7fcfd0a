"""Reader of a federation's rating list in any of the supported formats."""

from __future__ import annotations

from ratings.formats.fesa.rating_list_reader import ParsedList, looks_like_rating_list, read_rating_list
from ratings.formats.people.people_sheet import ChosenColumns
from ratings.formats.people.rating_sheet import looks_like_rating_sheet, looks_like_table, read_rating_sheet
from ratings.formats.problems import FileProblem

from .parsed import Problems


def read_list_import(data: bytes, chosen: ChosenColumns | None = None) -> tuple[ParsedList | None, Problems]:
    """Return the rating list, None if the file cannot be read, and all problems of the file.

    `chosen` are the columns of a sheet, if a person has chosen them.
    """
    if looks_like_rating_list(data):
        return read_rating_list(data)
    if looks_like_rating_sheet(data) or looks_like_table(data):
        return read_rating_sheet(data, chosen)
    problems = Problems()
    problems.error(FileProblem.NOT_A_RATING_LIST())
    return None, problems
