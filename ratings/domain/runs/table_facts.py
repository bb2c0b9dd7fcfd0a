"""Storage of the facts of rated tables, which a worker computes after a run in short transactions of its own.

A run deletes the facts that it may have changed. Missing facts are computed again, those of the latest tables first;
the sweep finds lists whose task was lost.
"""

from __future__ import annotations

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from ratings.models import Change, RatedTable, RatingList, TableFacts
from ratings.queries.events.crosstables import build_crosstables
from ratings.queries.events.table_facts import compute_facts, highest_ratings_before, read_deviations_before
from ratings.queries.lists.list_cache import version_of
from ratings.queries.runs.values import MAX_PLAYERS_BY_ID

from .outcome import Outcome
from .task_queue import send_task

TOGETHER = 25
"""Number of tables whose facts are computed and stored together."""
MISSING = Q(facts=None, needs_rating=False)
AT_ONCE = 500
"""Number of tables in one task, so that other tasks get their turn; the next sweep continues."""


def delete_outdated_facts(rating_list: RatingList, outcome: Outcome) -> None:
    """Delete the facts of all tables since the first day of a run that an affected player took part in.

    A highest rating depends on all earlier tables of the player. The facts of a replaced RatedTable are gone with it.
    """
    facts = TableFacts.objects.filter(rated__list=rating_list, rated__day__gte=outcome.since)
    if len(outcome.states) <= MAX_PLAYERS_BY_ID:
        affected = Change.objects.filter(
            list=rating_list, table=OuterRef("rated__table"), player__in=list(outcome.states)
        )
        facts = facts.filter(Exists(affected))
    facts.delete()


def request_facts(list_id: int) -> None:
    """Send the task that completes the facts of a list."""
    send_task("ratings.facts", list_id)


def lists_with_missing_facts() -> list[int]:
    """Return the primary keys of the lists with missing facts, except lists that are out of date."""
    missing = RatedTable.objects.filter(MISSING, list=OuterRef("pk"))
    return list(RatingList.objects.filter(Exists(missing), out_of_date_from=None).values_list("pk", flat=True))


def complete_facts(list_id: int) -> None:
    """Compute and store missing facts of a list, at most of AT_ONCE tables.

    Stop when the list is out of date or changes meanwhile: its next run sends the task again.
    """
    for _ in range(AT_ONCE // TOGETHER):
        rating_list = RatingList.objects.filter(pk=list_id, out_of_date_from=None).first()
        if rating_list is None or not _complete_some(rating_list):
            return


def _complete_some(rating_list: RatingList) -> bool:
    """Store the facts of some tables; return False if none is missing or the list has changed meanwhile."""
    latest_first = RatedTable.objects.filter(MISSING, list=rating_list).order_by("-day", "-place")
    missing = list(latest_first.select_related("table__event")[:TOGETHER])
    tables = {rated.table: rated for rated in missing}
    peaks = highest_ratings_before(missing, rating_list)
    deviations, dated = read_deviations_before(missing, rating_list), rating_list.dated_system
    computed = [
        compute_facts(
            crosstable,
            dated.on(crosstable.table.last_day),
            peaks.get(crosstable.table.pk),
            deviations.get(crosstable.table.pk),
        )
        for crosstable in build_crosstables(tables, rating_list)
    ]
    with transaction.atomic():
        locked = RatingList.objects.select_for_update().get(pk=rating_list.pk)
        if not computed or version_of(locked) != version_of(rating_list):
            return False
        TableFacts.objects.bulk_create(computed, ignore_conflicts=True)
    return True
