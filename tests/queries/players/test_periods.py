"""Rating periods of a player: months and list days with and without games, and events that are periods."""

import datetime as dt

import pytest

from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment
from ratings.queries.players.careers import Career
from ratings.queries.players.periods import list_periods, list_single_periods, with_score
from tests.factories import make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db
START = dt.date(2023, 12, 31)


@pytest.fixture(autouse=True)
def fixed_today(monkeypatch):
    moment = dt.datetime(2024, 4, 10, 12, tzinfo=dt.UTC)
    monkeypatch.setattr("django.utils.timezone.now", lambda: moment)


# M. Glickman, “Example of the Glicko-2 system”: 1500 ±200 beats 1400 ±30, loses to 1550 ±100 and 1700 ±300
EXAMPLE = {"Ara": (1500, 200), "Bel": (1400, 30), "Cem": (1550, 100), "Dov": (1700, 300)}


@pytest.fixture
@reused
def example(rate_all):
    """A list rated by months with the paper's example in January; in March others play."""
    months = make_list("months", system="glicko-2", options={"period": "month"})
    players = [make_player(name) for name in EXAMPLE]
    for player, (rating, deviation) in zip(players, EXAMPLE.values(), strict=True):
        given = {"rating": rating, "deviation": deviation}
        save_adjustment(Adjustment(list=months, player=player, date=START, set=given, reason="opening"))
    ara, bel, cem, dov = players
    make_table(months, [ara, bel], [(1, 1, 2, 1.0)], "2024-01-10", event_name="First")
    make_table(months, [ara, cem, dov], [(1, 1, 2, 0.0), (2, 1, 3, 0.0)], "2024-01-31", event_name="Second")
    make_table(months, [bel, cem], [(1, 1, 2, 0.5)], "2024-03-05", event_name="Later")
    rate_all()
    months.refresh_from_db()
    return months, ara


def test_months_hold_their_events_and_those_without_games_are_one_row(example):
    months, ara = example
    career = Career(ara, months)
    quiet, january, given = (with_score(career, period) for period in list_periods(career))
    # the paper's 1464.05 and 151.52, unrounded on its way: 1464.0507 and 151.5165; the volatility is 0.059996
    assert (january.day, [step.what for step in january.tables]) == (dt.date(2024, 1, 31), ["First", "Second"])
    assert (january.points, january.games, january.opponents) == (1.0, 3, pytest.approx((1400 + 1550 + 1700) / 3))
    assert (january.rating, january.deviation) == pytest.approx((1464.0507, 151.5165), abs=1e-4)
    assert january.rated.change == pytest.approx(-35.9493, abs=1e-4)
    assert january.is_month
    # two months later: √(0.872199² + 2 × 0.059996²) = 0.876317, × 173.7178 = 152.2318
    assert (quiet.begun, quiet.day, quiet.rated) == (dt.date(2024, 2, 29), dt.date(2024, 3, 31), None)
    assert (quiet.is_quiet, quiet.games, quiet.opponents) == (True, 0, None)
    assert (quiet.rating, quiet.deviation) == pytest.approx((1464.0507, 152.2318), abs=1e-3)
    assert (given.day, given.other.what, given.rating, given.deviation) == (START, "opening", 1500, 200)


def test_each_month_has_a_row_of_its_own_for_the_graph(example):
    months, ara = example
    periods = [period for period in list_single_periods(Career(ara, months)) if period.is_quiet]
    # one month later: √(0.872199² + 0.059996²) = 0.874260, × 173.7178 = 151.8745
    expected = [(dt.date(2024, 2, 29), 151.8745), (dt.date(2024, 3, 31), 152.2318)]
    assert [(period.day, period.deviation) for period in periods] == [
        (day, pytest.approx(deviation, abs=1e-3)) for day, deviation in expected
    ]


def test_month_that_is_not_closed_yet_waits(example):
    months, ara = example
    january, given = list_periods(Career(ara, months, dt.date(2024, 1, 20)))
    assert ([step.what for step in january.tables], january.rated, january.is_quiet) == (["First"], None, False)
    assert (january.rating, january.deviation, given.other is not None) == (1500, 200, True)


def test_list_days_without_games_are_rows_with_their_stored_change(rate_all):
    renju, ara, bel = make_list("renju", system="rif-2021"), make_player("Ara"), make_player("Bel")
    for day in ("2023-03-05", "2023-11-11"):
        make_table(renju, [ara, bel], [(1, 1, 2, 1.0)], day)
    rate_all()
    periods = list_periods(Career(ara, renju))
    assert [(f"{period.day}", len(period.tables), period.is_quiet, period.is_month) for period in periods] == [
        ("2023-12-31", 1, False, False),
        ("2023-09-30", 0, True, False),
        ("2023-06-30", 0, True, False),
        ("2023-03-31", 1, False, False),
    ]
    changes = {change.day: change for change in renju.changes.filter(player=ara, table=None)}
    assert [(period.rated.change, period.rating) for period in periods[:3]] == [
        (changes[period.day].change, changes[period.day].after) for period in periods[:3]
    ]


def test_each_event_is_a_period_without_closing_days(rate_all, django_assert_num_queries):
    chess, ara, bel = make_list("chess", system="glicko-2"), make_player("Ara"), make_player("Bel")
    for day in ("2023-01-06", "2024-02-03"):
        make_table(chess, [ara, bel], [(1, 1, 2, 1.0), (2, 2, 1, 0.5)], day)
    rate_all()
    career = Career(ara, chess)
    assert career.steps
    with django_assert_num_queries(0):
        periods = list_periods(career)
    assert [(period.rated, period.rating, list(period.tables)) for period in periods] == [
        (step, step.after, [step]) for step in career.steps[::-1]
    ]
    newest = with_score(career, periods[0])
    assert (newest.points, newest.games, newest.is_quiet) == (1.5, 2, False)


def test_list_without_deviations_has_no_periods(rate_all):
    fesa, ara = make_list(), make_player("Ara")
    make_table(fesa, [ara, make_player()], [(1, 1, 2, 1.0)])
    rate_all()
    assert list_periods(Career(ara, fesa)) == []
