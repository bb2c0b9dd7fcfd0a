"""Writing, in the transaction that changes an input, which lists are out of date from where, and by which tables."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.db.models import F, Min, Q
from django.db.models.functions import Coalesce, Least

from ratings.models import Event, Player, RatedTable, RatingList, Run, Table
from ratings.systems.words import Words as _

from .acting import acting_user
from .wake import wake

REASON_AT_MOST = 300


def mark_out_of_date(
    lists: Iterable[RatingList], day: dt.date | None, reason: str = "", *, tables: Iterable[Table] | None = ()
) -> None:
    """Write that lists are out of date from a day on (None: no rated day is touched), and wake the worker.

    `tables` are those to be rated again even if their players come as they came before (None: all from the day on).
    What is compared to the lists goes with them.
    """
    if day is None:
        return
    ids = [rating_list.pk for rating_list in lists]
    concerned = RatingList.objects.filter(Q(pk__in=ids) | Q(comparison_to__in=ids))
    # the lists' rows are held before anything derived is touched, so that no run replaces it meanwhile; and by
    # everybody in the same order
    for rating_list in concerned.order_by("pk"):
        earliest = Least(Coalesce("out_of_date_from", day), day)
        RatingList.objects.filter(pk=rating_list.pk).update(out_of_date_from=earliest, revision=F("revision") + 1)
        _ask_for_run(rating_list, reason)
        wake("ratings.rerate", rating_list.pk)
    rated = RatedTable.objects.filter(list__in=concerned)
    rated = rated.filter(day__gte=day) if tables is None else rated.filter(table__in=[table.pk for table in tables])
    rated.update(stale=True)


def _ask_for_run(rating_list: RatingList, reason: str) -> None:
    """The record of the run to come; several reasons stand one after the other."""
    user = acting_user()
    run, made = Run.objects.get_or_create(
        list=rating_list,
        state=Run.State.WAITING,
        preview=False,
        defaults={"reason": reason[:REASON_AT_MOST], "asked_by": user},
    )
    if not made and reason and reason not in run.reason:
        run.reason = f"{run.reason}; {reason}".strip("; ")[:REASON_AT_MOST]
        run.asked_by = run.asked_by or user
        run.save(update_fields=["reason", "asked_by"])


def mark_event(event: Event, *also: RatingList, reason: str) -> None:
    """The same for all lists of an event (and those it was taken from), from its earliest table on."""
    tables = list(event.tables.all())
    first = min((table.last_day for table in tables), default=None)
    mark_out_of_date({*event.lists.all(), *also}, first, reason, tables=tables)


def mark_player(rating_list: RatingList, player: Player) -> None:
    """What the list knows of a player changed: it is out of date from his first table or adjustment on."""
    tables = Table.objects.filter(event__lists=rating_list.source, entries__player=player).distinct()
    first_change = rating_list.changes.filter(player=player).aggregate(first=Min("day"))
    days = [day for day in (*(table.last_day for table in tables), first_change["first"]) if day]
    reason = _("what is known of player {player} was changed", player=player.public_id)
    mark_out_of_date([rating_list], min(days, default=None), reason, tables=tables)
