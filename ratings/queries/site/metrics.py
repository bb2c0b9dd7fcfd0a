"""Figures of the portal's work for monitoring: ages of lists, pending and failed items."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, DateTimeField, Max, Min, OuterRef, Q, QuerySet, Subquery
from django.utils import timezone

from ratings.models import (
    EventStep,
    OutgoingMail,
    RatingList,
    Report,
    Run,
    Submission,
    WebhookDelivery,
    WebhookSubscription,
)
from ratings.queries.results.workflow import SUBMITTING


@dataclass(frozen=True)
class ListFigures:
    """A list with the age of its last finished rating run and its duration, in seconds; None without a run."""

    slug: str
    is_out_of_date: bool
    run_age: float | None
    run_seconds: float | None


@dataclass(frozen=True)
class Pending:
    """Number of pending items, and the age of the oldest in seconds; 0 without items."""

    number: int
    oldest: float


@dataclass(frozen=True)
class Figures:
    """Figures for a monitoring program; `pending` and `failed` are by kind of item."""

    lists: tuple[ListFigures, ...]
    pending: Mapping[str, Pending]
    failed: Mapping[str, int]


def read_figures() -> Figures:
    """Return the figures of this moment, with eight queries."""
    now = timezone.now()
    mails = OutgoingMail.objects.all()
    webhooks = WebhookDelivery.objects.filter(subscription__deleted_at=None)
    disabled = WebhookSubscription.objects.filter(deleted_at=None, state=WebhookSubscription.State.DISABLED)
    pending = {
        "submissions": _count_submissions(now),
        "reports": _count(Report.objects.filter(state=Report.State.OPEN), "at", now),
        "mails": _count(mails.filter(given_up_at=None), "created_at", now),
        "webhooks": _count(webhooks.filter(status=WebhookDelivery.Status.WAITING), "created_at", now),
    }
    failed = {
        "mails": mails.exclude(given_up_at=None).count(),
        "webhooks": webhooks.filter(status=WebhookDelivery.Status.GIVEN_UP).count(),
        "webhooks_switched_off": disabled.count(),
    }
    return Figures(_read_lists(now), pending, failed)


def _count(rows: QuerySet[Any], time: str, now: dt.datetime) -> Pending:
    found = rows.order_by().aggregate(number=Count("pk"), oldest=Min(time))
    return Pending(found["number"], _get_age(found["oldest"], now) or 0.0)


def _count_submissions(now: dt.datetime) -> Pending:
    """Count submissions that wait for an officer; each has waited since the last time that its event was submitted."""
    submitted = EventStep.objects.filter(event=OuterRef("event"), what__in=SUBMITTING)
    since = Subquery(submitted.order_by().values("event").annotate(at=Max("at")).values("at"), DateTimeField())
    return _count(Submission.objects.filter(state=Submission.State.SUBMITTED).annotate(since=since), "since", now)


def _read_lists(now: dt.datetime) -> tuple[ListFigures, ...]:
    finished = Run.objects.finished().filter(list=OuterRef("pk")).latest_first()
    last = {name: Subquery(finished.values(name)[:1]) for name in ("started_at", "ended_at")}
    rows = RatingList.objects.filter(Q(comparison_to=None) | Q(public=True)).order_by("slug")
    return tuple(
        ListFigures(slug, day is not None, _get_age(ended, now), _get_age(started, ended))
        for slug, day, started, ended in rows.annotate(**last).values_list("slug", "out_of_date_from", *last)
    )


def _get_age(since: dt.datetime | None, until: dt.datetime | None) -> float | None:
    return (until - since).total_seconds() if since and until else None
