"""Comparison of what a results file says about its event with the event itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ratings.formats.parsed import FATAL, WARNING, ParsedTable
from ratings.formats.problems import SubmissionProblem
from ratings.formats.sheet_content import Remark
from ratings.matching import fold
from ratings.models import Event, RatingList
from ratings.queries.events.events import lists_of


def compare_with_event(table: ParsedTable, event: Event) -> Iterator[Remark]:
    """Yield a remark if a file names another place than its event, or a discipline that none of its lists rates."""
    if table.place and event.place and fold(table.place) != fold(event.place):
        yield Remark(FATAL, SubmissionProblem.PLACE_DIFFERS(place=table.place, event=event.place))
    lists = lists_of(event) if table.discipline else []
    if lists and not select_lists_of_discipline(lists, table.discipline):
        named = ", ".join(str(rating_list) for rating_list in lists)
        yield Remark(WARNING, SubmissionProblem.DISCIPLINE_DIFFERS(discipline=table.discipline, lists=named))


def select_lists_of_discipline(lists: Iterable[RatingList], discipline: str) -> list[RatingList]:
    """Return the lists that rate the discipline of a file, renju or gomoku; all lists if the file has no discipline.

    Lists whose rating system has no option for the discipline are always returned.
    """
    return [
        rating_list
        for rating_list in lists
        if not discipline or rating_list.rating_system.settings.get("discipline", discipline) == discipline
    ]
