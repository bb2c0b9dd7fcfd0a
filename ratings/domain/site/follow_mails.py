"""Mails about followed pages, at once or weekly, each with a link that ends them with one click (RFC 8058)."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from django.conf import settings
from django.contrib.auth.models import User
from django.core.mail import EmailMessage
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings.localize import format_days, join_parts
from ratings.models import Event, Federation, FollowedChange, MailFrequency, Notification, Player
from ratings.queries.lists.federations import only_federation
from ratings.queries.site.followed_changes import Subjects, read_subjects
from ratings.queries.site.following import own_frequency

from .follow_lines import describe_change
from .follow_queue import AT_ONCE, WEEKLY, notify_users
from .following import sign_unsubscribing
from .outbox import Priority, queue_mails, register_composer

LINES = 300
"""Maximum number of lines in a mail."""
OWN = ("", 0)
"""Key of the section about the user's own rating, which is the first."""


@dataclass
class Section:
    """A followed page with the lines about it; `key` orders pages by name.

    `heading` is the name; that of an event has its days and lists, too.
    """

    key: tuple[str, int]
    name: str
    path: str
    heading: str
    lines: list[str] = field(default_factory=list)


@register_composer(AT_ONCE)
def mail_at_once(user_pk: int) -> None:
    """Write one mail about the changes that a user wants immediately, and delete these changes."""
    _mail(user_pk, Q(follow__frequency=MailFrequency.AT_ONCE), MailFrequency.AT_ONCE)


@register_composer(WEEKLY)
def mail_weekly(user_pk: int) -> None:
    """Write one mail about all unreported changes of earlier weeks, and delete these changes."""
    _mail(user_pk, Q(follow__isnull=False), MailFrequency.WEEKLY, before=start_of_week(timezone.now()))


def request_weekly_mails() -> None:
    """Queue a notification for each user with changes of earlier weeks, unless one is already waiting."""
    waiting = Notification.objects.filter(kind=WEEKLY, given_up_at=None).values("object_id")
    due = FollowedChange.objects.filter(created_at__lt=start_of_week(timezone.now())).exclude(user__in=waiting)
    notify_users(WEEKLY, sorted(set(due.order_by().values_list("user", flat=True))))


def start_of_week(moment: dt.datetime) -> dt.datetime:
    """Return the beginning of a moment's week: Monday, 0:00 UTC."""
    midnight = moment.astimezone(dt.UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight - dt.timedelta(days=midnight.weekday())


def _mail(user_pk: int, wanted: Q, frequency: str, *, before: dt.datetime | None = None) -> None:
    """Write the mail about a user's changes, and delete them in the same transaction.

    The rows are locked: of two workers with a notification of the same user, the second finds nothing left.
    """
    user = User.objects.filter(pk=user_pk).first()
    if user is None:
        return
    chosen = own_frequency(user)
    if chosen == frequency or (before is not None and chosen != MailFrequency.NEVER):
        wanted |= Q(follow__isnull=True)
    rows = FollowedChange.objects.filter(wanted, user=user)
    if before is not None:
        rows = rows.filter(created_at__lt=before).exclude(follow__frequency=MailFrequency.NEVER)
    changes = _lock(rows)
    if changes and user.is_active and user.email:
        subjects = read_subjects(changes, user)
        sections = _list_sections(changes, subjects)
        if sections:
            queue_mails([_build_mail(user, sections)], Priority.LOW, _find_federation(subjects))
    FollowedChange.objects.filter(pk__in=[change.pk for change in changes]).delete()


def _lock(rows: QuerySet[FollowedChange]) -> list[FollowedChange]:
    """Return changes with what is followed, oldest first, locked until the transaction ends."""
    targets = [f"follow__{name}" for name in ("player", "club", "event", "list")]
    rows = rows.select_related(*targets).prefetch_related("follow__event__lists")
    return list(rows.select_for_update(of=("self",)).order_by("pk"))


def _list_sections(changes: Sequence[FollowedChange], subjects: Subjects) -> list[Section]:
    """Return the followed pages with the lines about them, the user's own rating first, then by name."""
    sections: dict[int, Section] = {}
    for change in changes:
        if lines := describe_change(change, subjects):
            section = sections.setdefault(change.follow_id or 0, _make_section(change, subjects))
            section.lines += [line for line in lines if line not in section.lines]
    return sorted(sections.values(), key=lambda section: section.key)


def _make_section(change: FollowedChange, subjects: Subjects) -> Section:
    if change.follow is None:
        player = subjects.players[change.data["player"]]
        return Section(OWN, _("Your own rating"), player.get_absolute_url(), _("Your own rating"))
    target = change.follow.target
    name = target.public_name if isinstance(target, Player) else target.name
    heading = _head_event(target) if isinstance(target, Event) else name
    return Section((name.casefold(), change.follow.pk), name, target.get_absolute_url(), heading)


def _head_event(event: Event) -> str:
    """Return an event's name with its days and its public lists."""
    lists = sorted((one for one in event.lists.all() if one.public), key=lambda one: one.pk)
    return join_parts([event.name, format_days(event.start, event.end), *lists])


def _build_mail(user: User, sections: Sequence[Section]) -> EmailMessage:
    """Return the mail to a user, with the headers by which mail programs offer to end these mails."""
    address = f"{settings.SITE_ADDRESS}{reverse('unsubscribe', args=[sign_unsubscribing(user)])}"
    paragraphs = [*_write_paragraphs(sections), _list_links(address)]
    headers = {"List-Unsubscribe": f"<{address}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return EmailMessage(_build_subject(sections), "\n\n".join(paragraphs), None, [user.email], headers=headers)


def _write_paragraphs(sections: Sequence[Section]) -> Iterator[str]:
    """Yield the sections as paragraphs, with at most LINES lines in all."""
    left = LINES
    for section in sections:
        if left > 0:
            lines = [f"- {line}" for line in section.lines[:left]]
            yield "\n".join([section.heading, *lines, f"{settings.SITE_ADDRESS}{section.path}"])
        left -= len(section.lines)
    if left < 0:
        yield ngettext("%(number)d more line is not shown.", "%(number)d more lines are not shown.", -left) % {
            "number": -left
        }


def _build_subject(sections: Sequence[Section]) -> str:
    """Return the subject of a mail in one line."""
    if len(sections) == 1 and sections[0].key == OWN:
        return _("Your rating was corrected")
    if len(sections) == 1:
        return " ".join((_("News about %(page)s") % {"page": sections[0].name}).split())
    number = len(sections)
    return ngettext("News about %(number)d page", "News about %(number)d pages", number) % {"number": number}


def _list_links(address: str) -> str:
    """Return the end of a mail: where to choose what is mailed, and the link that ends all these mails."""
    choose = _("Choose what you follow and how often you get emails:")
    end = _("End all emails about pages that you follow:")
    return f"{choose}\n{settings.SITE_ADDRESS}{reverse('following')}\n{end}\n{address}"


def _find_federation(subjects: Subjects) -> Federation | None:
    """Return the federation of all lists that a mail names; the only one of the site if they have several."""
    federations = {rating_list.federation for rating_list in subjects.lists.values()}
    return federations.pop() if len(federations) == 1 else only_federation()
