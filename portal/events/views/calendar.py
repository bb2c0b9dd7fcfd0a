import datetime as dt
from collections.abc import Iterable

from auditlog.models import LogEntry
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page
from icalendar import Calendar
from icalendar import Event as Entry

from portal.events.filters import CalendarFilter
from portal.site.texts import strip_control_characters
from ratings.models import Event
from ratings.queries.events.events import announced_events


def calendar(request: HttpRequest) -> HttpResponse:
    chosen = CalendarFilter(request.GET, announced_events(timezone.now().date()))
    parts = {name: request.GET[name] for name in chosen.filters if request.GET.get(name)}
    file = request.build_absolute_uri(reverse("calendar_feed", query=parts))
    subscribe = f"webcal:{file.partition(':')[2]}"  # the scheme that calendar programs open
    return render(request, "events/calendar.html", {"filter": chosen, "file": file, "subscribe": subscribe})


@conditional_page
def feed(request: HttpRequest) -> HttpResponse:
    """Return the calendar as an iCalendar file, with the filters of its page."""
    chosen = CalendarFilter(request.GET, announced_events(timezone.now().date()))
    if not chosen.is_valid():
        raise Http404
    entries = Calendar()
    entries.add("prodid", "-//rating portal//calendar//")
    entries.add("version", "2.0")
    entries.add("x-wr-calname", _("Calendar"))
    changed = last_changes(chosen.qs)
    for event in chosen.qs:
        entries.add_component(build_entry(event, changed.get(event.pk, event.announced_at)))
    return HttpResponse(entries.to_ical(), content_type="text/calendar; charset=utf-8")


def last_changes(events: Iterable[Event]) -> dict[int | None, dt.datetime]:
    """Return the times when people last changed these events, by primary key."""
    kind = ContentType.objects.get_for_model(Event)
    entries = LogEntry.objects.filter(content_type=kind, object_id__in=[event.pk for event in events])
    return dict(entries.order_by().values_list("object_id").annotate(Max("timestamp")))


def build_entry(event: Event, changed_at: dt.datetime | None) -> Entry:
    entry = Entry()
    entry.add("uid", f"{event.public_id}@{settings.SITE_ADDRESS.partition('://')[2]}")
    entry.add("dtstamp", changed_at)
    entry.add("summary", strip_control_characters(event.name))
    entry.add("dtstart", event.start)
    entry.add("dtend", event.end + dt.timedelta(days=1))  # exclusive: the day after the last one
    places = [event.place, event.country.name]
    if any(places):
        entry.add("location", strip_control_characters(", ".join(filter(None, places))))
    if event.link:
        entry.add("description", strip_control_characters(event.link))
    entry.add("url", settings.SITE_ADDRESS + event.get_absolute_url())
    return entry
