"""The links by which helpers join a hall, and the helpers who joined by each."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Prefetch
from django.utils import timezone

from ratings.domain.results.hall.links import sign_link
from ratings.models import Event, Hall, HallLink, HallResult

from .forms import InviteForm


def describe_helpers(hall: Hall) -> dict[str, Any]:
    """Return the context of the links by which helpers join: those that work, those that have ended, and the form."""
    lines = list_links(hall)
    return {
        "links": [line for line in lines if line.link.is_valid()],
        "ended": [line for line in lines if not line.link.is_valid()],
        "invite": InviteForm(initial={"until": InviteForm.TONIGHT}),
    }


@dataclass(frozen=True)
class Helper:
    """A person who joined by a link, with the time, and that of the last result; None for what is not known."""

    device: str
    name: str
    joined: dt.datetime | None
    last: dt.datetime | None = None
    is_removed: bool = False


@dataclass(frozen=True)
class LinkLine:
    """A link with its token and those who joined by it; `is_restorable` if it was revoked before its end."""

    link: HallLink
    token: str
    helpers: list[Helper]
    is_restorable: bool = False


def list_links(hall: Hall) -> list[LinkLine]:
    """Return the links of a hall, those that have ended too, in the order in which they were made."""
    taps = Prefetch("results", HallResult.objects.order_by("pk"))
    return [write_link(link) for link in hall.links.prefetch_related(taps)]


@dataclass(frozen=True)
class DeskLink:
    """A link for helpers on the organiser's desk: its event, and the names of those who joined by it."""

    link: HallLink
    event: Event
    names: list[str]


def list_desk_links(events: Iterable[Event]) -> list[DeskLink]:
    """Return the links of some events by which helpers can send results now, the first to end first."""
    by_id = {event.pk: event for event in events if event.is_open}
    links = HallLink.objects.filter(hall__event__in=by_id, revoked_at=None, expires_at__gt=timezone.now())
    return [
        DeskLink(
            link,
            by_id[link.hall.event_id],
            [helper["name"] for helper in link.helpers or () if "removed" not in helper],
        )
        for link in links.select_related("hall").order_by("expires_at", "pk")
    ]


def write_link(link: HallLink) -> LinkLine:
    """Return the line of a link; a helper who has changed the name has the latest one."""
    helpers = {
        helper["device"]: Helper(
            helper["device"], helper["name"], dt.datetime.fromisoformat(helper["at"]), is_removed="removed" in helper
        )
        for helper in link.helpers or ()
    }
    for tap in link.results.all():
        helpers[tap.device] = replace(helpers.get(tap.device, Helper(tap.device, tap.name, None)), last=tap.at)
    is_restorable = link.revoked_at is not None and link.expires_at > timezone.now()
    return LinkLine(link, sign_link(link), list(helpers.values()), is_restorable)
