"""Requests of provisional ratings, and the time at which links end."""

import datetime as dt

import pytest
import time_machine
from django.core.exceptions import ValidationError
from django.utils import timezone

from ratings.domain.results.hall import provisional
from ratings.domain.results.hall.links import find_link, make_link, sign_link
from ratings.models import Hall

from .halls import TIM, make_hall, tap

pytestmark = pytest.mark.django_db


@pytest.fixture
def sent(monkeypatch):
    """Return the tasks that are sent."""
    tasks = []
    monkeypatch.setattr(provisional, "send_task", lambda *task: tasks.append(task))
    return tasks


def test_taps_in_quick_succession_request_ratings_once(sent, settings):
    settings.CELERY_TASK_ALWAYS_EAGER = False
    hall = make_hall()
    sent.clear()
    Hall.objects.update(rating_requested_at=None)
    tap(hall, TIM, 1, "first")
    tap(hall, TIM, 2, "first")
    assert sent == [("ratings.hall", hall.pk)]
    with time_machine.travel(timezone.now() + dt.timedelta(minutes=1)):
        tap(hall, TIM, 2, "draw")
    assert sent == [("ratings.hall", hall.pk)] * 2


def test_every_tap_requests_ratings_where_tasks_run_at_once(sent):
    hall = make_hall()
    sent.clear()
    tap(hall, TIM, 1, "first")
    tap(hall, TIM, 2, "first")
    assert sent == [("ratings.hall", hall.pk)] * 2


def test_sweep_requests_ratings_of_changed_halls_only(sent):
    hall = make_hall()
    sent.clear()
    provisional.request_missing_ratings()
    assert sent == [("ratings.hall", hall.pk)]
    provisional.save_provisional_ratings(hall.pk)
    provisional.request_missing_ratings()
    assert len(sent) == 1


def test_link_ends_on_the_last_day_of_the_event():
    hall = make_hall()
    hall.event.end = dt.date(2030, 5, 4)
    hall.event.save()
    with time_machine.travel(dt.datetime(2030, 5, 3, 12, tzinfo=dt.UTC)):
        link = make_link(hall, " Tim ")
    assert (link.label, link.expires_at) == ("Tim", dt.datetime(2030, 5, 4, 23, 59, 59, tzinfo=dt.UTC))
    assert find_link(sign_link(link)) == link


def test_link_far_in_the_future_is_refused():
    with pytest.raises(ValidationError, match="at most 60 days"):
        make_link(make_hall(), "Tim", timezone.now() + dt.timedelta(61))


def test_token_of_another_key_is_no_link():
    link = make_link(make_hall(), "Tim")
    assert find_link(sign_link(link).replace(link.key, "OTHERKEY")) is None
