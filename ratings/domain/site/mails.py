"""Mails to officers and organisers about the steps of events; written and delivered by a worker (outbox.py)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping

from django.conf import settings
from django.contrib.auth.models import Permission, User
from django.core.mail import EmailMessage
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from ratings.access import Action, may
from ratings.domain.results.comments import describe_open_comments
from ratings.domain.results.descriptions import describe_confirmed_warnings, describe_event
from ratings.domain.results.edit_lines import list_edit_lines
from ratings.localize import translate_message
from ratings.models import Club, Event, EventStep, Federation, Submission
from ratings.queries.lists.federations import federation_of_event

from .outbox import Priority, notify, queue_mails, register_composer

TO_OFFICERS = (EventStep.What.SUBMITTED, EventStep.What.PROPOSED, EventStep.What.OFFICERS_REMINDED)
TO_ORGANISERS = (
    EventStep.What.RETURNED,
    EventStep.What.RETURN_UNDONE,
    EventStep.What.ACCEPTED,
    EventStep.What.ACCEPTANCE_UNDONE,
    EventStep.What.CORRECTED,
    EventStep.What.REMAPPED,
    EventStep.What.VOIDED,
    EventStep.What.UNVOIDED,
    EventStep.What.TABLE_DELETED,
    EventStep.What.TABLE_RESTORED,
    EventStep.What.REMINDED,
)
EDIT_MAIL_DELAY = dt.timedelta(minutes=5)
"""Time after an officer's change until its mail is written: further changes in this time come in the same mail."""


def notify_step(step: EventStep) -> None:
    """Notify officers or organisers of a step of an event, if steps of its kind are mailed."""
    if step.what in (*TO_OFFICERS, *TO_ORGANISERS):
        notify("step", step.pk)
    elif step.what == EventStep.What.EDITED:
        notify("edit", step.pk, delay=EDIT_MAIL_DELAY)


@register_composer("step")
def send_step_mails(step_id: int) -> int:
    """Send the mails about a step to officers or organisers, but not to its author; return the number of mails."""
    step = EventStep.objects.select_related("event", "by").filter(pk=step_id).first()
    if step is None:
        return 0
    people = get_officers(step.event) if step.what in TO_OFFICERS else get_organisers(step.event)
    paragraphs = [translate_message(step.note)]
    if step.what == EventStep.What.RETURNED and (comments := describe_open_comments(step.event)):
        paragraphs.append("\n".join([_("Comments on the results:"), *comments]))
    if step.what in TO_OFFICERS and (warnings := describe_confirmed_warnings(step.event)):
        paragraphs.append("\n".join([_("Questions about the results, with the organiser’s answers:"), *warnings]))
    if step.what == EventStep.What.OFFICERS_REMINDED:
        days = step.data["days"]
        waited = ngettext(
            "The results have waited for %(days)d day.", "The results have waited for %(days)d days.", days
        )
        paragraphs.append(waited % {"days": days})
    path = f"/organise/events/{step.event.public_id}/"
    return _queue_step_mails(step, people, *paragraphs, describe_next_step(step.what), path=path)


def _queue_step_mails(step: EventStep, people: Iterable[User], *paragraphs: str, path: str) -> int:
    """Put a mail about a step to each of some people, but not to its author, into the outbox; return their number."""
    addresses = sorted({user.email for user in people if user.email and user.pk != step.by_id})
    by = _("%(what)s by %(user)s") % {"what": step.get_what_display().capitalize(), "user": step.by} if step.by else ""
    queue_mail(
        addresses,
        _("%(event)s: %(what)s") % {"event": step.event.name, "what": step.get_what_display()},
        describe_event(step.event, names_players=True),
        by,
        *paragraphs,
        path=path,
        federation=federation_of_event(step.event),
    )
    return len(addresses)


@register_composer("edit")
def send_edit_mails(step_id: int) -> int:
    """Send organisers the changes that an officer made to waiting results one after another, as one mail.

    A step that the same officer's next change follows is left to the mail of that one. Return the number of mails.
    """
    step = EventStep.objects.select_related("event", "by").filter(pk=step_id).first()
    if step is None:
        return 0
    edits = step.event.steps.filter(what=step.what, data__sheet=step.data["sheet"]).order_by("pk")
    following = edits.filter(pk__gt=step.pk).first()
    if following is not None and following.by_id == step.by_id:
        return 0
    before = step.data["before"]
    for earlier in edits.filter(pk__lt=step.pk).reverse():
        if earlier.by_id != step.by_id or earlier.data.get("mailed"):
            break
        before = earlier.data["before"]
    step.data |= {"mailed": True}
    step.save(update_fields=["data"])
    lines = list_edit_lines(before, step.data["after"])
    if not lines:
        return 0
    changes = "\n".join([_("Changed, with the entry before and after:"), *map(str, lines)])
    path = f"/organise/sheets/{step.data['sheet']}/"
    next_step = _("You need not do anything.")
    if step.event.submissions.filter(pk=step.data["sheet"], state=Submission.State.SUBMITTED).exists():
        next_step = _("You need not do anything. If a change is wrong, withdraw the submission and correct it.")
    return _queue_step_mails(step, get_organisers(step.event), changes, next_step, path=path)


def describe_next_step(what: str) -> str:
    """Return what happens after a step of an event, for the people who receive a mail about it."""
    return str(NEXT_STEPS[what])


RATED_AGAIN = gettext_lazy("The lists are rated again within minutes.")
NEXT_STEPS: Mapping[str, object] = {
    EventStep.What.SUBMITTED: gettext_lazy("Check the results on the event’s page, then accept or return them."),
    EventStep.What.PROPOSED: gettext_lazy("Check the correction on the event’s page, then accept or return it."),
    EventStep.What.OFFICERS_REMINDED: gettext_lazy(
        "Check the results on the event’s page, then accept or return them."
    ),
    EventStep.What.RETURNED: gettext_lazy("Change the results on the event’s page, then submit them again."),
    EventStep.What.RETURN_UNDONE: gettext_lazy("You need not do anything: the officers have the results again."),
    EventStep.What.ACCEPTED: RATED_AGAIN,
    EventStep.What.ACCEPTANCE_UNDONE: gettext_lazy(
        "You need not do anything: the officers check the results again, and the lists are rated without them."
    ),
    EventStep.What.CORRECTED: RATED_AGAIN,
    EventStep.What.REMAPPED: RATED_AGAIN,
    EventStep.What.VOIDED: gettext_lazy(
        "The results stay on record and no longer count: the lists are rated again within minutes."
    ),
    EventStep.What.UNVOIDED: RATED_AGAIN,
    EventStep.What.TABLE_DELETED: RATED_AGAIN,
    EventStep.What.TABLE_RESTORED: RATED_AGAIN,
    EventStep.What.REMINDED: gettext_lazy("Enter the results on the event’s page and submit them."),
}


def queue_mail(
    addresses: Iterable[str],
    subject: str,
    *paragraphs: str,
    path: str,
    priority: int = Priority.NORMAL,
    federation: Federation | None = None,
) -> None:
    """Put a mail to each address into the outbox, ending with a link to a page of the site.

    `federation` is the one that the mail is about, None if it is about no single one.

    Each address gets its own mail, so that recipients do not see each other. The subject is reduced to one line.
    """
    body = "\n\n".join(filter(None, [*paragraphs, f"{settings.SITE_ADDRESS}{path}"]))
    title = " ".join(subject.split())
    mails = [EmailMessage(title, body, None, [address]) for address in filter(None, addresses)]
    queue_mails(mails, priority, federation)


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
