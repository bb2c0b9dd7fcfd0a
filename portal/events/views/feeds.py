"""Atom feed of events."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page

from portal.events.filters import EventFilter
from portal.site.feeds import NEWEST, AtomFeed, FeedSelection, entry_id, summary
from portal.site.texts import strip_control_characters
from ratings.localize import format_days
from ratings.models import Event
from ratings.queries.events.events import public_events, recently_updated
from ratings.queries.lists.federations import federation_of_list


@dataclass(frozen=True)
class AcceptedEvents(FeedSelection):
    events: list[Any]


class EventFeed(AtomFeed[Any, AcceptedEvents]):
    """Feed of accepted events; a corrected event appears again."""

    def get_object(self, request: HttpRequest, *_args: Any) -> AcceptedEvents:
        chosen = EventFilter(request.GET, public_events())
        if not chosen.is_valid():
            raise Http404
        federation = federation_of_list(chosen.form.cleaned_data["list"])
        return AcceptedEvents(request.get_full_path(), federation, list(recently_updated(chosen.qs)[:NEWEST]))

    def name_content(self, _accepted: AcceptedEvents) -> str:
        return _("Events")

    def link(self) -> str:
        return reverse("events")

    def items(self, accepted: AcceptedEvents) -> list[Any]:
        return accepted.events

    def item_title(self, item: Event) -> str:
        return strip_control_characters(item.name)

    def item_description(self, item: Event) -> str:
        days = format_days(item.start, item.end)
        return summary([days, item.place, item.country.name, *(rating_list.name for rating_list in item.lists.all())])

    def item_guid(self, item: Event) -> str:
        return entry_id(
            dt.date(2000, 1, 1), f"events/{item.public_id}"
        )  # a fixed day, as the event's days may be corrected

    def item_updateddate(self, item: Any) -> dt.datetime:
        updated_at: dt.datetime = item.told_at
        return updated_at


events = conditional_page(EventFeed())
