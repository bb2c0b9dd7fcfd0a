"""Deletion of draft results, draft events and accepted tables, which can be restored until they are erased."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _

from ratings.domain.runs.locks import lock_seats
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.domain.site.acting import acting_user
from ratings.domain.site.page_purging import purge_cached_pages
from ratings.models import (
    Adjustment,
    Decision,
    Entry,
    Event,
    EventStep,
    Game,
    Player,
    Submission,
    Table,
)
from ratings.models.messages import RunReason

from .corrections import save_first_version
from .step_figures import Figures
from .steps import lock_event, record_event_step

What = EventStep.What
ENTRY_FIELDS = ("pk", "player_id", "number", "macmahon", "place", "fixed_rating", "guest")
# games that were deleted by an older release have no kind
GAME_FIELDS = (
    "round",
    "a_id",
    "b_id",
    "score",
    "played",
    "handicap",
    "giver",
    "stones",
    "black",
    "board",
    "online",
    "correspondence",
    "kind",
)


@transaction.atomic
def delete_submission(submission: Submission) -> None:
    """Delete draft results; they can be restored.

    Raise ValidationError if the results were submitted or deleted meanwhile.
    """
    lock_event(submission.event)
    stored = Submission.objects.select_for_update(of=("self",)).get(pk=submission.pk)
    if not stored.is_open:
        raise ValidationError(_("These results are no longer a draft: open the event again."))
    _mark_as_deleted(stored)
    data = {"sheet": stored.pk}
    record_event_step(submission.event, What.DRAFT_DELETED, str(stored), data=data, submissions=[stored])


def _mark_as_deleted(submission: Submission) -> None:
    submission.state, submission.deleted_at, submission.deleted_by = (
        Submission.State.DELETED,
        timezone.now(),
        acting_user(),
    )
    submission.save(update_fields=["state", "deleted_at", "deleted_by"])


@transaction.atomic
def restore_submission(submission: Submission) -> None:
    """Restore deleted draft results, and delete a newer draft that replaced them.

    Raise ValidationError if the results are not deleted, if another correction of the table is open, if a newer version
    was submitted or accepted, or if the event is not a draft, returned or accepted.
    """
    event = lock_event(submission.event)
    stored = Submission.objects.select_for_update(of=("self",)).select_related("replaced_by").get(pk=submission.pk)
    if stored.state != Submission.State.DELETED:
        raise ValidationError(_("These results are not deleted."))
    if event.state not in Event.CHANGEABLE:
        raise ValidationError(_("Draft results can be restored when the event is a draft, returned or accepted."))
    if stored.replaced_by is not None and stored.replaced_by.is_open:
        _mark_as_deleted(stored.replaced_by)
    elif stored.replaced_by is not None and stored.replaced_by.state == Submission.State.SUBMITTED:
        raise ValidationError(_("A newer version of these results is submitted: withdraw it first."))
    if stored.table_id and _has_open_correction(stored.table_id):
        raise ValidationError(_("Another correction of this table is open: submit or delete it first."))
    if event.state == Event.State.ACCEPTED and stored.table_id is None and stored.replaced_by_id:
        raise ValidationError(_("A newer version of these results was accepted: correct that one instead."))
    stored.state, stored.deleted_at, stored.deleted_by, stored.replaced_by = Submission.State.WORKING, None, None, None
    stored.save(update_fields=["state", "deleted_at", "deleted_by", "replaced_by"])
    record_event_step(event, What.DRAFT_RESTORED, str(stored), data={"sheet": stored.pk}, submissions=[stored])


def _has_open_correction(table: int) -> bool:
    """Return True if the table has an open or submitted correction."""
    ended = (Submission.State.ACCEPTED, Submission.State.DELETED)
    return Submission.objects.filter(table=table).exclude(state__in=ended).exists()


@transaction.atomic
def delete_event(event: Event) -> None:
    """Delete an event that is a draft or was returned, and take it out of the calendar; it can be restored.

    Raise ValidationError if its results are submitted (withdraw them first) or accepted (void the event instead).
    """
    event = lock_event(event)
    if event.state == Event.State.ACCEPTED:
        raise ValidationError(
            _("An accepted event cannot be deleted: void it instead, so that its results stay on record.")
        )
    if not event.is_open:
        raise ValidationError(_("Only drafts can be deleted: withdraw the submission first."))
    announced = event.announced_at.isoformat() if event.announced_at else None
    data = {"state": event.state, "announced_at": announced}
    event.state, event.announced_at, event.deleted_at = Event.State.DELETED, None, timezone.now()
    event.save(update_fields=["state", "announced_at", "deleted_at"])
    record_event_step(event, What.DELETED, data=data)
    purge_cached_pages()


@transaction.atomic
def restore_event(event: Event) -> None:
    """Restore a deleted event with its former state and its announcement in the calendar."""
    event = lock_event(event)
    step = event.steps.filter(what=What.DELETED).last()
    if event.state != Event.State.DELETED or step is None:
        raise ValidationError(_("This event is not deleted."))
    event.state, event.deleted_at = step.data["state"], None
    event.announced_at = parse_datetime(step.data["announced_at"]) if step.data["announced_at"] else None
    event.save(update_fields=["state", "announced_at", "deleted_at"])
    record_event_step(event, What.RESTORED)


@transaction.atomic
def delete_table(table: Table, *, reason: str = "") -> None:
    """Delete an accepted table with its results and mark its lists for rating; it can be restored with its versions.

    Raise ValidationError if something depends on the table: an open correction, or adjustments and decisions that are
    dated just before it.
    """
    event = lock_event(table.event)
    stored = Table.with_deleted.select_for_update(of=("self",)).get(pk=table.pk)
    if stored.deleted_at is not None:
        raise ValidationError(_("This table was already deleted."))
    if problems := find_deletion_problems(stored):
        raise ValidationError(problems)
    save_first_version(stored)
    data = {"table": stored.pk, **_serialize_results(stored)}
    mark_lists_out_of_date(event.lists.all(), stored.last_day, RunReason.TABLE_DELETED(table=stored), tables=[stored])
    stored.games.all().delete()
    stored.entries.all().delete()
    stored.deleted_at = timezone.now()
    stored.save(update_fields=["deleted_at"])
    note = "; ".join(filter(None, [str(stored), reason]))
    record_event_step(event, What.TABLE_DELETED, note, data=data, figures=_count_results(data))


def find_deletion_problems(table: Table) -> list[str]:
    """Return messages that say why a table cannot be deleted; an empty list if it can."""
    problems = []
    if _has_open_correction(table.pk):
        problems.append(_("A correction of this table is open: accept, return or delete it first."))
    for model, message in (
        (Adjustment, _("Adjustments refer to this table (“just before the table”): move or delete them first.")),
        (Decision, _("Decisions on grades refer to this table (“just before the table”): move or delete them first.")),
    ):
        if model._default_manager.filter(before=table).exists():
            problems.append(message)
    return problems


def _serialize_results(table: Table) -> dict[str, Any]:
    entries = [
        [None if value is None else str(value) if isinstance(value, Decimal) else value for value in row]
        for row in table.entries.values_list(*ENTRY_FIELDS)
    ]
    return {"entries": entries, "games": [list(row) for row in table.games.values_list(*GAME_FIELDS)]}


def _count_results(data: Mapping[str, Any]) -> Figures:
    """Return the figures of the results of a table as `_serialize_results` stores them."""
    games = [dict(zip(GAME_FIELDS, game, strict=False)) for game in data["games"]]
    return {"players": len(data["entries"]), "games": sum(1 for game in games if game["played"])}


@transaction.atomic
def restore_table(table: Table) -> None:
    """Restore a deleted table with its results.

    Raise ValidationError if the table is not deleted, if another table of the event has its name, or if two of its
    players were merged since.
    """
    lock_seats(exclusive=False)
    event = lock_event(table.event)
    stored = Table.with_deleted.select_for_update(of=("self",)).get(pk=table.pk)
    steps = event.steps.filter(what=What.TABLE_DELETED, data__table=stored.pk)
    step = steps.last()
    if stored.deleted_at is None or step is None:
        raise ValidationError(_("This table is not deleted."))
    if event.tables.filter(name=stored.name).exists():
        raise ValidationError(_("Another table of this event now has the same name: rename it first."))
    entries = {}
    for row in step.data["entries"]:
        values = dict(zip(ENTRY_FIELDS, row, strict=True))
        pk = values.pop("pk")
        entries[pk] = Entry(table=stored, **values | {"player_id": _get_current_player_id(values["player_id"])})
    if len({entry.player_id for entry in entries.values()}) < len(entries):
        raise ValidationError(_("Two players of this table were merged since it was deleted: undo that merge first."))
    stored.deleted_at = None
    stored.save(update_fields=["deleted_at"])
    Entry.objects.bulk_create(entries.values())
    games = (dict(zip(GAME_FIELDS, row, strict=False)) for row in step.data["games"])
    Game.objects.bulk_create(
        Game(table=stored, **game | {side: game[side] and entries[game[side]].pk for side in ("a_id", "b_id")})
        for game in games
    )
    mark_lists_out_of_date(event.lists.all(), stored.last_day, RunReason.TABLE_RESTORED(table=stored), tables=[stored])
    figures = _count_results(step.data)
    record_event_step(event, What.TABLE_RESTORED, str(stored), data={"table": stored.pk}, figures=figures)


def _get_current_player_id(pk: int) -> int:
    """Return the primary key of a player, or of the player into whom they were merged."""
    player = Player.objects.select_related("merged_into").get(pk=pk)
    return (player.merged_into or player).pk
