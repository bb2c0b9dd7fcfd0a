"""Records of runs that wait although their list is current."""

import datetime as dt

import pytest

from ratings.domain.lists.adjustments import save_adjustment
from ratings.domain.runs import rerating
from ratings.models import Adjustment, Run
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db


def test_run_takes_over_the_record_of_a_change_that_came_while_it_computed(monkeypatch):
    fesa, ada, ben = make_list(), make_player(), make_player()
    rerating.rerate(fesa.pk)
    Run.objects.all().delete()
    given = {"rating": 2000, "games": 100, "bonus_games": 100}
    save_adjustment(Adjustment(list=fesa, player=ada, date=dt.date(2020, 1, 1), set=given, reason="opening"))
    compute, calls = rerating.compute, []

    def changed_once(*args):
        calls.append(args)
        if len(calls) == 1:
            make_table(fesa, [ada, ben], [(1, 1, 2, 1.0)], event_name="Late")
        return compute(*args)

    monkeypatch.setattr(rerating, "compute", changed_once)
    done = rerating.rerate(fesa.pk)
    run = Run.objects.get()
    assert (run, run.state, len(calls)) == (done, "finished", 2)
    assert run.reasons[0].startswith("adjustment of 2020-01-01 for player")
    assert "Late" in run.reasons[1]


def test_sweep_closes_records_that_wait_for_a_current_list():
    fesa = make_list()
    waiting = Run.objects.create(list=fesa, reasons=["left over"])
    other = Run.objects.create(list=make_list("icu", system="icu-1989"), preview=True)
    rerating.sweep()
    waiting.refresh_from_db()
    other.refresh_from_db()
    assert (waiting.state, waiting.error, other.state) == ("cancelled", "another run has done this work", "waiting")
    assert waiting.ended_at is not None
