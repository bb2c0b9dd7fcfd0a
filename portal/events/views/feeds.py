"""Atom feeds of events, and of the steps of one event."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page

from portal.events.filters import EventFilter
from portal.site.feeds import (
    NEWEST,
    AtomFeed,
    EntryFeed,
    EntrySelection,
    FeedEntry,
    FeedSelection,
    entry_id,
    newest_entries,
    summary,
)
from portal.site.public_ids import by_public_id
from portal.site.texts import strip_control_characters
from ratings.domain.site.follow_lines import STEPS
from ratings.localize import format_days
from ratings.models import Event
from ratings.queries.events.events import (
    events_with_page,
    public_events,
    public_lists_of,
    rating_steps,
    recently_updated,
)
from ratings.queries.lists.federations import federation_of_event, federation_of_list


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


class StepFeed(EntryFeed):
    """Feed of what happens to one event: results received, accepted, rated and corrected."""

    def get_object(self, request: HttpRequest, *_args: Any, public_id: str) -> EntrySelection:
        the_event = by_public_id(events_with_page(), public_id)
        federation = federation_of_event(the_event)
        entries = newest_entries([*_list_steps(the_event), *_list_ratings(the_event)])
        return EntrySelection(
            request.get_full_path(), federation, the_event.name, the_event.get_absolute_url(), entries
        )


def _list_steps(event: Event) -> Iterator[FeedEntry]:
    """Yield entries about the steps of an event that its followers are told of."""
    for step in event.steps.filter(what__in=STEPS).order_by("-pk")[:NEWEST]:
        path = f"events/{event.public_id}/steps/{step.pk}"
        yield FeedEntry(path, str(STEPS[step.what]), (event.name,), event.get_absolute_url(), step.at)


def _list_ratings(event: Event) -> Iterator[FeedEntry]:
    """Yield an entry for each list and rating run that followed the acceptance or a correction."""
    if event.state != Event.State.ACCEPTED:
        return
    for rating_list in public_lists_of(event):
        runs = {step.run: step.rated_at for step in rating_steps(event, rating_list) if step.run is not None}
        for run, rated_at in runs.items():
            title = _("The event was rated on %(list)s.") % {"list": rating_list.name}
            address = f"{event.get_absolute_url()}?list={rating_list.slug}"
            yield FeedEntry(f"events/{event.public_id}/runs/{run}", title, (event.name,), address, rated_at)


events = conditional_page(EventFeed())
event = conditional_page(StepFeed())
