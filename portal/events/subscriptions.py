"""Addresses of the events section that keep a filter: both tabs, the feed of results and the calendar files."""

from __future__ import annotations

from dataclasses import dataclass

from django.http import HttpRequest
from django.urls import reverse

from portal.events.filters import CalendarFilter


@dataclass(frozen=True)
class EventPlaces:
    """Addresses of the events section; `subscribe` opens a calendar program."""

    results: str
    coming: str
    feed: str
    file: str
    subscribe: str


def list_places(request: HttpRequest, chosen: CalendarFilter) -> EventPlaces:
    """Return the addresses with the list, country and club that are chosen; the feed keeps name and year as well."""
    shared = chosen.shared_fields
    own = {name: request.GET[name] for name in chosen.filters if request.GET.get(name)}
    file = request.build_absolute_uri(reverse("calendar_feed", query=shared))
    return EventPlaces(
        reverse("events", query=shared),
        reverse("calendar", query=shared),
        reverse("event_feed", query=own),
        file,
        f"webcal:{file.partition(':')[2]}",  # the scheme that calendar programs open
    )
