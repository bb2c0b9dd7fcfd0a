"""Numbers of entries of several events, for an organiser's desk."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count

from ratings.models import EntryList, Event, EventEntry

State = EventEntry.State


@dataclass
class EntryCounts:
    """Numbers of entries of an event: to confirm, and entered.

    `closes_at` is None without a closing time, `limit` without a limit of players.
    """

    asked: int = 0
    confirmed: int = 0
    closes_at: dt.datetime | None = None
    limit: int | None = None


def read_entry_counts(events: Iterable[Event]) -> dict[int, EntryCounts]:
    """Return the numbers of entries of the open ones of some events, by primary key, with two queries."""
    pks = [event.pk for event in events if event.is_open]
    if not pks:
        return {}
    settings = EntryList.objects.filter(event__in=pks).values_list("event", "closes_at", "limit")
    counts = {event: EntryCounts(closes_at=closes_at, limit=limit) for event, closes_at, limit in settings}
    counted = EventEntry.objects.filter(event__in=list(counts), state__in=[State.ASKED, State.CONFIRMED])
    for event, state, number in counted.order_by().values_list("event", "state").annotate(Count("pk")):
        setattr(counts[event], state, number)
    return counts
