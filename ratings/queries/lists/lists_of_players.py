"""Lists that hold data of given players or tables."""

from __future__ import annotations

from typing import Any

from django.db.models import Model, Q, QuerySet

from ratings.models import Adjustment, Approval, Decision, Entry, Event, ListPlayer, Player, RatingList, Table

DIRECT: tuple[type[Model], ...] = (Adjustment, Approval, Decision, ListPlayer)
"""Models that belong to a list and a player."""


def lists_of_players(*players: Player) -> QuerySet[RatingList]:
    """Return the lists on which any of these players has results, grades, adjustments or details, by primary key.

    Comparison lists are left out: they follow the list that they are compared to. Each relation has a subquery of its
    own, because joining several to-many relations with OR multiplies their rows.
    """
    entries = Entry.objects.filter(player__in=players)
    condition = Q(pk__in=_lists_of_events(entries.values("table__event")))
    for model in DIRECT:
        condition |= Q(pk__in=model._default_manager.filter(player__in=players).values("list"))
    return RatingList.objects.filter(condition, comparison_to=None).order_by("pk")


def lists_of_tables(tables: list[int]) -> QuerySet[RatingList]:
    """Return the lists on which tables with these primary keys are rated, by primary key."""
    events = Table.objects.filter(pk__in=tables).values("event")
    return RatingList.objects.filter(pk__in=_lists_of_events(events), comparison_to=None).order_by("pk")


def _lists_of_events(events: QuerySet[Any, Any]) -> QuerySet[Any, Any]:
    return Event.lists.through.objects.filter(event__in=events).values("ratinglist")
