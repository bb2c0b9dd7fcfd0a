"""Mails to officers and organisers about the steps of events; written and delivered by a worker (outbox.py)."""

from __future__ import annotations

from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.core.mail import EmailMessage
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.localize import translate_message
from ratings.models import Club, Event, EventStep

from .outbox import Priority, notify, queue_mails, register_composer

TO_OFFICERS = (EventStep.What.SUBMITTED, EventStep.What.PROPOSED)
TO_ORGANISERS = (
    EventStep.What.RETURNED, EventStep.What.RETURN_UNDONE, EventStep.What.ACCEPTED, EventStep.What.CORRECTED,
    EventStep.What.REMAPPED, EventStep.What.VOIDED, EventStep.What.UNVOIDED, EventStep.What.TABLE_DELETED,
    EventStep.What.TABLE_RESTORED,
)  # fmt: skip


def notify_step(step: EventStep) -> None:
    """Notify officers or organisers of a step of an event, if steps of its kind are mailed."""
    if step.what in (*TO_OFFICERS, *TO_ORGANISERS):
        notify("step", step.pk)


@register_composer("step")
def send_step_mails(step_id: int) -> int:
    """Send the mails about a step to officers or organisers, but not to its author; return the number of mails."""
    step = EventStep.objects.select_related("event", "by").filter(pk=step_id).first()
    if step is None:
        return 0
    people = get_officers(step.event) if step.what in TO_OFFICERS else get_organisers(step.event)
    addresses = sorted({user.email for user in people if user.email and user.pk != step.by_id})
    subject = _("%(event)s: %(what)s") % {"event": step.event.name, "what": step.get_what_display()}
    by = _("by %(user)s") % {"user": step.by} if step.by else ""
    queue_mail(
        addresses, subject, subject, translate_message(step.note), by, path=f"/organise/events/{step.event.public_id}/"
    )
    return len(addresses)


def queue_mail(
    addresses: Iterable[str], subject: str, *paragraphs: str, path: str, priority: int = Priority.NORMAL
) -> None:
    """Put a mail to each address into the outbox, ending with a link to a page of the site.

    Each address gets its own mail, so that recipients do not see each other. The subject is reduced to one line.
    """
    body = "\n\n".join(filter(None, [*paragraphs, f"{settings.SITE_ADDRESS}{path}"]))
    title = " ".join(subject.split())
    queue_mails([EmailMessage(title, body, None, [address]) for address in filter(None, addresses)], priority)


def get_officers(event: Event | None = None) -> list[User]:
    """Return the active users who can accept results; with an event, only those who can review it."""
    return [user for user in users_with_permission("accept_event") if event is None or may(user, Action.REVIEW, event)]


def users_with_permission(right: str) -> QuerySet[User]:
    """Return the active users who have a permission of the app `ratings`, directly or by a group.

    Superusers are left out unless the permission was assigned to them.
    """
    permission = Permission.objects.get(content_type__app_label="ratings", codename=right)
    by_group = User.groups.through.objects.filter(group__permissions=permission).values("user")
    directly = User.user_permissions.through.objects.filter(permission=permission).values("user")
    return User.objects.filter(Q(pk__in=by_group) | Q(pk__in=directly), is_active=True)


def get_organisers(event: Event) -> list[User]:
    """Return the active users who created an event, with whom it is shared, or who organise for its club."""
    shared = Event.organisers.through.objects.filter(event=event).values("user")
    by_club = Club.organisers.through.objects.filter(club=event.club_id).values("user")
    organisers = Q(pk=event.created_by_id) | Q(pk__in=shared) | Q(pk__in=by_club)
    return list(User.objects.filter(organisers, is_active=True))
