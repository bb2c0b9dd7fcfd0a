"""Corrections of tables: submissions made from stored results, and the saving of versions of a table."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.site.acting import acting_user
from ratings.formats.sheet_content import (
    content_from_json,
)
from ratings.models import Event, Submission, Table
from ratings.systems.messages import shorten

from .draft_reports import store_report
from .submissions import create_submission
from .table_versions import build_content_from_table


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
    store_report(correction)
    return correction


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
