import datetime as dt

import pytest
import time_machine
from icalendar import Calendar

from ratings.domain.review import announce
from ratings.models import Event
from tests.factories import make_event, make_list

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def announced():
    fesa = make_list()
    for name, day in (("Over", "2024-04-01"), ("Coming", "2024-05-04"), ("Later", "2024-06-01")):
        announce(make_event(name, day, [fesa], state=Event.State.DRAFT, place="Lyon", country="FR"))
    make_event("Not announced", "2024-05-05", [fesa], state=Event.State.DRAFT)
    Event.objects.update(announced_at=dt.datetime(2024, 1, 1, tzinfo=dt.UTC))
    Event.objects.filter(name="Not announced").update(announced_at=None)
    with time_machine.travel("2024-05-04 12:00"):
        yield


def test_calendar_shows_what_is_announced_and_not_over(client, django_assert_num_queries):
    client.get("/calendar/")
    with django_assert_num_queries(3):
        response = client.get("/calendar/")
    assert [event.name for event in response.context["events"]] == ["Coming", "Later"]
    assert "Lyon, France" in response.content.decode()


def test_feed_holds_the_same_for_calendar_programs(client):
    response = client.get("/calendar.ics")
    assert response["Content-Type"] == "text/calendar; charset=utf-8"
    entries = [
        (str(entry["summary"]), entry.start, entry.end, str(entry["location"]))
        for entry in Calendar.from_ical(response.content).events
    ]
    assert entries == [
        ("Coming", dt.date(2024, 5, 4), dt.date(2024, 5, 5), "Lyon, France"),
        ("Later", dt.date(2024, 6, 1), dt.date(2024, 6, 2), "Lyon, France"),
    ]
