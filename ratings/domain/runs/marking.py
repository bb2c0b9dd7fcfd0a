"""Marking lists as out of date, in the transaction that changes one of their inputs.

A mark stores the day from which a list is out of date, and the tables to be rated again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from django.db.models import F, Min, Q
from django.db.models.functions import Coalesce, Least

from ratings.domain.site.acting import acting_user
from ratings.models import Event, Player, RatedTable, RatingList, Run, Table
from ratings.models.messages import RunReason

from .task_queue import send_task

MAX_REASONS = 20
"""Number of reasons that a run stores, so that thousands of changes do not make an endless text."""

_collected: ContextVar[set[int] | None] = ContextVar("marked_lists", default=None)


@contextmanager
def collect_marked_lists() -> Iterator[set[int]]:
    """Yield a set to which the primary keys of the lists are added that are marked in the block."""
    marked = set[int]()
    token = _collected.set(marked)
    try:
        yield marked
    finally:
        _collected.reset(token)


def mark_lists_out_of_date(
    lists: Iterable[RatingList], day: dt.date | None, reason: str = "", *, tables: Iterable[Table] | None = ()
) -> None:
    """Mark lists as out of date from a day on, and send the task that rates them.

    Nothing is marked if `day` is None, because no rated day is affected. `tables` are rated again even if the states of
    their players are unchanged (None: all tables from the day on). Comparisons of these lists are marked as well.
    """
    if day is None:
        return
    ids = [rating_list.pk for rating_list in lists]
    affected = RatingList.objects.filter(Q(pk__in=ids) | Q(comparison_to__in=ids))
    # the rows of the lists are locked before derived rows are changed, so that no run replaces those meanwhile; locked
    # in order of primary key, to avoid deadlocks
    for rating_list in affected.order_by("pk"):
        earliest = Least(Coalesce("out_of_date_from", day), day)
        RatingList.objects.filter(pk=rating_list.pk).update(out_of_date_from=earliest, revision=F("revision") + 1)
        if (collected := _collected.get()) is not None:
            collected.add(rating_list.pk)
        _record_waiting_run(rating_list, reason)
        send_task("ratings.rerate", rating_list.pk)
    rated = RatedTable.objects.filter(list__in=affected)
    rated = rated.filter(day__gte=day) if tables is None else rated.filter(table__in=[table.pk for table in tables])
    rated.update(needs_rating=True)


def _record_waiting_run(rating_list: RatingList, reason: str) -> None:
    """Create the record of the next run, or add the reason to the waiting record."""
    user = acting_user()
    run, created = Run.objects.get_or_create(
        list=rating_list,
        state=Run.State.WAITING,
        preview=False,
        defaults={"reasons": join_reasons((), [reason]), "asked_by": user},
    )
    if not created and reason and reason not in run.reasons:
        run.reasons = join_reasons(run.reasons, [reason])
        run.asked_by = run.asked_by or user
        run.save(update_fields=["reasons", "asked_by"])


def join_reasons(present: Iterable[str], more: Iterable[str]) -> tuple[str, ...]:
    """Return the reasons of a run with more reasons added, each once, at most `MAX_REASONS`."""
    return tuple(dict.fromkeys(reason for reason in (*present, *more) if reason))[:MAX_REASONS]


def mark_event_out_of_date(event: Event, *also: RatingList, reason: str) -> None:
    """Mark all lists of an event as out of date from its earliest table on.

    `also` holds the lists from which the event was removed.
    """
    tables = list(event.tables.all())
    first = min((table.last_day for table in tables), default=None)
    mark_lists_out_of_date({*event.lists.all(), *also}, first, reason, tables=tables)


def mark_player_out_of_date(rating_list: RatingList, player: Player, reason: str = "") -> None:
    """Mark a list as out of date from a player's first table, adjustment or decision on.

    The player's tables are rated again. `reason` is stored with the run.
    """
    tables = Table.objects.filter(event__lists=rating_list.source, entries__player=player).distinct()
    first_change = rating_list.changes.filter(player=player).aggregate(first=Min("day"))
    input_days = [
        before or day
        for inputs in (rating_list.source.adjustments, rating_list.decisions)
        for day, before in inputs.filter(player=player).values_list("date", "before__last_day")
    ]
    days = [day for day in (*(table.last_day for table in tables), *input_days, first_change["first"]) if day]
    reason = reason or RunReason.PLAYER_CHANGED(player=player.public_id)
    mark_lists_out_of_date([rating_list], min(days, default=None), reason, tables=tables)
