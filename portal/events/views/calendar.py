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
    changed = last_changes(chosen.qs)
    for event in chosen.qs:
        entries.add_component(entry_of(event, changed.get(event.pk, event.announced_at)))
    return HttpResponse(entries.to_ical(), content_type="text/calendar; charset=utf-8")


def last_changes(events: Iterable[Event]) -> dict[int | None, dt.datetime]:
    """When people last changed these events, by their keys."""
    kind = ContentType.objects.get_for_model(Event)
    entries = LogEntry.objects.filter(content_type=kind, object_id__in=[event.pk for event in events])
    return dict(entries.order_by().values_list("object_id").annotate(Max("timestamp")))


def entry_of(event: Event, changed_at: dt.datetime | None) -> Entry:
    entry = Entry()
    entry.add("uid", f"{event.public_id}@{settings.SITE_ADDRESS.partition('://')[2]}")
    entry.add("dtstamp", changed_at)
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
