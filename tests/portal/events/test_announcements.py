"""The announcement of an event: venue, schedule, contact and registration, from the form to the calendar."""

import datetime as dt
import re

import pytest
import time_machine
from django.core.exceptions import ValidationError
from icalendar import Calendar

from portal.results.forms import EventForm
from portal.templatetags.portal_events import contact_link, map_address
from ratings.access import ORGANISERS
from ratings.domain.results.submitting import announce_event
from ratings.models import Event
from ratings.versioned_forms import opened_version
from tests.factories import make_event, make_list, make_user
from tests.markup import markup
from tests.portal.results.way import person

pytestmark = pytest.mark.django_db
DETAILS = {
    "address": "Town hall, 1 Main Street",
    "schedule": "9:00 registration\r\n9:30 round 1 <b>",
    "contact": "open@example.org",
    "registration": "https://example.org/register?a=1&b=2",
}


@pytest.fixture(autouse=True)
def today():
    with time_machine.travel("2024-05-04 12:00"):
        yield


@pytest.fixture
def event():
    event = make_event(
        "Winter Open", "2024-06-01", [make_list()], state=Event.State.DRAFT, place="Lyon", country="FR", **DETAILS
    )
    announce_event(event)
    return event


def page_of(client, event):
    return markup(client.get(event.get_absolute_url()))


def test_announced_event_shows_venue_schedule_contact_and_registration(client, event):
    page = page_of(client, event)
    assert "Town hall, 1 Main Street<br>Lyon" in page
    assert "9:00 registration<br>9:30 round 1 &lt;b&gt;" in page
    assert '<a href="mailto:open@example.org">open@example.org</a>' in page
    assert '<a class="button" href="https://example.org/register?a=1&amp;b=2"' in page
    assert 'openstreetmap.org/search?query=Town%20hall%2C%201%20Main%20Street%2C%20Lyon%2C%20France"' in page
    assert "The results appear here after the event." in page


def test_event_that_is_over_offers_no_registration(client, event):
    with time_machine.travel("2024-06-02 12:00"):
        page = page_of(client, event)
    assert ("example.org/register" in page, "after a rating officer has accepted them" in page) == (False, True)


def test_event_without_details_shows_no_empty_facts(client, event):
    Event.objects.update(**dict.fromkeys(DETAILS, ""), place="", country="")
    page = page_of(client, event)
    assert [label in page for label in ("Venue", "Schedule", "Contact", "Register", "Show on a map")] == [False] * 5


def test_start_time_stands_on_the_announcement_in_the_calendar_and_on_the_event(client, event):
    assert "<dt>Start time</dt>" not in page_of(client, event)
    Event.objects.update(start_time="19:30")
    page = page_of(client, event)
    assert re.search(r"<dt>Start time</dt>\s*<dd>1 Jun 2024, 19:30</dd>", page)
    assert "· 19:30" in markup(client.get("/calendar/"))
    (entry,) = Calendar.from_ical(client.get("/calendar.ics").content).events
    assert str(entry["description"]).splitlines()[0] == "Start: 19:30"
    client.force_login(person("officer", "Rating officers"))
    assert "1 Jun 2024, 19:30" in markup(client.get(f"/organise/events/{event.public_id}/"))


@pytest.mark.parametrize(("typed", "stored"), [("19:30", dt.time(19, 30)), ("", None)])
def test_organiser_enters_the_start_time(typed, stored, client, event):
    client.force_login(person("organiser", ORGANISERS))
    data = {"name": "Cup", "start": "2024-07-01", "end": "2024-07-01", "mode": "board",
            "lists": [event.lists.get().pk], "start_time": typed}  # fmt: skip
    assert client.post("/organise/events/new/", data).status_code == 302
    created = Event.objects.get(name="Cup")
    assert created.start_time == stored
    form = markup(client.get(f"/organise/events/{created.public_id}/edit/"))
    value = f' value="{typed}"' if typed else ""
    assert re.search(rf'<input type="time" name="start_time"{value}[ >]', form)
    refused = client.post("/organise/events/new/", data | {"start_time": "25:00"})
    assert (set(refused.context["form"].errors), refused.context["form"]["start_time"].value()) == (
        {"start_time"}, "25:00")  # fmt: skip


@pytest.mark.parametrize(
    ("contact", "shown"),
    [
        ("open@example.org", '<a href="mailto:open@example.org">open@example.org</a>'),
        ("a&b@example.org", '<a href="mailto:a%26b@example.org">a&amp;b@example.org</a>'),
        ("open@example.org?bcc=x@example.org", "open@example.org?bcc=x@example.org"),
        ("Ask at <i>the club</i>", "Ask at <i>the club</i>"),  # escaped by the template
        ("javascript:alert(1)", "javascript:alert(1)"),
        ("", ""),
    ],
)
def test_only_an_email_address_becomes_a_mail_link(contact, shown):
    assert contact_link(contact) == shown


