"""Corrections of tables: submissions made from stored results, and the versions of a table."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.events.details import load_details
from ratings.domain.site.acting import acting_user
from ratings.formats.changes import Difference, find_differences
from ratings.formats.parsed import Cell
from ratings.formats.sheet_content import (
    SheetContent,
    SheetRow,
    content_from_json,
)
from ratings.models import Event, Game, Submission, Table
from ratings.queries.results.workflow import earlier_version
from ratings.systems.messages import shorten

from .submissions import create_submission

ABSENT = "0-"


def build_content_from_table(table: Table) -> SheetContent:
    """Return the results of a stored table as the content of a submission."""
    entries = list(table.entries.select_related("player").order_by("number"))
    games = list(Game.objects.filter(table=table).select_related("a", "b"))
    rounds = max((game.round for game in games), default=0)
    rows = {
        entry.pk: SheetRow(
            entry.player.family_name,
            entry.player.given_name,
            str(entry.player.country),
            entry.player.public_id,
            fixed_rating=entry.fixed_rating,
            macmahon="" if entry.macmahon is None else f"{entry.macmahon:g}",
            place="" if entry.place is None else str(entry.place),
            cells=["&"] + [""] * (rounds - 1) if entry.guest else [ABSENT] * rounds,
        )
        for entry in entries
    }
    numbers = {entry.pk: number for number, entry in enumerate(entries, 1)}
    guests = {entry.pk for entry in entries if entry.guest}
    for game in games:
        for side, entry_id, opponent_id in (("a", game.a_id, game.b_id), ("b", game.b_id, game.a_id)):
            if entry_id is not None and entry_id not in guests:
                cell = Cell.from_game(game, side, numbers[opponent_id] if opponent_id else 0)
                rows[entry_id].cells[game.round - 1] = cell.typed
    return SheetContent(rounds, list(rows.values()), details=load_details(table))


@transaction.atomic
def get_or_create_correction(table: Table, *, from_version: Submission | None = None) -> Submission:
    """Return the open correction of a table, or create one from its current results or from `from_version`.

    Raise ValidationError if the event is not accepted (any more), if the table was deleted, or if `from_version` is
    given while a correction is open.
    """
    event = Event.objects.select_for_update().get(pk=table.event_id)
    if event.state != Event.State.ACCEPTED:
        raise ValidationError(_("Only accepted results can be corrected: open the event again."))
    table = Table.with_deleted.get(pk=table.pk)  # read again now that the event is locked
    if table.deleted_at is not None:
        raise ValidationError(_("This table was already deleted."))
    open_ = table.submissions.exclude(state__in=[Submission.State.ACCEPTED, Submission.State.DELETED]).first()
    if open_ is not None and from_version is not None:
        raise ValidationError(_("A correction of this table is open already: submit or delete it first."))
    if open_ is not None:
        return open_
    content = build_content_from_table(table) if from_version is None else content_from_json(from_version.content)
    save_first_version(table)
    correction = create_submission(event, content, name=table.name, days=(table.first_day, table.last_day))
    correction.table = table
    correction.save()
    return correction


def list_changes(submission: Submission, content: SheetContent) -> list[Difference]:
    """Return the changes of a correction to its table, or of an accepted version to the version before."""
    if submission.table is None:
        return []
    if submission.state != Submission.State.ACCEPTED:
        return find_differences(build_content_from_table(submission.table), content)
    before = earlier_version(submission)
    return find_differences(content_from_json(before.content), content) if before else []


def save_new_version(table: Table, reason: str = "") -> None:
    """Save the current results of a table as its newest version, accepted by the acting user."""
    version = create_submission(
        table.event, build_content_from_table(table), name=table.name, days=(table.first_day, table.last_day)
    )
    version.table, version.state, version.reason = table, Submission.State.ACCEPTED, shorten(reason, 300)
    version.accepted_by, version.accepted_at = acting_user(), timezone.now()
    version.save()


def save_first_version(table: Table) -> None:
    """Save the current results of a table as its first version, if it has no version yet."""
    if not table.submissions.filter(state=Submission.State.ACCEPTED).exists():
        first = create_submission(
            table.event, build_content_from_table(table), name=table.name, days=(table.first_day, table.last_day)
        )
        first.table, first.state, first.made_by = table, Submission.State.ACCEPTED, table.event.created_by
        first.save()
