"""Answers to reported errors about a list, the time they take, and results that wait for a rating officer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection
from dataclasses import dataclass
from statistics import median

from django.db.models import Exists, OuterRef, Q, Subquery

from ratings.models import Event, EventStep, RatingList, Report, Standing

SPAN = dt.timedelta(days=365)
"""Time before today within which answers are counted."""


@dataclass(frozen=True)
class Waiting:
    """The number of things that wait, and since when the oldest of them does."""

    number: int
    oldest: dt.datetime | None


@dataclass(frozen=True)
class Answers:
    """Open reports, the number of reports answered within SPAN, the median time to answer, and waiting results."""

    open: Waiting
    answered: int
    median: dt.timedelta | None
    results: Waiting


def read_answers(rating_list: RatingList, now: dt.datetime) -> Answers:
    """Return the answers to reports about the events and players of a list at the time `now`, with two queries.

    Reports that were closed without an answer, such as spam, do not count.
    """
    events = Event.lists.through.objects.filter(ratinglist=rating_list.source)
    players = Standing.objects.filter(list=rating_list.source, published=True)
    about = Q(Exists(events.filter(event=OuterRef("event")))) | Q(Exists(players.filter(player=OuterRef("player"))))
    counted = Q(state=Report.State.OPEN) | Q(state__in=Report.ANSWERS, answered_at__gte=now - SPAN)
    rows = Report.objects.filter(about, counted).order_by().values_list("state", "at", "answered_at")
    reports = list(rows)
    asked = [at for state, at, _answered_at in reports if state == Report.State.OPEN]
    times = [at - asked_at for state, asked_at, at in reports if state != Report.State.OPEN and at is not None]
    middle = dt.timedelta(seconds=median(time.total_seconds() for time in times)) if times else None
    return Answers(_count(asked), len(times), middle, _count(_read_submitted(rating_list)))


def _count(moments: Collection[dt.datetime]) -> Waiting:
    return Waiting(len(moments), min(moments, default=None))


def _read_submitted(rating_list: RatingList) -> list[dt.datetime]:
    """Return when the results of each event that a rating officer checks were received."""
    steps = EventStep.objects.filter(event=OuterRef("pk"), what=EventStep.What.SUBMITTED)
    last = Subquery(steps.order_by("-pk").values("at")[:1])
    waiting = Event.objects.filter(lists=rating_list.source, state=Event.State.SUBMITTED).annotate(received=last)
    return [at for at in waiting.order_by().values_list("received", flat=True) if at is not None]


PROGRESS_STEPS = (
    EventStep.What.SUBMITTED,
    EventStep.What.WITHDRAWN,
    EventStep.What.RETURNED,
    EventStep.What.RETURN_UNDONE,
    EventStep.What.ACCEPTED,
    EventStep.What.ACCEPTANCE_UNDONE,
)
"""Steps by which the results of an event are received, sent back and accepted."""


@dataclass(frozen=True)
class ResultsProgress:
    """Times at which the results of an event were received and accepted; None for what has not happened."""

    received: dt.datetime | None
    accepted: dt.datetime | None


def read_results_progress(event: Event) -> ResultsProgress:
    """Return when an event's results were first received and accepted, with one query.

    Steps that were undone, and results that were sent back, do not count.
    """
    submitted = received = accepted = None
    for what, at in event.steps.filter(what__in=PROGRESS_STEPS).order_by("pk").values_list("what", "at"):
        if what == EventStep.What.ACCEPTED:
            accepted = accepted or at
        elif what == EventStep.What.ACCEPTANCE_UNDONE:
            accepted = None
        elif accepted is None and what == EventStep.What.SUBMITTED:
            submitted = received = at
        elif accepted is None:
            received = submitted if what == EventStep.What.RETURN_UNDONE else None
    return ResultsProgress(received, accepted)
