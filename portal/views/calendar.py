import datetime as dt

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page
from icalendar import Calendar
from icalendar import Event as Entry

from portal.eventing import CalendarFilter
from portal.texts import plain
from ratings.models import Event
from ratings.queries.events import announced_events


def calendar(request: HttpRequest) -> HttpResponse:
    chosen = CalendarFilter(request.GET, announced_events(timezone.now().date()))
    parts = {name: request.GET[name] for name in chosen.filters if request.GET.get(name)}
    file = request.build_absolute_uri(reverse("calendar_feed", query=parts))
    subscribe = f"webcal:{file.partition(':')[2]}"  # what calendar programs take for their own
    return render(request, "portal/calendar.html", {"filter": chosen, "file": file, "subscribe": subscribe})


@conditional_page
def feed(request: HttpRequest) -> HttpResponse:
    """The same for calendar programs."""
    chosen = CalendarFilter(request.GET, announced_events(timezone.now().date()))
    if not chosen.is_valid():
        raise Http404
    entries = Calendar()
    entries.add("prodid", "-//rating portal//calendar//")
    entries.add("version", "2.0")
    entries.add("x-wr-calname", _("Calendar"))
    for event in chosen.qs:
        entries.add_component(entry_of(event))
    return HttpResponse(entries.to_ical(), content_type="text/calendar; charset=utf-8")


def entry_of(event: Event) -> Entry:
    entry = Entry()
    entry.add("uid", f"{event.public_id}@{settings.SITE_ADDRESS.partition('://')[2]}")
    entry.add("dtstamp", event.announced_at)
    entry.add("summary", plain(event.name))
    entry.add("dtstart", event.start)
    entry.add("dtend", event.end + dt.timedelta(days=1))  # the first day on which it is over
    places = [event.place, event.country.name]
    if any(places):
        entry.add("location", plain(", ".join(filter(None, places))))
    if event.link:
        entry.add("description", plain(event.link))
    entry.add("url", settings.SITE_ADDRESS + event.get_absolute_url())
    return entry
