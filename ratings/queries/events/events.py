"""Reading events."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    Max,
    Min,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Subquery,
)
from django.db.models.functions import Cast, Coalesce

from ratings.models import Club, Correction, Entry, Event, EventStep, RatedTable, RatingList, Run, Table, Upload

CORRECTED = (EventStep.What.CORRECTED, EventStep.What.REMAPPED)


def public_events() -> QuerySet[Event]:
    """Accepted events, newest first."""
    return with_public_lists(Event.objects.filter(state=Event.State.ACCEPTED)).order_by("-end", "-start", "name")


def known_events() -> QuerySet[Event]:
    """Events that have a page: the accepted ones and the announced."""
    return Event.objects.filter(Q(state=Event.State.ACCEPTED) | Q(announced_at__isnull=False)).select_related("club")


def announced_events(today: dt.date) -> QuerySet[Event]:
    """What the calendar shows: announced events that are not over, the next first."""
    coming = Event.objects.filter(announced_at__isnull=False, end__gte=today)
    return with_public_lists(coming).order_by("start", "end", "name")


def with_public_lists(events: QuerySet[Event]) -> QuerySet[Event]:
    return events.prefetch_related(Prefetch("lists", RatingList.objects.filter(public=True)))


def lately_told(events: QuerySet[Event]) -> QuerySet[Any]:
    """Events with `told_at`, when they were accepted or last corrected (else their last day), the latest first."""
    steps = EventStep.objects.filter(event=OuterRef("pk"), what__in=(EventStep.What.ACCEPTED, *CORRECTED))
    latest = Subquery(steps.order_by("-pk").values("at")[:1])
    told: QuerySet[Any] = events.annotate(told_at=Coalesce(latest, Cast("end", DateTimeField())))
    return told.order_by("-told_at", "name")


def count_players(events: Collection[Event]) -> None:
    """Let these events know how many `players` they had: for a page of them, as for all it would be slow."""
    entries = Entry.objects.filter(table__event__in=[event.pk for event in events])
    counted = entries.order_by().values_list("table__event").annotate(Count("player", distinct=True))
    numbers = dict(counted)
    for event in events:
        event.players = numbers.get(event.pk, 0)  # type: ignore[attr-defined] # for the page


def years_of(events: QuerySet[Event]) -> list[int]:
    """From the year of the last event to that of the first."""
    ends = events.order_by().aggregate(first=Min("end"), last=Max("end"))
    return [] if ends["last"] is None else list(range(ends["last"].year, ends["first"].year - 1, -1))


def countries_with(events: QuerySet[Event]) -> list[str]:
    countries = events.exclude(country="").order_by("country")
    return list(countries.values_list("country", flat=True).distinct())


def clubs_with(events: QuerySet[Event]) -> QuerySet[Club]:
    """The clubs whose events these are."""
    return Club.objects.filter(Exists(events.order_by().filter(club=OuterRef("pk")))).order_by("name")


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


def named_seats(event: Event) -> list[tuple[Any, ...]]:
    """Who sits where in an event and how the public sees him; another value whenever one of them is shown otherwise."""
    seats = Entry.objects.filter(table__event=event).order_by("pk")
    player = (f"player__{name}" for name in ("public_id", "family_name", "given_name", "shown", "country"))
    return list(seats.values_list("pk", "number", *player))


def settled_steps(event: Event, rating_list: RatingList | None) -> QuerySet[Any]:
    """When an event was accepted and corrected, oldest first, with the `run` that rated it then on a list, when that
    was done (`rated_at`), and whether it corrected `others` who had not played.
    """
    runs = Run.objects.filter(list=rating_list, state=Run.State.FINISHED, preview=False, ended_at__gte=OuterRef("at"))
    first = runs.order_by("ended_at", "pk")
    steps: QuerySet[Any] = event.steps.filter(what__in=(EventStep.What.ACCEPTED, *CORRECTED)).annotate(
        run=Subquery(first.values("pk")[:1]), rated_at=Subquery(first.values("ended_at")[:1])
    )
    others = Correction.objects.filter(run=OuterRef("run"), hidden=False)
    steps = steps.annotate(others=Exists(others))
    return steps.order_by("pk")


def neighbours(event: Event, rated: Sequence[RatedTable]) -> tuple[Event | None, Event | None]:
    """The events whose tables a list rates just before the first and just after the last of an event's tables."""
    if not rated:
        return None, None
    first, last = min((one.day, one.place) for one in rated), max((one.day, one.place) for one in rated)
    public = Table.objects.exclude(event=event).filter(event__state=Event.State.ACCEPTED)
    others = RatedTable.objects.filter(list=rated[0].list_id, table__in=public.values("pk"))
    before = others.filter(day__lte=first[0]).exclude(day=first[0], place__gt=first[1]).order_by("-day", "-place")
    after = others.filter(day__gte=last[0]).exclude(day=last[0], place__lt=last[1]).order_by("day", "place")
    either = Q(pk=Subquery(before.values("pk")[:1])) | Q(pk=Subquery(after.values("pk")[:1]))  # `in` would read all
    found = RatedTable.objects.filter(either).select_related("table__event")
    places = {(one.day, one.place): one.table.event for one in found}
    return (
        next((other for place, other in places.items() if place < first), None),
        next((other for place, other in places.items() if place > last), None),
    )


def original_files(event: Event) -> QuerySet[Upload]:
    """What was given for an event, byte for byte; they name everybody, and are for its organisers and officers."""
    return event.uploads.defer("data").order_by("pk")
