"""Sharing of an event with other organisers; each change is a step of the event."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.models import Event, EventStep

from .steps import lock_event, record_event_step

What = EventStep.What


@transaction.atomic
def share_event(event: Event, user: User) -> None:
    """Share an event with another organiser; nothing happens if it is shared with them already."""
    event = lock_event(event)
    if not event.organisers.filter(pk=user.pk).exists():
        event.organisers.add(user)
        record_event_step(event, What.SHARED, data={"user": user.pk})


@transaction.atomic
def unshare_event(event: Event, user: User) -> None:
    """Stop sharing an event with an organiser; nothing happens if it is not shared with them."""
    event = lock_event(event)
    if event.organisers.filter(pk=user.pk).exists():
        event.organisers.remove(user)
        record_event_step(event, What.UNSHARED, data={"user": user.pk})


def undo_sharing(step: EventStep) -> None:
    """Undo sharing an event, or the end of it. Raise ValidationError if it was changed since."""
    if reason := find_sharing_undo_problem(step):
        raise ValidationError(reason)
    act = unshare_event if step.what == What.SHARED else share_event
    act(step.event, User.objects.get(pk=step.data.get("user")))


def find_sharing_undo_problem(step: EventStep) -> str:
    """Return why sharing an event, or the end of it, cannot be undone now; empty if it can."""
    if not User.objects.filter(pk=step.data.get("user")).exists():
        return _("The account was deleted.")
    is_shared = step.event.organisers.filter(pk=step.data.get("user")).exists()
    if is_shared != (step.what == What.SHARED):
        return _("This was changed again since.")
    return ""
