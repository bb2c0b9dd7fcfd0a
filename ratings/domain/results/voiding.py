"""Voiding of accepted events: their results stay on record but no longer count, until the event is restored."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.domain.events.tables import save_event
from ratings.domain.runs.previewing import Preview, preview
from ratings.models import Event, EventStep, Submission

from .step_figures import count_tables
from .steps import lock_event, record_event_step

What = EventStep.What


@transaction.atomic
def void_event(event: Event, *, reason: str, explanation: str) -> None:
    """Void an accepted event, so that it is no longer rated, and return its submitted corrections to their authors.

    `reason` is one of Event.VoidReason, and `explanation` is shown to the public. Raise ValidationError if one of them
    is missing or the event is not accepted.
    """
    event = lock_event(event)
    if event.state != Event.State.ACCEPTED:
        raise ValidationError(
            _("Only accepted events can be voided: this one is %(state)s.")
            % {
                "state": event.get_state_display(),
            }
        )
    if reason not in Event.VoidReason.values:
        raise ValidationError({"reason": _("Choose a reason.")})
    if not explanation.strip():
        raise ValidationError({"explanation": _("Write an explanation: it is shown on the event's public page.")})
    waiting = event.submissions.select_for_update(of=("self",)).filter(state=Submission.State.SUBMITTED)
    returned = [submission.pk for submission in waiting]
    event.submissions.filter(pk__in=returned).update(state=Submission.State.RETURNED)
    event.state, event.void_reason, event.void_explanation = Event.State.VOID, reason, explanation.strip()
    save_event(event)
    note = f"{Event.VoidReason(reason).label} {explanation.strip()}"
    record_event_step(event, What.VOIDED, note, data={"returned": returned}, figures=count_tables(event))


@transaction.atomic
def restore_void_event(event: Event) -> None:
    """Restore a void event with its tables and versions, so that it is rated again.

    Raise ValidationError if the event is not void.
    """
    event = lock_event(event)
    if event.state != Event.State.VOID:
        raise ValidationError(_("This event is not void."))
    event.state, event.void_reason, event.void_explanation = Event.State.ACCEPTED, "", ""
    save_event(event)
    record_event_step(event, What.UNVOIDED, figures=count_tables(event))


def preview_void(event: Event) -> list[Preview]:
    """Return how voiding an event would change the lists."""
    return preview(lambda: void_event(event, reason=Event.VoidReason.OTHER, explanation="?"))
