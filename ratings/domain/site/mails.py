"""Mails to the people whom a step of an event concerns; sent by the task queue after the step is stored."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.core.mail import send_mail
from django.db.models import Q, QuerySet
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
    by = _("by %(user)s") % {"user": step.by} if step.by else ""
    post(addresses, subject, subject, step.note, by, path=f"/organise/events/{step.event.public_id}/")
    return len(addresses)


def post(addresses: Iterable[str], subject: str, *paragraphs: str, path: str) -> None:
    """A mail to each, so that nobody sees the others' addresses, ending with a page of the site.

    The subject is one line, whatever stands in a name.
    """
    body = "\n\n".join(filter(None, [*paragraphs, f"{settings.SITE_ADDRESS}{path}"]))
    for address in filter(None, addresses):
        send_mail(" ".join(subject.split()), body, None, [address])


def officers(event: Event | None = None) -> list[User]:
    """Everybody who accepts results; of an event those of its lists."""
    return [user for user in holders("accept_event") if event is None or may(user, Action.REVIEW, event)]


def holders(right: str) -> QuerySet[User]:
    """Who was given a right of ours, alone or with a group; administrators only if they were."""
    permission = Permission.objects.get(content_type__app_label="ratings", codename=right)
    has_it = Q(groups__permissions=permission) | Q(user_permissions=permission)
    return User.objects.filter(has_it, is_active=True).distinct()


def organisers_of(event: Event) -> list[User]:
    """Who made an event, with whom he shares it, and who organises for its club."""
    return list(
        User.objects.filter(
            Q(events=event) | Q(shared_events=event) | Q(clubs__events=event), is_active=True
        ).distinct()
    )
