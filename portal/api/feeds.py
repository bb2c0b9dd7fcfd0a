"""API endpoint that names the Atom feeds and calendars of the site."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from ninja import Router, Schema
from pydantic import Field

from ratings.queries.lists.lists import public_lists

router = Router(tags=["Feeds"])
OF_SITE: tuple[tuple[str, str, str], ...] = (
    ("events", "event_feed", "events"),
    ("calendar", "calendar_feed", "events/coming"),
)
"""Feeds of the site: kind, name of the address, and path of their entries in the API."""
OF_LIST: tuple[tuple[str, str, str], ...] = (
    ("published", "published_feed", "dated"),
    ("corrections", "correction_feed", "corrections"),
    ("promotions", "promotion_feed", "promotions"),
    ("proposals", "proposal_feed", "proposals"),
)
"""Feeds of each list: kind, name of the address, and path of their entries below the list's address in the API."""
OF_ONE: tuple[tuple[str, str], ...] = (("player", "player_feed"), ("club", "club_feed"), ("event", "steps_feed"))
"""Feeds of one player, club or event: kind, and name of the address."""


class Feed(Schema):
    """An Atom feed, or a calendar in the format iCalendar."""

    kind: str = Field(
        description="events, calendar, published, corrections, promotions, proposals, player, club, event, or a new one"
    )
    list: str | None = Field(description="Slug of the list; null for feeds that are not about one list")
    url: str = Field(description="Address; {id} in it stands for the public id of a player, club or event")
    entries: str | None = Field(
        description="Address of the API that has these entries and earlier ones; null if there is none"
    )


@router.get("", response=list[Feed], summary="Feeds of the site and of each list")
def feeds(request: HttpRequest) -> list[Feed]:
    """Return the feeds with the latest entries. Those of one player, club or event come last."""
    root = reverse("api:api-root")
    found = [
        Feed(kind=kind, list=None, url=_complete(reverse(name)), entries=_complete(f"{root}{path}"))
        for kind, name, path in OF_SITE
    ]
    found += [
        Feed(
            kind=kind,
            list=slug,
            url=_complete(reverse(name, args=[slug])),
            entries=_complete(f"{root}lists/{slug}/{path}"),
        )
        for slug in public_lists().order_by("pk").values_list("slug", flat=True)
        for kind, name, path in OF_LIST
    ]
    addresses = {kind: _complete(reverse(name, args=["-"])).replace("/-/", "/{id}/") for kind, name in OF_ONE}
    return found + [Feed(kind=kind, list=None, url=addresses[kind], entries=None) for kind, _name in OF_ONE]


def _complete(path: str) -> str:
    return f"{settings.SITE_ADDRESS}{path}"
