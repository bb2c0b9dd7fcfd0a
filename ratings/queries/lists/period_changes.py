"""Results tables and closing days behind some players' changes between two days, read with one query for a page."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ratings.models import Change, RatingList


class PeriodStep(NamedTuple):
    """A change as it is stored; without a table, an adjustment and a decision it is a closing day's."""

    day: dt.date
    table: int | None
    games: int
    adjustment: int | None
    decision: int | None
    before: float | None
    after: float | None

    @property
    def is_closing(self) -> bool:
        return self.table is None and self.adjustment is None and self.decision is None


Cause = int | dt.date | None
"""What explains a change: a results table by primary key, a closing day, or None for several events."""


def read_period_causes(
    rating_list: RatingList, players: Iterable[int], since: dt.date, until: dt.date
) -> dict[int, Cause]:
    """Return the results table or closing day behind each player's changes after `since` and up to `until`.

    It is None for a player with several changes; players without a rated event or a closing day in the period are
    omitted. Tables whose points a closing day adds are no changes of their own.
    """
    changes = Change.objects.filter(
        list=rating_list, player__in=list(players), day__gt=since, day__lte=until, hidden=False, published=True
    )
    steps: dict[int, list[PeriodStep]] = defaultdict(list)
    for player, *row in changes.order_by("day", "place").values_list("player", *PeriodStep._fields):
        steps[player].append(PeriodStep._make(row))
    return {
        player: _find_only_cause(own)
        for player, own in steps.items()
        if any((step.table and step.games) or step.is_closing for step in own)
    }


def _find_only_cause(steps: Sequence[PeriodStep]) -> Cause:
    """Return the cause of a player's only change; None if there are several, or if it has no page."""
    if any(step.is_closing for step in steps):
        steps = [step for step in steps if step.before != step.after]
    if len(steps) != 1:
        return None
    step = steps[0]
    return step.day if step.is_closing else step.table if step.games else None
