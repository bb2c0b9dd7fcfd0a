"""Steps of organisers: announce an event, submit its results and withdraw them; each is recorded.

Every step locks the seats first where it saves results, then the event's row, then its submissions, so that two steps
cannot run at the same time.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.events.event_requirements import find_unmet_requirements
from ratings.domain.events.tables import save_event
from ratings.domain.runs.locks import lock_seats
from ratings.domain.runs.task_queue import send_task
from ratings.domain.site.acting import acting_user
from ratings.models import Event, EventStep, Submission
from ratings.systems.messages import join_texts

from .accepting import accept_submissions, check_ready, mark_submitted
from .findings import CheckedSubmission
from .steps import lock_event, record_event_step

What = EventStep.What


@transaction.atomic
def announce_event(event: Event) -> None:
    """Show an event in the public calendar.

    Raise ValidationError if the event is announced already, void or deleted.
    """
    event = lock_event(event)
    if event.announced_at is not None or event.state in (Event.State.VOID, Event.State.DELETED):
        raise ValidationError(_("This event cannot be announced in its current state."))
    event.announced_at = timezone.now()
    save_event(event)
    record_event_step(event, What.ANNOUNCED)


@transaction.atomic
def withdraw_announcement(event: Event) -> None:
    """Take an announced event out of the public calendar.

    Raise ValidationError if the event is not announced or has submitted results.
    """
    event = lock_event(event)
    if event.announced_at is None or not event.is_open:
        raise ValidationError(_("Only an announced event without submitted results can be taken out of the calendar."))
    data = {"announced_at": event.announced_at.isoformat()}
    event.announced_at = None
    save_event(event)
    record_event_step(event, What.UNANNOUNCED, data=data)


@transaction.atomic
def submit(event: Event, *, may_be_accepted: bool = True) -> None:
    """Submit all open results of an event to the officers.

    Clean results of a trusted organiser are accepted at once, unless `may_be_accepted` is False.
    Raise ValidationError with the problems to fix if the results cannot be submitted.
    """
    lock_seats(exclusive=False)  # a trusted organiser's results are accepted at once
    event = lock_event(event)
    if not (event.is_open or event.state == Event.State.ACCEPTED):
        raise ValidationError(
            _("Nothing can be submitted: the event is %(state)s.")
            % {
                "state": event.get_state_display(),
            }
        )
    submissions = [submission for submission in event.submissions.select_for_update(of=("self",)) if submission.is_open]
    if not submissions:
        raise ValidationError(_("There are no results to submit yet."))
    checks = [check_ready(submission) for submission in submissions]
    for submission, checked in zip(submissions, checks, strict=True):
        mark_submitted(submission, checked)
    if event.state == Event.State.ACCEPTED:
        record_event_step(
            event, What.PROPOSED, join_texts(submission.reason for submission in submissions), submissions=submissions
        )
    else:
        event.state = Event.State.SUBMITTED
        event.save(update_fields=["state"])
        record_event_step(event, What.SUBMITTED, submissions=submissions)
        if may_be_accepted and _can_accept_automatically(event, checks):
            submitted = event.submissions.filter(pk__in=[submission.pk for submission in submissions])
            accept_submissions(event, submitted, checks={submissions[0].pk: checks[0]})
    send_task("ratings.summarise", event.pk)


@transaction.atomic
def withdraw(event: Event) -> None:
    """Withdraw submitted results, so that the organisers can edit them again.

    Raise ValidationError if no submission of the event is waiting any more.
    """
    event = lock_event(event)
    submitted = event.submissions.filter(state=Submission.State.SUBMITTED)
    withdrawn = list(submitted)
    if event.state not in (Event.State.SUBMITTED, Event.State.ACCEPTED) or not withdrawn:
        raise ValidationError(_("This event has no submitted results: an officer has returned or accepted them."))
    submitted.update(state=Submission.State.WORKING)
    if event.state == Event.State.SUBMITTED:
        event.state = Event.State.DRAFT
        event.save(update_fields=["state"])
    record_event_step(event, What.WITHDRAWN, submissions=withdrawn)


def _can_accept_automatically(event: Event, checks: Iterable[CheckedSubmission]) -> bool:
    """Return True if results are accepted automatically.

    That needs an acting user who is a trusted organiser on all lists of the event, and neither warnings nor unmet
    requirements of the lists.
    """
    user, lists = acting_user(), event.lists.all()
    trusted = user is not None and all(list_.trusted.filter(pk=user.pk).exists() for list_ in lists)
    return trusted and not find_unmet_requirements(event) and not any(checked.warnings for checked in checks)
