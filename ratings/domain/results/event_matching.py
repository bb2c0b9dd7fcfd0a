"""Recognition of the event that a results file belongs to, by name, days, place and games."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

from django.db.models import Q

from ratings.access import Action, may
from ratings.formats.parsed import Cell, ParsedTable
from ratings.formats.sheet_content import content_from_json
from ratings.formats.tokens import read_cell
from ratings.matching import fold
from ratings.models import Event, Submission
from ratings.queries.results.workflow import visible_events

NEAR = dt.timedelta(days=3)
"""Days by which the dates of a file and its event may differ if their names agree."""
COMMON_SHARE = 0.5
"""Minimum share of the file's games that an event has, if the names differ."""
Pairings = set[tuple[int, frozenset[str]]]
"""Games without results: round and folded names."""


def find_known_event(user: Any, table: ParsedTable) -> Event | None:
    """Return the event of a user to which a table belongs; None if there is none, or if several fit equally well.

    An event fits if it has the same name on near days; if its days overlap and at least half of the file's games are
    in it, as in a new version with another name; or if it has the same days and place and no results yet. Only events
    whose results the user may enter count.
    """
    near = Q(start__lte=table.last_day + NEAR, end__gte=table.first_day - NEAR)
    events = visible_events(user).filter(near).exclude(state__in=[Event.State.DELETED, Event.State.VOID]).distinct()
    rated = [(_rate_fit(event, table), event) for event in events if may(user, Action.GIVE_RESULTS, event)]
    best = max((fit for fit, _event in rated), default=0)
    fitting = [event for fit, event in rated if fit == best]
    return fitting[0] if best and len(fitting) == 1 else None


def _rate_fit(event: Event, table: ParsedTable) -> int:
    """Return how well an event fits a table: 0 not at all, higher is better."""
    has_same_days = (event.start, event.end) == (table.first_day, table.last_day)
    has_same_place = bool(table.place) and fold(event.place) == fold(table.place)
    if table.name and fold(event.name) == fold(table.name):
        return 4 + has_same_days + has_same_place
    pairings = _list_event_pairings(event)
    if not pairings:
        return 1 if has_same_days and has_same_place else 0
    overlaps = event.start <= table.last_day and table.first_day <= event.end
    written = _list_pairings([f"{row.family} {row.given}" for row in table.rows], [row.cells for row in table.rows])
    return 2 if overlaps and len(pairings & written) >= COMMON_SHARE * max(len(written), 1) else 0


def _list_event_pairings(event: Event) -> Pairings:
    """Return the games of an event in its submissions, accepted or not."""
    pairings: Pairings = set()
    for submission in event.submissions.exclude(state=Submission.State.DELETED):
        content = content_from_json(submission.content)
        cells = [[read_cell(text) for text in row.cells] for row in content.rows]
        pairings |= _list_pairings([row.name for row in content.rows], cells)
    return pairings


def _list_pairings(names: Sequence[str], cells: Sequence[Sequence[Cell | None]]) -> Pairings:
    folded = [fold(name.strip()) for name in names]
    return {
        (round_, frozenset({folded[number], folded[cell.opponent - 1]}))
        for number, row in enumerate(cells)
        for round_, cell in enumerate(row, 1)
        if cell is not None and 0 < cell.opponent <= len(folded)
    }
