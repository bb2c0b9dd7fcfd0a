"""Reminders of late results, sent to the organisers of an event by email."""

from __future__ import annotations

import datetime as dt

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.models import Event, EventStep
from ratings.queries.results.desk import list_late_events

from .steps import lock_event, record_event_step


def remind_late_organisers() -> int:
    """Remind the organisers of events whose results are late, as often as their lists say; return the number of events.

    The first reminder goes out on the day after the results were due.
    """
    today, reminded = timezone.now().date(), 0
    for late in list_late_events(Event.objects.all(), today):
        if late.pause is None:
            continue
        with transaction.atomic():
            lock_event(late.event)
            last = _find_last_reminder(late.event)
            if last is None or last <= today - dt.timedelta(late.pause):
                record_event_step(late.event, EventStep.What.REMINDED)
                reminded += 1
    return reminded


@transaction.atomic
def remind_organisers(event: Event) -> EventStep:
    """Remind the organisers of an event whose results are late; raise ValidationError if they are not, or not again.

    Organisers are reminded at most once a day.
    """
    lock_event(event)
    today = timezone.now().date()
    if not list_late_events(Event.objects.filter(pk=event.pk), today):
        raise ValidationError(_("The results of this event are not late."))
    if _find_last_reminder(event) == today:
        raise ValidationError(_("The organisers were reminded today."))
    return record_event_step(event, EventStep.What.REMINDED)


def _find_last_reminder(event: Event) -> dt.date | None:
    last = event.steps.filter(what=EventStep.What.REMINDED).last()
    return None if last is None else last.at.date()
