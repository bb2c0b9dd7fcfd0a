import datetime as dt

import pytest
import time_machine
from auditlog.models import LogEntry
from icalendar import Calendar

from ratings.domain.results.submitting import announce_event
from ratings.models import Club, Event
from tests.factories import make_event, make_list
from tests.markup import markup

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def announced():
    fesa = make_list()
    for name, day in (("Over", "2024-04-01"), ("Coming", "2024-05-04"), ("Later", "2024-06-01")):
        announce_event(make_event(name, day, [fesa], state=Event.State.DRAFT, place="Lyon", country="FR"))
    make_event("Not announced", "2024-05-05", [fesa], state=Event.State.DRAFT)
    Event.objects.update(announced_at=dt.datetime(2024, 1, 1, tzinfo=dt.UTC))
    Event.objects.filter(name="Not announced").update(announced_at=None)
    with time_machine.travel("2024-05-04 12:00"):
        yield


def test_calendar_shows_announced_events_that_are_not_over(client, django_assert_num_queries):
    client.get("/calendar/")
    with django_assert_num_queries(6):
        response = client.get("/calendar/")
    assert [event.name for event in response.context["filter"].qs] == ["Coming", "Later"]
    assert "Lyon, France" in markup(response)


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


def test_entry_is_stamped_with_its_last_change(client):
    """Check that an entry without audit trail is stamped with the time of its announcement."""
    announced, changed = dt.datetime(2024, 1, 1, tzinfo=dt.UTC), dt.datetime(2024, 5, 4, 13, tzinfo=dt.UTC)
    LogEntry.objects.all().delete()
    coming = Event.objects.get(name="Coming")
    for hour in (12, 13):
        with time_machine.travel(changed.replace(hour=hour), tick=False):
            coming.place = f"Nice {hour}"
            coming.save()
    entries = Calendar.from_ical(client.get("/calendar.ics").content).events
    assert {str(entry["summary"]): entry["dtstamp"].dt for entry in entries} == {"Coming": changed, "Later": announced}


def names(client, query):
    calendar = Calendar.from_ical(client.get(f"/calendar.ics{query}").content)
    page = client.get(f"/calendar/{query}").context["filter"].qs
    assert [str(entry["summary"]) for entry in calendar.events] == [event.name for event in page]
    return [event.name for event in page]


def test_calendar_offers_where_events_ever_were(client):
    Event.objects.filter(name="Over").update(country="SE")
    offered = client.get("/calendar/").context["filter"].form.fields["country"].choices
    assert [code for code, _ in offered] == ["", "FR", "SE"]


def test_calendar_is_had_by_list_country_and_club(client):
    club = Club.objects.create(name="Shogi Lyon")
    quiet = Club.objects.create(name="Quiet")
    Event.objects.filter(name="Coming").update(club=club)
    Event.objects.filter(name="Later").update(country="NL")
    assert names(client, "?country=NL") == ["Later"]
    assert names(client, f"?club={club.public_id}&list=fesa") == ["Coming"]
    # somebody may have subscribed to what has no event now
    assert names(client, "?country=JP") == []
    assert names(client, f"?club={quiet.public_id}") == []
    for unknown in ("?country=XX", "?club=nobody", "?list=nope"):
        assert client.get(f"/calendar.ics{unknown}").status_code == 404
    page = markup(client.get(f"/calendar/?club={club.public_id}&page=x"))
    assert f'href="webcal://testserver/calendar.ics?club={club.public_id}"' in page


def test_calendar_has_the_name_of_the_federation(client):
    def name(query):
        calendar = Calendar.from_ical(client.get(f"/calendar.ics{query}").content)
        return str(calendar["name"]), str(calendar["x-wr-calname"])

    assert name("") == ("Calendar – FESA",) * 2
    make_list("go", federation="Go League")
    assert name("") == ("Calendar",) * 2
    assert name("?list=go") == ("Calendar – Go League",) * 2


def test_odd_texts_make_valid_lines(client):
    odd = "Nîmes; \\n, <b>“Cup”</b>\x07\r\nBEGIN:VEVENT " + "長" * 60
    Event.objects.filter(name="Coming").update(name=odd, place="A\nB;C,D", link="https://example.org/?a=1,2;b")
    response = client.get("/calendar.ics")
    assert all(len(line) <= 75 for line in response.content.split(b"\r\n"))
    first, second = Calendar.from_ical(response.content).events
    assert str(first["summary"]) == "Nîmes; \\n, <b>“Cup”</b> BEGIN:VEVENT " + "長" * 60
    assert str(first["location"]) == "A B;C,D, France"
    assert str(first["description"]) == "https://example.org/?a=1,2;b"
    event = Event.objects.get(name=odd)
    assert str(first["url"]).endswith(event.get_absolute_url())
    assert str(second["summary"]) == "Later"


def test_calendar_file_is_sent_once(client):
    first = client.get("/calendar.ics")
    assert client.get("/calendar.ics", headers={"If-None-Match": first["ETag"]}).status_code == 304
    Event.objects.filter(name="Coming").update(name="Moved")
    assert client.get("/calendar.ics", headers={"If-None-Match": first["ETag"]}).status_code == 200
