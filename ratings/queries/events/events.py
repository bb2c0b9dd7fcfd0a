"""Queries for events."""

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

from ratings.models import (
    Club,
    Correction,
    Entry,
    Event,
    EventStep,
    Federation,
    RatedTable,
    RatingList,
    Run,
    Table,
    Upload,
)

WITH_RESULTS = (Event.State.ACCEPTED, Event.State.VOID)
"""States of events whose results are public."""
CORRECTED = (EventStep.What.CORRECTED, EventStep.What.REMAPPED)


def public_events() -> QuerySet[Event]:
    """Return accepted events, newest first."""
    return with_public_lists(Event.objects.filter(state=Event.State.ACCEPTED)).order_by("-end", "-start", "name")


def events_with_page() -> QuerySet[Event]:
    """Return the events that have a public page: accepted, void and announced ones."""
    results = Q(state__in=WITH_RESULTS)
    return with_time_zone(Event.objects.filter(results | Q(announced_at__isnull=False)).select_related("club"))


def with_time_zone(events: QuerySet[Event]) -> QuerySet[Event]:
    """Return events with `time_zone`, the name of that of their first list's federation; None without lists."""
    lists = RatingList.objects.filter(events=OuterRef("pk")).order_by("pk")
    return events.annotate(time_zone=Subquery(lists.values("federation__time_zone")[:1]))


def list_time_zones(events: Iterable[Event]) -> list[str | None]:
    """Return the names of the time zones of events from `with_time_zone`; None for an event without lists."""
    return [event.time_zone for event in events]  # type: ignore[attr-defined] # annotated by with_time_zone


def find_time_zone(event: Event) -> str | None:
    """Return the name of the time zone of an event, that of its first list's federation; None without lists."""
    return event.lists.order_by("pk").values_list("federation__time_zone", flat=True).first()


def announced_events(today: dt.date) -> QuerySet[Event]:
    """Return the events of the calendar: announced, not void and not over, the next first."""
    coming = Event.objects.filter(announced_at__isnull=False, end__gte=today).exclude(state=Event.State.VOID)
    return with_public_lists(coming).order_by("start", "end", "name")


def read_last_and_next_events(
    lists: Collection[RatingList], today: dt.date
) -> dict[int, tuple[Event | None, Event | None]]:
    """Return the last accepted and the next announced event of some lists, by the federation's primary key."""
    of_federation = {"lists__federation": OuterRef("pk"), "lists__in": [each.pk for each in lists]}
    found = Federation.objects.filter(pk__in={each.federation_id for each in lists}).values_list(
        "pk",
        Subquery(public_events().filter(**of_federation).values("pk")[:1]),
        Subquery(announced_events(today).filter(**of_federation).values("pk")[:1]),
    )
    pks = {federation: (last, following) for federation, last, following in found}
    events = Event.objects.in_bulk({pk for pair in pks.values() for pk in pair if pk is not None})
    return {federation: (events.get(last), events.get(following)) for federation, (last, following) in pks.items()}


def with_public_lists(events: QuerySet[Event]) -> QuerySet[Event]:
    return events.prefetch_related(Prefetch("lists", RatingList.objects.filter(public=True)))


def recently_updated(events: QuerySet[Event]) -> QuerySet[Any]:
    """Return events with `told_at`, when they were accepted or last corrected (else the last day), latest first."""
    steps = EventStep.objects.filter(event=OuterRef("pk"), what__in=(EventStep.What.ACCEPTED, *CORRECTED))
    latest = Subquery(steps.order_by("-pk").values("at")[:1])
    dated: QuerySet[Any] = events.annotate(told_at=Coalesce(latest, Cast("end", DateTimeField())))
    return dated.order_by("-told_at", "name")


def filter_by_lists(events: QuerySet[Event], lists: Iterable[RatingList]) -> QuerySet[Event]:
    """Return the events of any of these lists, each once; the newest are found without reading and sorting all."""
    return events.filter(Exists(Event.lists.through.objects.filter(event=OuterRef("pk"), ratinglist__in=lists)))


def set_player_counts(events: Collection[Event]) -> None:
    """Set `players`, the number of players, on each of these events; meant for one page, as it is slow for all."""
    entries = Entry.objects.filter(table__event__in=[event.pk for event in events])
    counted = entries.order_by().values_list("table__event").annotate(Count("player", distinct=True))
    numbers = dict(counted)
    for event in events:
        event.players = numbers.get(event.pk, 0)  # type: ignore[attr-defined] # templates read it


def years_of(events: QuerySet[Event]) -> list[int]:
    """Return all years from that of the last event down to that of the first."""
    ends = events.order_by().aggregate(first=Min("end"), last=Max("end"))
    return [] if ends["last"] is None else list(range(ends["last"].year, ends["first"].year - 1, -1))


