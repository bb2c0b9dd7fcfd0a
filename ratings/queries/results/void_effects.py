"""Figures of what voiding an event would change, counted without rating anything again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ratings.models import Award, Change, Event, RatedTable
from ratings.systems.values import AwardHow

MAX_EVENTS = 3
"""Maximum number of later events that are named."""


@dataclass(frozen=True)
class VoidEffects:
    """Numbers of ratings changed by an event and of tables after it that are rated again, and what is named.

    `events` are the first later events by name, `grades` the awards won in the event with their players.
    """

    ratings: int
    later: int
    events: Sequence[str]
    grades: Sequence[Award]


def read_void_effects(event: Event) -> VoidEffects:
    """Return what voiding an accepted event would change on its lists, with four queries."""
    changes = Change.objects.filter(table__event=event, games__gt=0, list__comparison_to=None)
    later = RatedTable.objects.filter(list__in=event.lists.all(), day__gt=event.end)
    won = Award.objects.filter(table__event=event, last_of_step=True, list__comparison_to=None)
    names = later.order_by("day", "place").values_list("table__event__name", flat=True)[: 4 * MAX_EVENTS]
    return VoidEffects(
        ratings=changes.order_by().values("list", "player").distinct().count(),
        later=later.order_by().values("table").distinct().count(),
        events=list(dict.fromkeys(name for name in names if name))[:MAX_EVENTS],
        grades=list(won.exclude(how=AwardHow.DEMOTION).select_related("player")),
    )
