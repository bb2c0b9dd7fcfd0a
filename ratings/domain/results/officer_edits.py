"""Changes of waiting results by an officer: each is a version with a step of its own, and can be undone."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.domain.runs.task_queue import send_task
from ratings.domain.site.acting import acting_user
from ratings.formats.sheet_content import SheetContent, content_from_json
from ratings.models import EventStep, Submission

from .accepting import mark_submitted
from .edit_lines import EditLine, Version, list_edit_lines, save_version
from .findings import CheckedSubmission
from .steps import lock_event, record_event_step
from .submission_checks import DAY_FIELDS, PAGE_FIELDS, check_submission
from .submissions import save_submission

What = EventStep.What


@dataclass(frozen=True)
class SavedEdit:
    """Results after an officer's change, checked, and the step that records it; None if nothing was changed."""

    checked: CheckedSubmission
    step: EventStep | None


@transaction.atomic
def save_officer_edit(submission: Submission, content: SheetContent, *, version: int | None = None) -> SavedEdit:
    """Save an officer's change of a waiting submission as a version of it, and inform the organisers.

    Raise ConflictError if somebody has saved another version since, and ValidationError if the submission no longer
    waits, because it was withdrawn, returned or accepted meanwhile.
    """
    event = lock_event(submission.event)
    before = save_version(Submission.objects.get(pk=submission.pk))
    if not list_edit_lines(before, save_version(_with_content(submission, content))):
        return SavedEdit(check_submission(submission, content, acting_user()), None)
    checked = save_submission(submission, content, version=version, is_waiting=True)
    mark_submitted(submission, checked)
    _forget_summary(event.pk)
    after = save_version(submission)
    data = {"sheet": submission.pk, "version": submission.version, "before": before, "after": after}
    return SavedEdit(checked, record_event_step(event, What.EDITED, data=data))


def _with_content(submission: Submission, content: SheetContent) -> Submission:
    """Return an unsaved submission with the same fields and other content."""
    fields = {name: getattr(submission, name) for name in (*PAGE_FIELDS, *DAY_FIELDS)}
    return Submission(event=submission.event, content=content.to_json(), **fields)


def _forget_summary(event_id: int) -> None:
    """Delete the stored summary of a submission, and have it computed again."""
    step = EventStep.objects.filter(event=event_id, what__in=[What.SUBMITTED, What.PROPOSED]).last()
    if step is not None and step.data.pop("summary", None) is not None:
        step.save(update_fields=["data"])
    send_task("ratings.summarise", event_id)


def find_edit_undo_problem(step: EventStep) -> str:
    """Return why an officer's change cannot be undone; empty if it can."""
    submission = Submission.objects.filter(pk=step.data.get("sheet")).first()
    if submission is None or submission.state != Submission.State.SUBMITTED:
        return _("These results no longer wait for an officer.")
    if submission.version != step.data.get("version"):
        return _("These results were changed again since: undo that change first.")
    return ""


def undo_officer_edit(step: EventStep) -> None:
    """Restore the results that an officer had changed; this is a new version, which can be undone as well.

    Raise ValidationError if the results were changed again since, or no longer wait.
    """
    submission = Submission.objects.select_related("event", "table").get(pk=step.data["sheet"])
    before: Version = step.data["before"]
    submission.name = before["name"]
    if str(submission.reason) != before["reason"]:  # a message of the portal stays as it is
        submission.reason = before["reason"]
    submission.first_day, submission.last_day = (dt.date.fromisoformat(before[name]) for name in DAY_FIELDS)
    saved = save_officer_edit(submission, content_from_json(before["content"]), version=step.data["version"])
    if saved.step is None:
        raise ValidationError(_("These results are already as they were before."))


def describe_edit(step: EventStep) -> list[EditLine]:
    """Return what an officer changed in a step."""
    return list_edit_lines(step.data["before"], step.data["after"])


def list_edits(submission: Submission) -> list[tuple[EventStep, list[EditLine]]]:
    """Return the changes that officers made to a submission, newest first, with their lines."""
    steps = submission.event.steps.filter(what=What.EDITED, data__sheet=submission.pk).select_related("by")
    return [(step, describe_edit(step)) for step in steps.order_by("-pk")]
