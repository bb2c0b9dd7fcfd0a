"""Reminders by email: of late results, to the organisers of an event, and of waiting results, to the officers."""

from __future__ import annotations

import datetime as dt

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.site.acting import acting_user
from ratings.domain.site.mails import get_officers
from ratings.localize import format_day
from ratings.models import Event, EventStep, Federation
from ratings.queries.events.events import find_time_zone, with_time_zone
from ratings.queries.results.desk import list_late_events
from ratings.queries.results.waiting import REMINDER_AFTER, find_waiting_since
from ratings.time_zones import find_today

from .steps import lock_event, record_event_step


def remind_late_organisers() -> int:
    """Remind the organisers of events whose results are late, as often as their lists say; return the number of events.

    The first reminder goes out on the day after the results were due.
    """
    zones = Federation.objects.order_by("time_zone").values_list("time_zone", flat=True).distinct()
    return sum(map(_remind_late_organisers_in, zones))


def _remind_late_organisers_in(zone: str) -> int:
    """Remind the organisers of late events whose time zone this is; return the number of events."""
    today, reminded = find_today(zone), 0
    for late in list_late_events(with_time_zone(Event.objects.all()).filter(Q(time_zone=zone)), today):
        if late.pause is None:
            continue
        with transaction.atomic():
            lock_event(late.event)
            last = _find_last_day(late.event, EventStep.What.REMINDED, zone)
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
    zone = find_time_zone(event)
    today = find_today(zone)
    if not list_late_events(Event.objects.filter(pk=event.pk), today):
        raise ValidationError(_("The results of this event are not late."))
    if _find_last_day(event, EventStep.What.REMINDED, zone) == today:
        raise ValidationError(_("The organisers were reminded today."))
    return record_event_step(event, EventStep.What.REMINDED)


@transaction.atomic
def remind_officers(event: Event) -> EventStep:
    """Remind the officers who can review an event of its waiting results.

    Raise ValidationError with the reason if no results wait, if they wait for less than three days, if a reminder was
    sent today, or if no officer has an email address.
    """
    lock_event(event)
    now, since = timezone.now(), find_waiting_since(event)
    zone = find_time_zone(event)
    if since is None:
        raise ValidationError(_("The results of this event do not wait for an officer."))
    if now < since + REMINDER_AFTER:
        text = _("The results have waited for less than %(days)d days. You can send a reminder from %(day)s.")
        day = format_day(find_today(zone, since + REMINDER_AFTER))
        raise ValidationError(text % {"days": REMINDER_AFTER.days, "day": day})
    if _find_last_day(event, EventStep.What.OFFICERS_REMINDED, zone) == find_today(zone, now):
        raise ValidationError(_("The officers were reminded today. You can send another reminder tomorrow."))
    if not any(officer.email and officer != acting_user() for officer in get_officers(event)):
        raise ValidationError(_("No other officer of these lists has an email address."))
    return record_event_step(event, EventStep.What.OFFICERS_REMINDED, data={"days": (now - since).days})


def _find_last_day(event: Event, what: str, zone: str | None) -> dt.date | None:
    last = event.steps.filter(what=what).last()
    return None if last is None else find_today(zone, last.at)
