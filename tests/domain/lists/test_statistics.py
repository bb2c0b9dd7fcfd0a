import datetime as dt

import pytest
import time_machine
from django.core.management import call_command
from django.utils import timezone

from ratings.domain.lists import statistics
from ratings.domain.lists.statistics import lists_due, refresh, refresh_due
from ratings.models import ListStatistics, RatingList
from ratings.tasks import refresh_statistics
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db
NOON = dt.datetime(2024, 6, 1, 12, tzinfo=dt.UTC)


@pytest.fixture
def clock():
    with time_machine.travel(NOON, tick=False) as traveller:
        yield traveller


def play(fesa, rate_all):
    make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1.0)], "2024-05-01")
    rate_all()


def test_figures_follow_a_run_an_hour_after_the_last(clock, rate_all):
    fesa = make_list()
    refresh_due()
    play(fesa, rate_all)
    clock.move_to(NOON + dt.timedelta(minutes=59))
    assert list(lists_due(timezone.now())) == []
    clock.move_to(NOON + dt.timedelta(hours=1))
    assert list(lists_due(timezone.now())) == [fesa]
    refresh_statistics()
    made = ListStatistics.objects.get()
    fesa.refresh_from_db()
    assert (made.list, made.revision, made.computed_at, made.figures["games"]) == (
        fesa,
        fesa.revision,
        timezone.now(),
        1,
    )


def test_figures_are_made_anew_every_day(clock):
    fesa = make_list()
    assert refresh(fesa)
    clock.move_to(NOON + dt.timedelta(hours=23))
    assert list(lists_due(timezone.now())) == []
    clock.move_to(NOON + dt.timedelta(hours=24))
    assert list(lists_due(timezone.now())) == [fesa]


def test_list_that_waits_for_a_run_is_not_due(clock):
    fesa = make_list()
    make_table(fesa, [make_player(), make_player()], [(1, 1, 2, 1.0)])
    assert list(lists_due(timezone.now())) == []


def test_figures_are_not_cached_if_an_input_changed_meanwhile(monkeypatch):
    fesa = make_list()

    def change(rating_list, today, previous):
        RatingList.objects.update(revision=rating_list.revision + 1)
        return {}

    monkeypatch.setattr(statistics, "statistics_of", change)
    assert not refresh(fesa)
    assert not ListStatistics.objects.exists()


def test_sweep_without_a_worker_makes_them(capsys):
    make_list()
    call_command("sweep")
    assert ListStatistics.objects.count() == 1
