"""Waiting results on the page My events, and reminders to the officers."""

import datetime as dt

import pytest
from django.utils import timezone

from ratings.access import ORGANISERS
from ratings.localize import format_day
from ratings.models import EventStep
from tests.factories import make_event
from tests.markup import markup

from .way import CLEAN, act, paste, person

pytestmark = pytest.mark.django_db


@pytest.fixture
def waiting(client, event, players, officer):
    """An event whose results wait for four days."""
    paste(client, event, CLEAN)
    act(client, event, "submit")
    set_days(event, 4)
    return event


def set_days(event, days):
    event.steps.filter(what="submitted").update(at=timezone.now() - dt.timedelta(days))


def remind(client, event):
    return client.post(f"/organise/events/{event.public_id}/remind-officers/", follow=True)


def read_aside(client):
    return " ".join(markup(client.get("/organise/")).partition("<aside>")[2].split())


def test_organiser_reminds_the_officers_once_a_day(client, waiting):
    address = f'action="/organise/events/{waiting.public_id}/remind-officers/"'
    assert address in read_aside(client)
    response = remind(client, waiting)
    assert response.redirect_chain == [("/organise/", 302)]
    assert "Autumn Cup: the officers receive an email." in response.text
    aside = read_aside(client)
    today = timezone.now().date()
    assert address not in aside
    assert f"The officers were reminded on {format_day(today)}." in aside
    assert f"You can send a reminder from {format_day(today + dt.timedelta(1))}." in aside
    assert "The officers were reminded today. You can send another reminder tomorrow." in remind(client, waiting).text
    assert waiting.steps.filter(what="officers reminded", by__username="organiser").count() == 1
    history = client.get(f"/organise/events/{waiting.public_id}/history/").text
    assert "Officers reminded of waiting results" in history


def test_organiser_sees_from_when_a_reminder_can_be_sent(client, waiting):
    set_days(waiting, 1)
    day = (timezone.now() + dt.timedelta(2)).date()
    aside = read_aside(client)
    assert "remind-officers" not in aside
    assert f"You can send a reminder from {format_day(day)}." in aside
    assert "The results have waited for less than 3 days." in remind(client, waiting).text


def test_reminder_of_an_earlier_submission_is_not_shown(client, waiting):
    step = EventStep.objects.create(event=waiting, what="officers reminded")
    EventStep.objects.filter(pk=step.pk).update(at=timezone.now() - dt.timedelta(5))
    assert "The officers were reminded" not in read_aside(client)
    EventStep.objects.filter(pk=step.pk).update(at=timezone.now() - dt.timedelta(2))
    aside = read_aside(client)
    assert f"The officers were reminded on {format_day((timezone.now() - dt.timedelta(2)).date())}." in aside
    assert "remind-officers" in aside


def test_usual_time_of_an_answer_is_shown_when_it_is_known(client, waiting, fesa, officer):
    assert "usually answer" not in read_aside(client)
    for _ in range(5):
        event = make_event("Earlier Cup", "2024-03-02", [fesa], state="accepted")
        EventStep.objects.create(event=event, what="submitted")
        EventStep.objects.create(event=event, what="accepted", by=officer)
    event.steps.filter(what="submitted").update(at=timezone.now() - dt.timedelta(1.5))
    assert "Waiting for 4 days. Officers usually answer within 1 day." in read_aside(client)


def test_stranger_cannot_remind_the_officers(client, waiting):
    address = f"/organise/events/{waiting.public_id}/remind-officers/"
    assert client.get(address).status_code == 405
    assert client.post("/organise/events/NONE/remind-officers/").status_code == 404
    client.force_login(person("stranger", ORGANISERS))
    assert client.post(address).status_code == 403
    client.logout()
    assert "/accounts/login/" in client.post(address).text
    assert not waiting.steps.filter(what="officers reminded").exists()
