"""Announced events of the next months, some for each federation of the demo."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.utils.text import slugify

from ratings.domain.events.tables import save_event
from ratings.domain.results.submitting import announce_event
from ratings.matching import fold
from ratings.models import Club, Event

from .calendar import last_sunday
from .times import backdate

if TYPE_CHECKING:
    from .federation import Federation

WEEKS = (2, 6, 9, 14, 20)
"""In how many weeks the events of the first federation are; those of the next federations are one week later each."""
WITH_REGISTRATION = 3
"""Number of upcoming events of a federation that already take registrations."""
SCHEDULE = "9:30 registration at the venue\n10:00 round 1\n13:30 round 3\n18:00 prize giving"
SCHEDULE_OF_TWO_DAYS = "Saturday 10:00 round 1\nSaturday 14:00 round 2\nSunday 9:30 round 4\nSunday 17:00 prize giving"
ANNOUNCED = dt.timedelta(weeks=5)
"""How long ago the events of the next months were announced; later events are announced one week apart."""


def announce_events(federation: Federation, clubs: list[Club]) -> None:
    """Announce events in the cities of some clubs, each with a page of the federation."""
    hosts = federation.rng.sample(clubs, min(len(WEEKS), len(clubs)))
    for number, weeks in enumerate(WEEKS):
        day = last_sunday(federation.today + dt.timedelta(weeks=weeks + federation.number))
        event = federation.new_event(hosts[number % len(hosts)], day, federation.kinds, two_days=number % 2 == 0)
        page = f"{federation.site}/events/{slugify(fold(event.name))}/"
        event.link, event.registration = page, f"{page}enter/" if number < WITH_REGISTRATION else ""
        event.contact = f"events@{urlsplit(federation.site).netloc}"
        event.schedule = SCHEDULE_OF_TWO_DAYS if event.end > event.start else SCHEDULE
        save_event(event, federation.rated_on)
        announce_event(event)
        announced = federation.today - ANNOUNCED + dt.timedelta(weeks=number)
        backdate(Event.objects.filter(pk=event.pk), announced, "announced_at")
        backdate(event.steps.all(), announced, "at")
