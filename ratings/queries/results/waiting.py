"""Queries about results that wait for an officer: since when, the last reminder, and how long officers usually take."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from statistics import median
from typing import Any

from django.db.models import OuterRef, Subquery

from ratings.models import Event, EventStep, Submission

from .workflow import SUBMITTING

REMINDER_AFTER = dt.timedelta(3)
"""Time for which results wait until their organisers can remind the officers."""
LOOKED_BACK = dt.timedelta(365)
"""Time whose answers say how long officers usually take."""
FEWEST_ANSWERS, MOST_STEPS = 5, 2000
"""Number of answers from which on they say anything, and the number of steps of events that are read at most."""
ANSWERS = (EventStep.What.ACCEPTED, EventStep.What.CORRECTED, EventStep.What.RETURNED)


def find_waiting_since(event: Event) -> dt.datetime | None:
    """Return when the waiting results of an event were submitted; None if none wait."""
    if not event.submissions.filter(state=Submission.State.SUBMITTED).exists():
        return None
    last = event.steps.filter(what__in=SUBMITTING).last()
    return last.at if last else None


def read_reminders_of_officers(events: Iterable[Event]) -> dict[int, dt.datetime]:
    """Return when the officers of some events were reminded last, by the event's primary key; one query."""
    steps = EventStep.objects.filter(event__in=[event.pk for event in events], what=EventStep.What.OFFICERS_REMINDED)
    return dict(steps.order_by("pk").values_list("event", "at"))


def read_usual_answer_days(events: Sequence[Event], now: dt.datetime) -> dict[int, int]:
    """Return within how many days officers usually answer, by the primary key of some events; two queries.

    It is the median of the answers of the event's federation within a year, in whole days, rounded up. Events of a
    federation with fewer than five answers, and of several federations, are left out.
    """
    federations: dict[int, set[int]] = {}
    pairs = Event.lists.through.objects.filter(event__in=[event.pk for event in events])
    for event, federation in pairs.values_list("event", "ratinglist__federation"):
        federations.setdefault(event, set()).add(federation)
    waits = _read_waits({one for several in federations.values() for one in several}, now - LOOKED_BACK)
    days = {
        federation: max(1, math.ceil(median(several)))
        for federation, several in waits.items()
        if len(several) >= FEWEST_ANSWERS
    }
    single = {event: next(iter(several)) for event, several in federations.items() if len(several) == 1}
    return {event: days[federation] for event, federation in single.items() if federation in days}


def _read_waits(federations: Iterable[int], since: dt.datetime) -> Mapping[int, list[float]]:
    """Return how many days each answer since a moment took, by federation."""
    of_event = Event.lists.through.objects.filter(event=OuterRef("event")).values("ratinglist__federation")[:1]
    steps = EventStep.objects.filter(what__in=(*SUBMITTING, *ANSWERS, EventStep.What.WITHDRAWN), at__gte=since)
    steps = steps.annotate(federation=Subquery(of_event)).filter(federation__in=list(federations))
    rows = list(steps.order_by("-pk").values_list("event", "pk", "federation", "what", "at", "by")[:MOST_STEPS])
    waits: dict[int, list[float]] = {}
    for _event, group in groupby(sorted(rows, key=lambda row: row[:2]), key=lambda row: row[0]):
        several = list(group)
        waits.setdefault(several[0][2], []).extend(_list_waits([row[3:] for row in several]))
    return waits


def _list_waits(steps: Iterable[tuple[str, dt.datetime, Any]]) -> list[float]:
    """Return how many days each answer to one event took, from steps (kind, time, user) in their order.

    Results that were accepted as they were submitted, by the organiser's own right, had no answer.
    """
    waits, submitted = [], None
    for what, at, by in steps:
        if what in SUBMITTING:
            submitted = (at, by)
            continue
        if submitted is not None and what in ANSWERS and by != submitted[1]:
            waits.append((at - submitted[0]) / dt.timedelta(1))
        submitted = None
    return waits
