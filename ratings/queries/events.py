"""Reading events."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db.models import Count, Prefetch, Q, QuerySet

from ratings.models import Event, RatingList


def public_events() -> QuerySet[Event]:
    """Accepted events, newest first, with the number of their players."""
    accepted = Event.objects.filter(state=Event.State.ACCEPTED)
    players = Count("tables__entries__player", distinct=True)
    return (
        accepted.annotate(players=players)
        .prefetch_related(Prefetch("lists", RatingList.objects.filter(public=True)))
        .order_by("-end", "-start", "name")
    )


def announced_events(today: dt.date) -> QuerySet[Event]:
    """What the calendar shows: announced events that are not over, the next first."""
    coming = Event.objects.filter(announced_at__isnull=False, end__gte=today)
    return coming.prefetch_related(Prefetch("lists", RatingList.objects.filter(public=True))).order_by(
        "start", "end", "name"
    )


def lists_of(event: Event) -> list[RatingList]:
    """The lists that show an event: those it is rated on, each followed by what is compared to it."""
    rated_on = Q(events=event) | Q(comparison_to__events=event)
    lists = RatingList.objects.filter(rated_on).select_related("comparison_to").distinct()
    return sorted(lists, key=lambda one: (one.source.pk, one.comparison_to_id is not None, one.pk))


def public_lists_of(event: Event) -> list[RatingList]:
    """The same without what is not open to the public."""
    return [one for one in lists_of(event) if one.public and one.source.public]


def asked_of(lists: Iterable[RatingList]) -> frozenset[str]:
    """The details of tables and games that the systems of these lists need."""
    return frozenset().union(*(rating_list.rating_system.asks for rating_list in lists))
