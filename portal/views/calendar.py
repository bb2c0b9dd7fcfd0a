import datetime as dt

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from icalendar import Calendar
from icalendar import Event as Entry

from ratings.models import Event
from ratings.queries.events import announced_events


def calendar(request: HttpRequest) -> HttpResponse:
    return render(request, "portal/calendar.html", {"events": announced_events(timezone.now().date())})


def feed(request: HttpRequest) -> HttpResponse:
    """The same for calendar programs."""
    entries = Calendar()
    entries.add("prodid", "-//rating portal//calendar//")
    entries.add("version", "2.0")
    for event in announced_events(timezone.now().date()):
        entries.add_component(entry_of(event))
    return HttpResponse(entries.to_ical(), content_type="text/calendar; charset=utf-8")


def entry_of(event: Event) -> Entry:
    entry = Entry()
    entry.add("uid", f"{event.public_id}@{settings.SITE_ADDRESS.partition('://')[2]}")
    entry.add("dtstamp", event.announced_at)
    entry.add("summary", event.name)
    entry.add("dtstart", event.start)
    entry.add("dtend", event.end + dt.timedelta(days=1))  # the first day on which it is over
    places = [event.place, event.country.name]
    if any(places):
        entry.add("location", ", ".join(filter(None, places)))
    if event.link:
        entry.add("url", event.link)
    return entry
