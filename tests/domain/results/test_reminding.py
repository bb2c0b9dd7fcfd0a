"""Reminders of late and of waiting results: when they are due, how often they are sent, and to whom."""

import datetime as dt

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from ratings.access import OFFICERS
from ratings.domain.results.reminding import remind_late_organisers, remind_officers
from ratings.domain.site.outbox import deliver_outbox
from ratings.models import Event, EventStep
from ratings.queries.results.waiting import read_usual_answer_days
from ratings.queries.results.workflow import page_version
from tests.factories import make_event, make_list, make_user
from tests.portal.results.way import make_waiting_event, person

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


@pytest.fixture
def waiting():
    """An event that was submitted at noon on 1 February, with an officer of its list."""
    rating_list = make_list()
    rating_list.officers.add(person("officer", OFFICERS))
    with time_machine.travel("2024-02-01T12:00:00Z", tick=False):
        return make_waiting_event("Cup", rating_list)


def remind_officers_on(moment, event):
    with time_machine.travel(f"2024-{moment}:00Z", tick=False):
        try:
            return remind_officers(event).data
        except ValidationError as error:
            return " ".join(error.messages)


def test_organisers_remind_officers_after_three_days_and_once_a_day(waiting):
    early = "The results have waited for less than 3 days. You can send a reminder from 4 Feb 2024."
    twice = "The officers were reminded today. You can send another reminder tomorrow."
    moments = ["02-01T13:00", "02-04T11:59", "02-04T12:00", "02-04T23:00", "02-05T00:00"]
    assert [remind_officers_on(moment, waiting) for moment in moments] == [
        early,
        early,
        {"days": 3},
        twice,
        {"days": 3},
    ]
    assert waiting.steps.filter(what=EventStep.What.OFFICERS_REMINDED).count() == 2


@pytest.mark.parametrize("state", ["working", "returned", "accepted"])
def test_officers_are_not_reminded_of_results_that_do_not_wait(state, waiting):
    waiting.submissions.update(state=state)
    assert remind_officers_on("02-09T12:00", waiting) == "The results of this event do not wait for an officer."


def test_reminder_says_that_no_officer_can_be_reached(waiting):
    User.objects.update(email="")
    assert remind_officers_on("02-09T12:00", waiting) == "No other officer of these lists has an email address."
    assert not waiting.steps.filter(what=EventStep.What.OFFICERS_REMINDED).exists()


def test_reminder_to_officers_says_what_waits_and_what_to_do(waiting, mailoutbox):
    person("other", OFFICERS)  # not an officer of this list
    assert remind_officers_on("02-10T12:00", waiting) == {"days": 9}
    deliver_outbox()
    [message] = mailoutbox
    assert (message.to, message.subject) == (["officer@example.org"], "Cup: officers reminded of waiting results")
    assert message.body.split("\n\n")[:3] == [
        f"Cup, 6 Jan 2024\nLists: {waiting.lists.get()}",
        "The results have waited for 9 days.",
        "Check the results on the event’s page, then accept or return them.",
    ]
    assert f"/organise/events/{waiting.public_id}/" in message.body


def test_reminder_does_not_make_an_open_page_outdated(waiting):
    before = page_version(waiting)
    assert remind_officers_on("02-10T12:00", waiting) == {"days": 9}
    assert page_version(waiting) == before
    EventStep.objects.create(event=waiting, what=EventStep.What.SHARED)
    assert page_version(waiting) != before


NOW = dt.datetime(2024, 6, 1, tzinfo=dt.UTC)


def answer(rating_list, days, *, start=NOW - dt.timedelta(60), what="accepted", by=None):
    """Make an event whose results were answered some days after they were submitted."""
    event = make_event(f"Cup {start} {days}", "2024-03-02", [rating_list])
    for kind, user, at in (("submitted", None, start), (what, by, start + dt.timedelta(days))):
        step = EventStep.objects.create(event=event, what=kind, by=user)
        EventStep.objects.filter(pk=step.pk).update(at=at)
    return event


def test_usual_answer_is_the_median_of_five_answers_of_the_federation(django_assert_num_queries):
    rating_list, officer = make_list(), make_user("officer")
    for days in (1, 1, 2.5, 9):
        event = answer(rating_list, days, by=officer)
    assert read_usual_answer_days([event], NOW) == {}
    answer(rating_list, 30, what="returned", by=officer)
    with django_assert_num_queries(2):
        assert read_usual_answer_days([event], NOW) == {event.pk: 3}


def test_usual_answer_leaves_out_old_own_and_withdrawn_results():
    rating_list, officer = make_list(), make_user("officer")
    for days in (1, 1, 1, 1):
        event = answer(rating_list, days, by=officer)
    answer(rating_list, 1, by=officer, start=NOW - dt.timedelta(366))
    answer(rating_list, 0)  # accepted by whoever submitted
    answer(rating_list, 1, what="withdrawn")
    assert read_usual_answer_days([event], NOW) == {}
