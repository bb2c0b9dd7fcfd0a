"""Mails to the people whom a step of an event concerns; sent by the task queue after the step is stored."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.core.mail import send_mail
from django.db.models import Q
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.models import Event, EventStep

from .wake import wake

TO_OFFICERS = (EventStep.What.SUBMITTED, EventStep.What.PROPOSED)
TO_ORGANISERS = (
    EventStep.What.RETURNED, EventStep.What.ACCEPTED, EventStep.What.CORRECTED, EventStep.What.REMAPPED,
)  # fmt: skip


def tell(step: EventStep) -> None:
    """Have the people concerned told of a step."""
    if step.what in (*TO_OFFICERS, *TO_ORGANISERS):
        wake("ratings.mail", step.pk)


def send_mails(step_id: int) -> int:
    """Mail a step to officers or organisers, not to who took it; the number of mails."""
    step = EventStep.objects.select_related("event", "by").filter(pk=step_id).first()
    if step is None:
        return 0
    people = officers(step.event) if step.what in TO_OFFICERS else organisers_of(step.event)
    addresses = sorted({user.email for user in people if user.email and user.pk != step.by_id})
    subject = _("%(event)s: %(what)s") % {"event": step.event.name, "what": step.get_what_display()}
    lines = [
        subject,
        step.note,
        _("by %(user)s") % {"user": step.by} if step.by else "",
        f"{settings.SITE_ADDRESS}/organise/events/{step.event.public_id}/",
    ]
    for address in addresses:  # one mail each: nobody sees the others' addresses
        send_mail(" ".join(subject.split()), "\n\n".join(filter(None, lines)), None, [address])
    return len(addresses)


def officers(event: Event | None = None) -> list[User]:
    """Everybody who accepts results; of an event those of its lists."""
    permission = Permission.objects.get(content_type__app_label="ratings", codename="accept_event")
    has_it = Q(groups__permissions=permission) | Q(user_permissions=permission)
    users = User.objects.filter(has_it, is_active=True).distinct()
    return [user for user in users if event is None or may(user, Action.REVIEW, event)]


def organisers_of(event: Event) -> list[User]:
    """Who made an event, with whom he shares it, and who organises for its club."""
    return list(
        User.objects.filter(
            Q(events=event) | Q(shared_events=event) | Q(clubs__events=event), is_active=True
        ).distinct()
    )
