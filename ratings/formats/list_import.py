"""Reader of a federation's rating list in any of the supported formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ratings.formats.aga.rating_list import looks_like_tdlist, read_tdlist
from ratings.formats.egf.rating_list_reader import looks_like_egf_list, read_egf_list
from ratings.formats.fesa.rating_list_reader import ParsedList, looks_like_rating_list, read_rating_list
from ratings.formats.ffg.rating_list import looks_like_ffg_list, read_ffg_list
from ratings.formats.fide.rating_list import CHAPTERS
from ratings.formats.fide.rating_list_reader import looks_like_fide_list, read_fide_list
from ratings.formats.fide.xml_list import looks_like_fide_xml, read_fide_xml
from ratings.formats.people.people_sheet import ChosenColumns
from ratings.formats.people.rating_sheet import looks_like_rating_sheet, looks_like_table, read_rating_sheet
from ratings.formats.problems import FileProblem

from .parsed import Problems


class ListScale(NamedTuple):
    """Ratings that a list takes: of standard, rapid or blitz games, and the Go Database's rating (GoR) of its 0."""

    chapter: str = CHAPTERS[0]
    gor_of_zero: int = 0


Reader = Callable[[bytes, ListScale], tuple[ParsedList | None, Problems]]
SCALED_READERS: Sequence[tuple[Callable[[bytes], bool], Reader]] = (
    (looks_like_fide_list, lambda data, scale: read_fide_list(data, scale.chapter)),
    (looks_like_fide_xml, lambda data, scale: read_fide_xml(data, scale.chapter)),
    (looks_like_ffg_list, lambda data, scale: read_ffg_list(data, scale.gor_of_zero)),
    (looks_like_egf_list, lambda data, scale: read_egf_list(data, scale.gor_of_zero)),
    (looks_like_tdlist, lambda data, scale: read_tdlist(data, scale.gor_of_zero)),
)
"""Lists of other federations: how each is recognised and read."""


def read_list_import(
    data: bytes, chosen: ChosenColumns | None = None, scale: ListScale | None = None
) -> tuple[ParsedList | None, Problems]:
    """Return the rating list, None if the file cannot be read, and all problems of the file.

    `chosen` are the columns of a sheet, if a person has chosen them. `scale` is that of the list that takes the
    ratings.
    """
    for looks_like, read in SCALED_READERS:
        if looks_like(data):
            return read(data, scale or ListScale())
    if looks_like_rating_list(data):
        return read_rating_list(data)
    if looks_like_rating_sheet(data) or looks_like_table(data):
        return read_rating_sheet(data, chosen)
    problems = Problems()
    problems.error(FileProblem.NOT_A_RATING_LIST())
    return None, problems