def countries_with(events: QuerySet[Event]) -> list[str]:
    countries = events.exclude(country="").order_by("country")
    return list(countries.values_list("country", flat=True).distinct())


def clubs_with(events: QuerySet[Event]) -> QuerySet[Club]:
    """Return the clubs that hold these events, by name."""
    return Club.objects.filter(Exists(events.order_by().filter(club=OuterRef("pk")))).order_by("name")


def lists_of(event: Event) -> list[RatingList]:
    """Return the lists that show an event: those it is rated on, each followed by its comparisons."""
    rated_on = Event.lists.through.objects.filter(event=event).values("ratinglist")
    with_event = Q(pk__in=rated_on) | Q(comparison_to__in=rated_on)
    # ordered here: Django takes longer to name the order of so many columns than Python to sort a few rows
    lists = RatingList.objects.filter(with_event).select_related("comparison_to", "federation").order_by()
    return sorted(lists, key=lambda item: (item.source.pk, item.comparison_to_id is not None, item.pk))


def public_lists_of(event: Event) -> list[RatingList]:
    """Return the lists that show an event and are open to the public, in the order of `lists_of`."""
    return [rating_list for rating_list in lists_of(event) if rating_list.public and rating_list.source.public]


def required_details(lists: Iterable[RatingList]) -> frozenset[str]:
    """Return the names of the details of tables and games that the systems of these lists need."""
    return frozenset().union(*(rating_list.rating_system.rating.required_values for rating_list in lists))


def prior_grades(lists: Iterable[RatingList]) -> list[str]:
    """Return the grades a new player of these lists may have held before, highest first, each once.

    Comparisons take prior grades over from their list, so they offer none.
    """
    scales = (reversed(rating_list.rating_system.grading.grades) for rating_list in lists if rating_list.has_grades)
    return list(dict.fromkeys(grade for scale in scales for grade in scale))


def public_entries(event: Event) -> list[tuple[Any, ...]]:
    """Return the entries of an event with their players' names, visibility and countries.

    The value changes whenever the public sees one of the players differently, so it can be part of a cache key.
    """
    seats = Entry.objects.filter(table__event=event).order_by("pk")
    player = (f"player__{name}" for name in ("public_id", "family_name", "given_name", "shown", "country"))
    return list(seats.values_list("pk", "number", *player))


def rating_steps(event: Event, rating_list: RatingList | None) -> QuerySet[Any]:
    """Return the steps in which an event was accepted or corrected, oldest first, with the rating run after each.

    `run` is the id of that run on the list, `rated_at` the time when it ended; `others` is True if it corrected
    players who had not played.
    """
    first = Run.objects.finished().filter(list=rating_list).ended_since(OuterRef("at"))
    steps: QuerySet[Any] = event.steps.filter(what__in=(EventStep.What.ACCEPTED, *CORRECTED)).annotate(
        run=Subquery(first.values("pk")[:1]), rated_at=Subquery(first.values("ended_at")[:1])
    )
    others = Correction.objects.filter(run=OuterRef("run"), hidden=False)
    steps = steps.annotate(others=Exists(others))
    return steps.order_by("pk")


def adjacent_events(event: Event, rated: Sequence[RatedTable]) -> tuple[Event | None, Event | None]:
    """Return the events rated on a list just before and just after an event; None if there is none.

    `rated` are the event's own tables on the list.
    """
    if not rated:
        return None, None
    first, last = min((table.day, table.place) for table in rated), max((table.day, table.place) for table in rated)
    public = Table.objects.exclude(event=event).filter(event__state=Event.State.ACCEPTED)
    others = RatedTable.objects.filter(list=rated[0].list_id, table__in=public.values("pk"))
    before = others.filter(day__lte=first[0]).exclude(day=first[0], place__gt=first[1]).order_by("-day", "-place")
    after = others.filter(day__gte=last[0]).exclude(day=last[0], place__lt=last[1]).order_by("day", "place")
    # not `in`, which would read all rows
    either = Q(pk=Subquery(before.values("pk")[:1])) | Q(pk=Subquery(after.values("pk")[:1]))
    adjacent = RatedTable.objects.filter(either).select_related("table__event")
    places = {(table.day, table.place): table.table.event for table in adjacent}
    return (
        next((other for place, other in places.items() if place < first), None),
        next((other for place, other in places.items() if place > last), None),
    )


def original_files(event: Event) -> QuerySet[Upload]:
    """Return the unchanged uploads of an event, for its organisers and officers only, as they name all players."""
    return event.uploads.defer("data").order_by("pk")
