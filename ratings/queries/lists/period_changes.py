"""Results tables, closing days and corrections behind some players' changes between two days."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q

from ratings.displayed_changes import round_change, round_difference
from ratings.models import Correction, RatingList

from .stored_changes import ChangesByPlayer, StoredChange, read_changes


class Cause(NamedTuple):
    """Cause of a player's change in a period: a results table, a closing day or a correction by a run.

    All are None if there are several, or none of them has a page. `change` is the change on that page as it is
    displayed, in rating points: it differs from the change since a published list that was corrected meanwhile.
    """

    change: float | None = None
    table: int | None = None
    closing_day: dt.date | None = None
    correction: Correction | None = None


NO_SINGLE_CAUSE = Cause()


def read_period_causes(
    rating_list: RatingList, players: Iterable[int], since: dt.date, until: dt.date
) -> dict[int, Cause]:
    """Return the results table or closing day behind each player's changes after `since` and up to `until`."""
    changes = read_changes(rating_list, list(players), Q(day__gt=since, day__lte=until))
    return find_period_causes(rating_list, changes, since)


def find_period_causes(rating_list: RatingList, changes: ChangesByPlayer, since: dt.date) -> dict[int, Cause]:
    """Return the results table or closing day behind the changes of each player after a day.

    Players without a rated event or a closing day in the period are omitted. Tables whose points a closing day adds are
    no changes of their own.
    """
    causes = {}
    for player, rows in changes.items():
        steps = [row for row in rows if row.published and row.day > since]
        if any((step.table and step.games) or step.is_closing for step in steps):
            causes[player] = _find_only_cause(steps, rating_list.decimals)
    return causes


def _find_only_cause(steps: Sequence[StoredChange], decimals: int) -> Cause:
    """Return the cause of a player's only change; NO_SINGLE_CAUSE if there are several, or if it has no page."""
    if any(step.is_closing for step in steps):
        steps = [step for step in steps if step.before != step.after]
    if len(steps) != 1:
        return NO_SINGLE_CAUSE
    step = steps[0]
    before, after = step.before, step.after
    change = None if before is None or after is None else round_difference(before, after, decimals)
    if step.is_closing:
        return Cause(change, closing_day=step.day)
    return Cause(change, table=step.table) if step.games else NO_SINGLE_CAUSE


def add_corrections(
    rating_list: RatingList,
    causes: Mapping[int, Cause],
    changes: Mapping[int, float | None],
    since: dt.datetime,
    until: dt.datetime | None = None,
) -> dict[int, Cause]:
    """Return the causes, with the corrections of players whose published rating changed without a rated event.

    `changes` are in rating points, by player's primary key; runs that ended after `since` and up to `until` count.
    Reads nothing if the causes explain all changes.
    """
    unexplained = [player for player, change in changes.items() if change and player not in causes]
    if not unexplained:
        return dict(causes)
    corrections = Correction.objects.filter(
        run__list=rating_list, player__in=unexplained, hidden=False, run__ended_at__gt=since
    )
    if until is not None:
        corrections = corrections.filter(run__ended_at__lte=until)
    by_player: dict[int, list[Correction]] = defaultdict(list)
    for correction in corrections:
        by_player[correction.player_id].append(correction)
    return dict(causes) | {
        player: Cause(round_change(own[0], rating_list.decimals), correction=own[0])
        if len(own) == 1
        else NO_SINGLE_CAUSE
        for player, own in by_player.items()
    }
