"""Time zones of federations: validation, the present day, and the days and times of pages, reminders and lists."""

import datetime as dt

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.utils import timezone

from ratings.access import OFFICERS, ORGANISERS
from ratings.domain.lists.publishing import publish_scheduled
from ratings.domain.results.reminding import remind_late_organisers
from ratings.localize import format_moment_in_zone
from ratings.models import EntryList, Event, Federation
from ratings.time_zones import activate_zone, find_today, list_time_zones, load_zone, validate_time_zone
from tests.factories import make_event, make_list
from tests.markup import markup
from tests.portal.results.way import person

LATE_EVENING = dt.datetime(2024, 5, 4, 22, 30, tzinfo=dt.UTC)
"""It is 5 May in Berlin, and 4 May in New York."""


@pytest.mark.parametrize(
    ("zone", "day"),
    [("Europe/Berlin", 5), ("America/New_York", 4), (None, 4), ("Europe/Nowhere", 4), ("../etc/passwd", 4)],
)
def test_today_depends_on_the_zone(zone, day):
    with time_machine.travel(LATE_EVENING, tick=False):
        assert find_today(zone) == dt.date(2024, 5, day)
    assert find_today(zone, LATE_EVENING) == dt.date(2024, 5, day)


def test_choices_are_zones_of_places_and_utc():
    zones = list_time_zones()
    assert {"UTC", "Europe/Berlin", "Asia/Tokyo", "America/Argentina/Buenos_Aires"} <= set(zones)
    assert not {"CET", "Etc/GMT+1", "US/Pacific", "posix/UTC"} & set(zones)
    assert zones == sorted(zones)


@pytest.mark.parametrize("name", ["", "Berlin", "../etc/passwd", "UTC+1"])
def test_unknown_zone_is_refused(name):
    with pytest.raises(ValidationError, match="is not a time zone"):
        validate_time_zone(name)


def test_page_about_several_zones_uses_that_of_the_portal():
    with timezone.override(None):
        activate_zone(["Asia/Tokyo", None, "Asia/Tokyo"])
        assert timezone.get_current_timezone_name() == "Asia/Tokyo"
        activate_zone(["Asia/Tokyo", "Europe/Berlin"])
        assert timezone.get_current_timezone_name() == "UTC"


@pytest.mark.parametrize(
    ("zone", "text"),
    [("UTC", "4 May 2024, 22:30 UTC"), ("Europe/Berlin", "5 May 2024, 00:30 CEST"),
     ("America/Sao_Paulo", "4 May 2024, 19:30 UTC-03")],
)  # fmt: skip
def test_moment_names_its_zone(zone, text):
    with timezone.override(load_zone(zone)):
        assert (format_moment_in_zone(LATE_EVENING), format_moment_in_zone(None)) == (text, "")


@pytest.fixture
def berlin(db):
    rating_list = make_list()
    Federation.objects.update(time_zone="Europe/Berlin")
    rating_list.refresh_from_db()
    return rating_list


@pytest.mark.parametrize(("zone", "published"), [("Europe/Berlin", 1), ("UTC", 0), ("America/New_York", 0)])
def test_list_is_published_when_its_day_is_over_in_its_zone(zone, published, berlin):
    Federation.objects.update(time_zone=zone)
    type(berlin).objects.update(publish_on="05-04", publish_from=dt.date(2024, 1, 1))
    with time_machine.travel(LATE_EVENING, tick=False):
        assert [str(dated.day) for dated in publish_scheduled()] == ["2024-05-04"] * published


@pytest.mark.parametrize(("zone", "reminded"), [("Europe/Berlin", 1), ("UTC", 0)])
def test_organisers_are_reminded_on_the_day_of_their_zone(zone, reminded, berlin):
    Federation.objects.update(time_zone=zone)
    type(berlin).objects.update(results_within=10, remind_organisers=7)
    make_event("Cup", "2024-04-24", [berlin], state="draft")
    with time_machine.travel(LATE_EVENING, tick=False):
        assert [remind_late_organisers(), remind_late_organisers()] == [reminded, 0]


def test_my_events_count_days_and_times_of_the_federation(client, berlin):
    organiser = person("organiser", ORGANISERS)
    client.force_login(organiser)
    make_event("Cup", "2024-05-05", [berlin], state="draft", created_by=organiser, start_time=dt.time(9))
    with time_machine.travel(LATE_EVENING, tick=False):
        page = client.get("/organise/")
    assert (page.context["next_start"], [line.stage for line in page.context["page"]]) == (
        "today at 09:00", ["playing"]
    )  # fmt: skip
    Federation.objects.update(time_zone="UTC")
    with time_machine.travel(LATE_EVENING, tick=False):
        page = client.get("/organise/")
    assert (page.context["next_start"], [line.stage for line in page.context["page"]]) == ("", ["coming"])
    assert timezone.get_current_timezone_name() == "UTC"


def test_entries_close_at_a_time_of_the_federation(client, berlin):
    organiser = person("organiser", ORGANISERS)
    event = make_event("Cup", "2024-06-01", [berlin], state="draft", created_by=organiser)
    client.force_login(organiser)
    address = f"/organise/events/{event.public_id}/entries/"
    assert "Time zone: Europe/Berlin. Leave empty" in markup(client.get(address))
    opened = client.get(address).context["form"].initial.get("opened_version", "")
    data = {"is_open": "on", "is_public": "on", "closes_at": "2024-05-05T00:30", "limit": "", "opened_version": opened}
    client.post(address, data | {"settings": "1"})
    assert EntryList.objects.get().closes_at == LATE_EVENING
    Event.objects.update(announced_at=LATE_EVENING)
    with time_machine.travel(LATE_EVENING - dt.timedelta(hours=1), tick=False):
        page = " ".join(client.get(f"/events/{event.public_id}/", follow=True).text.split())
    assert "Entries close on 5 May 2024, 00:30 CEST." in page
    with time_machine.travel(LATE_EVENING, tick=False):
        page = client.get(f"/events/{event.public_id}/", follow=True).text
    assert "Entries closed on 5 May 2024, 00:30 CEST." in page


@pytest.mark.parametrize(("zone", "over"), [("Europe/Berlin", True), ("America/New_York", False)])
def test_front_page_lists_events_until_their_day_is_over_in_the_zone(zone, over, client, berlin):
    Federation.objects.update(time_zone=zone)
    make_event("Meir Cup", "2024-05-04", [berlin], state="draft", announced_at=LATE_EVENING)
    with time_machine.travel(LATE_EVENING, tick=False):
        assert ("Meir Cup" in client.get("/").text) is not over


def test_desk_counts_days_until_the_closing_day_of_the_federation(client, berlin):
    client.force_login(person("officer", OFFICERS))
    type(berlin).objects.update(publish_on="05-10")
    with time_machine.travel(LATE_EVENING, tick=False):
        assert client.get("/organise/desk/").context["closing"].days == 5
