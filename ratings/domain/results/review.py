"""Steps of officers: return results, and undo a return or a correction; each is recorded.

Every step locks the event's row first and then its submissions, so that two steps cannot run at the same time.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.domain.runs.locks import lock_seats
from ratings.domain.site.acting import acting_user
from ratings.formats.sheet_content import content_from_json
from ratings.models import Event, EventStep, Submission
from ratings.models.messages import RecordReason
from ratings.queries.results.workflow import earlier_version, latest_version
from ratings.systems.messages import shorten

from .accepting import accept_submissions, find_list_requiring_other_person
from .comments import open_comments
from .corrections import get_or_create_correction
from .steps import lock_event, record_event_step
from .submission_checks import check_submission

What = EventStep.What


@transaction.atomic
def return_results(event: Event, note: str) -> None:
    """Return submitted results to their organisers, with a note that says what to change.

    Open comments on the results can take the place of the note. Raise ValidationError if no submission is waiting, or
    if there is neither a note nor a comment.
    """
    event = lock_event(event)
    submitted = event.submissions.filter(state=Submission.State.SUBMITTED)
    if not submitted.exists():
        raise ValidationError(_("This event has no submitted results."))
    if not note.strip() and open_comments(event).filter(submission__state=Submission.State.SUBMITTED).exists():
        note = RecordReason.SEE_COMMENTS()
    if not note.strip():
        raise ValidationError(_("Enter the changes that the organisers should make."))
    returned = list(submitted)
    versions = {str(submission.pk): submission.version for submission in returned}
    contents = {str(submission.pk): submission.content for submission in returned}
    submitted.update(state=Submission.State.RETURNED)
    if event.state != Event.State.ACCEPTED:
        event.state = Event.State.RETURNED
        event.save(update_fields=["state"])
    comments = open_comments(event).filter(submission__in=returned).count()
    data = {"sheets": versions, "contents": contents}
    record_event_step(event, What.RETURNED, note, data=data, submissions=returned, figures={"comments": comments})


@transaction.atomic
def undo_return(event: Event, versions: Mapping[str, int]) -> None:
    """Undo the return of results, so that they wait for an officer again.

    `versions` holds the versions of the returned submissions by their primary keys. Raise ValidationError if the
    results were changed or submitted since.
    """
    event = lock_event(event)
    returned = list(
        event.submissions.select_for_update(of=("self",)).filter(state=Submission.State.RETURNED, pk__in=versions)
    )
    unchanged = {str(submission.pk): submission.version for submission in returned} == dict(versions)
    if event.state not in (Event.State.RETURNED, Event.State.ACCEPTED) or not unchanged:
        raise ValidationError(_("The organisers have changed or submitted these results since."))
    Submission.objects.filter(pk__in=versions).update(state=Submission.State.SUBMITTED)
    if event.state == Event.State.RETURNED:
        event.state = Event.State.SUBMITTED
        event.save(update_fields=["state"])
    record_event_step(event, What.RETURN_UNDONE, submissions=returned)


@transaction.atomic
def undo_correction(event: Event, submissions: Iterable[int], *, reason: str) -> str:
    """Restore the results that the tables had before accepted corrections.

    Other submissions that wait are not touched. If a list requires two persons, the earlier results wait as a
    correction for another officer; the returned message says so, and is empty otherwise. Raise ValidationError if a
    table has no earlier version, or was deleted or corrected again since, or has an open correction.
    """
    lock_seats(exclusive=False)
    event = lock_event(event)
    corrections = []
    for submission in Submission.objects.filter(pk__in=submissions, event=event).select_related("table").order_by("pk"):
        before = earlier_version(submission) if submission.table_id else None
        if submission.table is None or submission.table.deleted_at is not None or before is None:
            raise ValidationError(
                _("%(table)s has no earlier version: delete the table instead.")
                % {
                    "table": submission,
                }
            )
        if latest_version(submission.table) != submission:
            raise ValidationError(
                _("%(table)s was corrected again since: undo that correction first.")
                % {
                    "table": submission,
                }
            )
        correction = get_or_create_correction(submission.table, from_version=before)
        correction.name, correction.first_day, correction.last_day = before.name, before.first_day, before.last_day
        correction.reason, correction.state = shorten(reason, 300), Submission.State.SUBMITTED
        correction.save()
        corrections.append(correction.pk)
    waiting = event.submissions.filter(pk__in=corrections)
    if rating_list := find_list_requiring_other_person(event, waiting):
        for correction in waiting:
            _confirm_warnings(correction)
        record_event_step(event, What.PROPOSED, reason, submissions=waiting)
        return _("%(list)s requires two people: the earlier results wait until another officer accepts them.") % {
            "list": rating_list
        }
    accept_submissions(event, waiting, confirmation="?")
    return ""


def _confirm_warnings(correction: Submission) -> None:
    """Confirm the warnings of a correction that restores earlier results, so that another officer can accept it."""
    content = content_from_json(correction.content)
    for warning in check_submission(correction, content, acting_user()).warnings:
        content.confirmed.setdefault(warning.key, "?")
    correction.content = content.to_json()
    correction.save()
