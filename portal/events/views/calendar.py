import datetime as dt
from collections.abc import Iterable

from auditlog.models import LogEntry
from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db.models import Max
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import conditional_page
from icalendar import Calendar
from icalendar import Event as Entry

from portal.events.filters import CalendarFilter
from portal.events.subscriptions import list_places
from portal.site.texts import strip_control_characters
from ratings.models import Event
from ratings.queries.events.events import announced_events
from ratings.queries.lists.federations import federation_of_list


def calendar(request: HttpRequest) -> HttpResponse:
    chosen = CalendarFilter(request.GET, announced_events(timezone.localdate()))
    context = {"filter": chosen, "rating_list": chosen.rating_list, "places": list_places(request, chosen)}
    return render(request, "events/calendar.html", context)


@conditional_page
def feed(request: HttpRequest) -> HttpResponse:
    """Return the calendar as an iCalendar file, with the filters of its page."""
    chosen = CalendarFilter(request.GET, announced_events(timezone.localdate()))
    if not chosen.is_valid():
        raise Http404
    entries = Calendar()
    entries.add("prodid", "-//rating portal//calendar//")
    entries.add("version", "2.0")
    federation = federation_of_list(chosen.form.cleaned_data["list"])
    name = f"{_('Calendar')} – {federation.name}" if federation else _("Calendar")
    entries.add("name", name)
    entries.add("x-wr-calname", name)
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
    places = [event.address, event.place, event.country.name]
    if any(places):
        entry.add("location", strip_control_characters(", ".join(filter(None, places))))
    if description := describe(event):
        entry.add("description", description)
    entry.add("url", settings.SITE_ADDRESS + event.get_absolute_url())
    return entry


def describe(event: Event) -> str:
    """Return the start time, schedule, contact and links of an event, one per line."""
    lines = [_("Start: %(time)s") % {"time": f"{event.start_time:%H:%M}"}] if event.start_time else []
    lines += event.schedule.splitlines()
    if event.contact:
        lines.append(_("Contact: %(contact)s") % {"contact": event.contact})
    if event.registration:
        lines.append(_("Registration: %(address)s") % {"address": event.registration})
    lines.append(event.link)
    return "\n".join(filter(None, map(strip_control_characters, lines)))
