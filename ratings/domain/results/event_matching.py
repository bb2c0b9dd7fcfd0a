"""Recognition of the event that a results file belongs to, by name, days, place and games."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from django.db.models import Prefetch, Q

from ratings.access import Action, may
from ratings.formats.parsed import Cell, ParsedTable
from ratings.formats.sheet_content import content_from_json
from ratings.formats.tokens import read_cell
from ratings.matching import fold
from ratings.models import Event, EventEntry, Submission
from ratings.queries.results.halls import people_of
from ratings.queries.results.workflow import visible_events

NEAR = dt.timedelta(days=3)
"""Days by which the dates of a file and its event may differ if their names agree."""
COMMON_SHARE = 0.5
"""Minimum share of the file's games, or of its players, that an event has, if the names differ."""
Pairings = set[tuple[int, frozenset[str]]]
"""Games without results: round and folded names."""


def find_known_event(user: Any, table: ParsedTable) -> Event | None:
    """Return the event of a user to which a table belongs; None if there is none, or if several fit equally well.

    An event fits if it has the same name on near days; if its days overlap and at least half of the file's games are
    in it, as in a new version with another name; or if it has no results yet and its days overlap with half of the
    players entered, or days and place are the same. Only events whose results the user may enter count.
    """
    near = Q(start__lte=table.last_day + NEAR, end__gte=table.first_day - NEAR)
    events = visible_events(user).filter(near).exclude(state__in=[Event.State.DELETED, Event.State.VOID]).distinct()
    present = Submission.objects.exclude(state=Submission.State.DELETED)
    active = EventEntry.objects.filter(state__in=EventEntry.ACTIVE).select_related("player")
    events = events.select_related("hall").prefetch_related(
        Prefetch("submissions", present, to_attr="present_submissions"),
        Prefetch("player_entries", active, to_attr="active_entries"),
    )
    rated = [(_rate_fit(event, table), event) for event in events if may(user, Action.GIVE_RESULTS, event)]
    best = max((fit for fit, _event in rated), default=0)
    fitting = [event for fit, event in rated if fit == best]
    return fitting[0] if best and len(fitting) == 1 else None


def _rate_fit(event: Any, table: ParsedTable) -> int:
    """Return how well an event fits a table: 0 not at all, higher is better.

    `event` has its `present_submissions` and `active_entries`.
    """
    has_same_days = (event.start, event.end) == (table.first_day, table.last_day)
    has_same_place = bool(table.place) and fold(event.place) == fold(table.place)
    if table.name and fold(event.name) == fold(table.name):
        return 4 + has_same_days + has_same_place
    overlaps = event.start <= table.last_day and table.first_day <= event.end
    names = [f"{row.family} {row.given}" for row in table.rows]
    if pairings := _list_event_pairings(event):
        return 2 if overlaps and _has_share(pairings, _list_pairings(names, [row.cells for row in table.rows])) else 0
    if overlaps and _has_share(_list_entered_names(event), {fold(name.strip()) for name in names}):
        return 2
    return 1 if has_same_days and has_same_place else 0


def _has_share(known: AbstractSet[object], written: AbstractSet[object]) -> bool:
    """Return True if at least half of what a file says is known of an event."""
    return bool(written) and len(known & written) >= COMMON_SHARE * len(written)


def _list_entered_names(event: Any) -> set[str]:
    """Return the folded names of the people entered for an event or playing in its hall."""
    entered = [entry.player or entry for entry in event.active_entries]
    names = [f"{one.family_name} {one.given_name}" for one in entered]
    hall = getattr(event, "hall", None)  # an event without a hall has no such attribute
    names += [person.name for person in people_of(hall).values()] if hall else []
    return {fold(name.strip()) for name in names}


def _list_event_pairings(event: Any) -> Pairings:
    """Return the games of an event in its submissions, accepted or not."""
    pairings: Pairings = set()
    for submission in event.present_submissions:
        content = content_from_json(submission.content)
        cells = [[read_cell(text) for text in row.cells] for row in content.rows]
        pairings |= _list_pairings([row.name for row in content.rows], cells)
    return pairings


def _list_pairings(names: Sequence[str], cells: Sequence[Sequence[Cell | None]]) -> Pairings:
    folded = [fold(name.strip()) for name in names]
    return {
        (round_, frozenset({folded[number], folded[cell.named - 1]}))
        for number, row in enumerate(cells)
        for round_, cell in enumerate(row, 1)
        if cell is not None and 0 < cell.named <= len(folded)
    }
