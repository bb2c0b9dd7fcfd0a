"""Answers of a federation and the time they take, and the way of an event's results."""

import datetime as dt

import pytest
from django.utils import timezone

from ratings.domain.results.steps import record_event_step
from ratings.domain.runs.rerating import rerate
from ratings.models import Event, EventStep, Report
from ratings.queries.lists.answers import Answers, ResultsProgress, Waiting, read_answers, read_results_progress
from tests.factories import give_rating, make_event, make_list, make_player

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 11, 27, 12, tzinfo=dt.UTC)
What = EventStep.What


def days_ago(number):
    return NOW - dt.timedelta(days=number)


def report(asked, answered=None, state=None, **about):
    """Save a report that was asked and answered so many days ago."""
    made = Report.objects.create(text="x", **about)
    state = state or (Report.State.OPEN if answered is None else Report.State.MENDED)
    at = None if answered is None else days_ago(answered)
    Report.objects.filter(pk=made.pk).update(at=days_ago(asked), answered_at=at, state=state)


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
def player(fesa):
    player = make_player()
    give_rating(fesa, player, 1500)
    rerate(fesa.pk)
    return player


def test_answers_are_those_about_the_list(fesa, player):
    """The median of 1, 2 and 9 days is 2; reports about nothing or another list, spam and old answers do not count."""
    event, other = make_event(lists=[fesa]), make_event(lists=[make_list("other")])
    for asked, answered, about in ((10, 9, {"player": player}), (10, 8, {"event": event}), (10, 1, {"event": event})):
        report(asked, answered, **about)
    report(40, event=event)
    report(3, player=player)
    report(20, 1, Report.State.DECLINED, event=event)
    report(500, 400, event=event)
    report(90)
    report(90, event=other)
    report(90, player=make_player())
    assert read_answers(fesa, NOW) == Answers(Waiting(2, days_ago(40)), 3, dt.timedelta(days=2), Waiting(0, None))


def test_median_of_two_is_their_mean(fesa):
    event = make_event(lists=[fesa])
    report(10, 9, event=event)
    report(10, 6, Report.State.RIGHT, event=event)
    assert read_answers(fesa, NOW).median == dt.timedelta(days=2.5)


def test_comparison_has_the_answers_of_its_list(fesa):
    report(3, event=make_event(lists=[fesa]))
    assert read_answers(make_list("compared", comparison_to=fesa), NOW).open == Waiting(1, days_ago(3))


def test_submitted_results_are_counted_with_their_last_submission(fesa):
    for ago, state in ((9, Event.State.SUBMITTED), (5, Event.State.SUBMITTED), (20, Event.State.ACCEPTED)):
        event = make_event(lists=[fesa], state=state)
        for days in (30, ago):
            step = record_event_step(event, What.SUBMITTED)
            EventStep.objects.filter(pk=step.pk).update(at=days_ago(days))
    assert read_answers(fesa, NOW).results == Waiting(2, days_ago(9))


def test_answers_cost_two_queries(fesa, player, django_assert_num_queries):
    for number in range(5):
        report(number, event=make_event(lists=[fesa]))
    with django_assert_num_queries(2):
        read_answers(fesa, timezone.now())


@pytest.mark.parametrize(
    ("steps", "received", "accepted"),
    [
        ((), None, None),
        ((What.SUBMITTED,), 0, None),
        ((What.SUBMITTED, What.WITHDRAWN), None, None),
        ((What.SUBMITTED, What.RETURNED), None, None),
        ((What.SUBMITTED, What.RETURNED, What.RETURN_UNDONE), 0, None),
        ((What.SUBMITTED, What.RETURNED, What.SUBMITTED, What.ACCEPTED), 2, 3),
        ((What.SUBMITTED, What.ACCEPTED, What.ACCEPTANCE_UNDONE), 0, None),
        ((What.SUBMITTED, What.ACCEPTED, What.SUBMITTED, What.CORRECTED), 0, 1),
        ((What.ACCEPTED,), None, 0),
    ],
)
def test_way_of_an_event_follows_its_steps(steps, received, accepted, fesa, django_assert_num_queries):
    event = make_event(lists=[fesa])
    made = [record_event_step(event, what).at for what in steps]
    expected = ResultsProgress(*(None if place is None else made[place] for place in (received, accepted)))
    with django_assert_num_queries(1):
        assert read_results_progress(event) == expected