def test_contact_is_escaped(client, event):
    Event.objects.update(contact="<script>alert(1)</script>")
    page = page_of(client, event)
    assert ("<script>alert" in page, "&lt;script&gt;alert(1)" in page) == (False, True)


def test_map_is_for_events_over_the_board_with_a_place():
    places = [Event(), Event(place="Lyon"), Event(address="Main Street"), Event(place="Lyon", mode=Event.Mode.ONLINE)]
    base = "https://www.openstreetmap.org/search?query="
    assert [map_address(event) for event in places] == ["", f"{base}Lyon", f"{base}Main%20Street", ""]


def test_calendar_holds_venue_schedule_contact_and_links(client, event):
    Event.objects.update(link="https://example.org/open")
    (entry,) = Calendar.from_ical(client.get("/calendar.ics").content).events
    assert str(entry["location"]) == "Town hall, 1 Main Street, Lyon, France"
    assert str(entry["description"]).splitlines() == [
        "9:00 registration",
        "9:30 round 1 <b>",
        "Contact: open@example.org",
        "Registration: https://example.org/register?a=1&b=2",
        "https://example.org/open",
    ]
    assert str(entry["url"]).endswith(event.get_absolute_url())


def test_organiser_announces_an_event_with_its_details(client, event):
    client.force_login(person("organiser", ORGANISERS))
    data = {"name": "Cup", "start": "2024-07-01", "end": "2024-07-01", "mode": "board", "announce": "1",
            "lists": [event.lists.get().pk]}  # fmt: skip
    assert client.post("/organise/events/new/", data | DETAILS).status_code == 302
    created = Event.objects.get(name="Cup")
    assert {name: getattr(created, name) for name in DETAILS} == DETAILS
    refused = client.post("/organise/events/new/", data | {"registration": "not an address", "schedule": "x" * 2001})
    assert set(refused.context["form"].errors) == {"registration", "schedule"}


TIE_BREAKS = [f"tie_breaks_{number}" for number in range(4)]


@pytest.mark.parametrize(
    ("chosen", "stored", "error"),
    [
        (("sos", "sodos", "", ""), "sos,sodos", None),
        (("points", "", "", ""), "points", None),
        (("", "", "", ""), "", None),
        (("sos", "", "sodos", ""), None, "Choose the tie-breaks in order, without leaving one empty."),
        (("sos", "sos", "", ""), None, "Choose each tie-break once, and at most four."),
        (("points", "sos", "", ""), None, "Choose either “none” or tie-breaks, not both."),
        (("sos", "unknown", "", ""), None, "Select a valid choice. unknown is not one of the available choices."),
    ],
)
def test_organiser_states_the_tie_breaks(chosen, stored, error, client, event):
    client.force_login(person("organiser", ORGANISERS))
    data = {"name": "Cup", "start": "2024-07-01", "end": "2024-07-01", "mode": "board",
            "lists": [event.lists.get().pk]} | dict(zip(TIE_BREAKS, chosen, strict=True))  # fmt: skip
    response = client.post("/organise/events/new/", data)
    if error:
        assert response.context["form"].errors == {"tie_breaks": [error]}
        form = markup(response)
    else:
        created = Event.objects.get(name="Cup")
        assert created.tie_breaks == stored
        form = markup(client.get(f"/organise/events/{created.public_id}/edit/"))
    selects = [re.search(rf'<select name="{name}".*?</select>', form, re.DOTALL)[0] for name in TIE_BREAKS]
    shown = [(re.search(r'value="([^"]*)" selected', select) or ["", ""])[1] for select in selects]
    assert shown == [code if code != "unknown" else "" for code in chosen]


def test_change_of_details_refuses_an_outdated_form(event):
    opened = opened_version(event, ["contact"])
    Event.objects.update(contact="other@example.org")
    data = {"name": "Cup", "start": "2024-07-01", "end": "2024-07-01", "mode": "board", "opened_version": opened,
            "lists": [event.lists.get().pk], "contact": "mine@example.org"}  # fmt: skip
    form = EventForm(data, instance=Event.objects.get(), user=make_user("officer", is_superuser=True))
    assert (form.is_valid(), form.is_outdated) == (False, True)


@pytest.mark.parametrize(
    ("schedule", "message"),
    [
        ("9:00\tround 1\r\n10:00 round 2\n", None),
        ("x" * 2001, "Ensure this value has at most 2000 characters (it has 2001)."),
        (
            "9:00\u202e",
            "Invisible or control characters are not allowed: U+202E RIGHT-TO-LEFT OVERRIDE. Type the text again.",
        ),
        ("9:00\x07", "Invisible or control characters are not allowed: U+0007. Type the text again."),
    ],
)
def test_schedule_has_lines_and_no_invisible_characters(schedule, message):
    event = Event(name="Cup", start=dt.date(2024, 6, 1), end=dt.date(2024, 6, 1), schedule=schedule)
    if message is None:
        event.clean_fields()
        return
    with pytest.raises(ValidationError) as refused:
        event.clean_fields()
    assert refused.value.message_dict["schedule"] == [message]
