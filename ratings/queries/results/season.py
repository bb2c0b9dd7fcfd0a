"""Figures of an organiser's rated events of a year."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Q

from ratings.models import Change, Event, Game


@dataclass(frozen=True)
class Season:
    """Numbers of events rated in a calendar year, of their games and players, and of first ratings on a list."""

    year: int
    events: int
    games: int
    players: int
    new: int


def read_season(events: Iterable[Any], year: int) -> Season | None:
    """Return the figures of those of some events that ended in a year and are rated; None without one; two queries.

    The events have `is_rated`. A player who got a first rating on two lists is new once.
    """
    rated = [e.pk for e in events if e.state == Event.State.ACCEPTED and e.is_rated and e.end.year == year]
    if not rated:
        return None
    changes = Change.objects.filter(table__event__in=rated, list__comparison_to=None, games__gt=0)
    first = Count("player", distinct=True, filter=Q(before=None, after__isnull=False))
    figures = changes.aggregate(players=Count("player", distinct=True), new=first)
    tables = changes.order_by().values("table")
    games = Game.objects.filter(table__in=tables, played=True, b__isnull=False).count()
    return Season(year, len(rated), games, figures["players"], figures["new"])
