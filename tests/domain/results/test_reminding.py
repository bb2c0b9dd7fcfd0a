"""Reminders of late results: when they are due, how often they are sent, and to whom."""

import datetime as dt

import pytest
import time_machine
from django.contrib.auth.models import User

from ratings.domain.results.reminding import remind_late_organisers
from ratings.models import Event
from tests.factories import make_event, make_list, make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def event():
    organiser = make_user("organiser", email="organiser@example.org")
    rating_list = make_list(results_within=14, remind_organisers=7)
    return make_event("Cup", "2024-01-06", [rating_list], created_by=User.objects.get(pk=organiser.pk), state="draft")


def remind_on(day):
    with time_machine.travel(f"2024-{day}T12:00:00Z", tick=False):
        return remind_late_organisers()


def test_reminders_begin_on_the_day_after_the_due_day_and_come_weekly(event):
    days = ["01-20", "01-21", "01-22", "01-27", "01-28", "02-04"]
    assert [remind_on(day) for day in days] == [0, 1, 0, 0, 1, 1]
    assert [step.at.date() for step in event.steps.all()] == [
        dt.date(2024, 1, 21), dt.date(2024, 1, 28), dt.date(2024, 2, 4)
    ]  # fmt: skip


def test_list_without_reminders_sends_none(event):
    event.lists.update(remind_organisers=None)
    assert remind_on("02-01") == 0


def test_list_without_a_number_of_days_is_never_late(event):
    event.lists.update(results_within=None)
    assert remind_on("02-01") == 0


@pytest.mark.parametrize("state", ["submitted", "accepted", "void", "deleted"])
def test_events_that_are_not_open_are_not_reminded(state, event):
    Event.objects.update(state=state)
    assert remind_on("02-01") == 0


def test_events_given_up_are_not_reminded(event):
    assert remind_on("06-01") == 0
