"""A federation small enough to compute by hand. Draws between equals leave ratings as they are."""

import datetime as dt
import math

import numpy as np
import pytest

from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment, Table
from ratings.queries.lists.statistics import VERSION, classes, spread, statistics_of
from tests.factories import give_rating, make_list, make_player, make_table
from tests.shared import reused

pytestmark = pytest.mark.django_db


@pytest.fixture
def fesa():
    return make_list()


@pytest.fixture
@reused
def four(fesa, rate_all):
    """A and B, both 2000, draw in 2020; C and D, both 1600, draw twice in 2021."""
    a, b = make_player("A", country="DE"), make_player("B", country="FR")
    c, d = make_player("C", country="DE"), make_player("D", country="")
    give_rating(fesa, a, 2000, grade="3 Dan")
    give_rating(fesa, b, 2000, grade="2 Dan")
    for player in (c, d):
        give_rating(fesa, player, 1600, grade="1 Kyu")
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2020-03-01")
    make_table(fesa, [c, d], [(1, 1, 2, 0.5), (2, 2, 1, 0.5)], "2021-05-01")
    rate_all()
    return a, b, c, d


def test_drift_is_of_those_active_at_the_end_of_each_year(fesa, four):
    """FESA's list keeps who has played within two years. 2020: A and B, as C and D have not played yet. 2021: all four;
    the quartiles of 1600 1600 2000 2000 lie at the places 0.75, 1.5 and 2.25 of 0 to 3. 2022: A and B, who last played
    on 2020-03-01, are gone. On 2023-06-01 so are C and D.
    """
    drift = statistics_of(fesa, dt.date(2023, 6, 1))["drift"]
    assert drift == [
        {"year": 2020, "players": 2, "mean": 2000, "low": 2000, "median": 2000, "high": 2000},
        {"year": 2021, "players": 4, "mean": 1800, "low": 1600, "median": 1800, "high": 2000},
        {"year": 2022, "players": 2, "mean": 1600, "low": 1600, "median": 1600, "high": 1600},
    ]


def test_drift_of_the_present_year_is_of_now(fesa, four):
    assert [line["players"] for line in statistics_of(fesa, dt.date(2021, 4, 30))["drift"]] == [2, 2]


def test_players_of_today(fesa, four):
    """On 2022-06-01 who played from 2020-06-01 on is active: C and D."""
    figures = statistics_of(fesa, dt.date(2022, 6, 1))
    assert (figures["day"], figures["shown"], figures["active"]) == ("2022-06-01", 4, 2)
    assert figures["grades"] == [
        {"grade": "3 Dan", "active": 0, "all": 1},
        {"grade": "2 Dan", "active": 0, "all": 1},
        {"grade": "1 Dan", "active": 0, "all": 0},
        {"grade": "1 Kyu", "active": 2, "all": 2},
    ]
    assert figures["ratings"] == {"players": 2, "mean": 1600, "low": 1600, "median": 1600, "high": 1600}
    assert figures["classes"] == [{"lower": 1600, "upper": 1605, "players": 2}]
    assert figures["countries"] == [
        {"country": "DE", "players": 2, "active": 1, "best": 1, "top": 1600},
        {"country": "FR", "players": 1, "active": 0, "best": 0, "top": None},
    ]


def test_players_without_a_grade_are_reported(fesa, four):
    fesa.standings.filter(player=four[2]).update(grade="")
    figures = statistics_of(fesa, dt.date(2022, 6, 1))
    assert figures["without_grade"] == {"active": 1, "all": 1}
    assert [sum(line[of] for line in figures["grades"]) + 1 for of in ("active", "all")] == [
        figures["active"],
        figures["shown"],
    ]


def test_hidden_player_is_in_no_count_of_players(fesa, four):
    fesa.standings.filter(player=four[2]).update(published=False)
    figures = statistics_of(fesa, dt.date(2022, 6, 1))
    assert (figures["shown"], figures["active"], figures["countries"][0]["players"]) == (3, 1, 1)


def test_years_count_what_was_played_and_rated(fesa, rate_all):
    """2020: A, who was taken over with a rating, plays B, as well, and the newcomer N; a bye is no game. 2021: the
    newcomer M; one of two games is at a handicap. A table that is not rated counts nowhere.
    """
    a, b, n, m = (make_player(name) for name in "ABNM")
    give_rating(fesa, a, 2000)
    give_rating(fesa, b, 2000)
    make_table(fesa, [a, b, n], [(1, 1, 2, 0.5), (2, 1, 3, 1.0), (2, 2, None, 1.0)], "2020-03-01")
    lance = {"handicap": "l", "giver": "a"}
    make_table(fesa, [n, m, a], [(1, 1, 2, 1.0), (2, 3, 1, 1.0, lance)], "2022-03-01")
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2022-04-01", rated=False)
    rate_all()
    figures = statistics_of(fesa, dt.date(2022, 6, 1))
    assert (figures["tables"], figures["games"]) == (2, 4)
    assert figures["years"] == [
        {"year": 2020, "tables": 1, "games": 2, "players": 3, "newcomers": 1, "handicap": 0.0, "draws": 0.5},
        {"year": 2021, "tables": 0, "games": 0, "players": 0, "newcomers": 0, "handicap": None, "draws": None},
        {"year": 2022, "tables": 1, "games": 2, "players": 3, "newcomers": 1, "handicap": 0.5, "draws": 0.0},
    ]


def test_forecasts_distinguish_established_players_from_provisional_ones(fesa, rate_all):
    """400 points are 10/11. A (2000) beats B (1600, 100 games) and loses to P (1600, 5 games, so provisional)."""
    a, b, p = (make_player(name) for name in "ABP")
    give_rating(fesa, a, 2000)
    give_rating(fesa, b, 1600)
    give_rating(fesa, p, 1600, games=5)
    make_table(fesa, [b, a, p], [(1, 1, 2, 0.0), (2, 2, 3, 0.0)], "2020-03-01")
    rate_all()
    figures = statistics_of(fesa, dt.date(2020, 6, 1))
    sure = {"games": 1, "log_loss": math.log(11 / 10), "brier": (1 / 11) ** 2, "half": None}
    unsure = {"games": 1, "log_loss": math.log(11), "brier": (10 / 11) ** 2, "half": None}
    # the two losses are log 10 apart, so that their standard deviation is log 10 ÷ √2
    both = {"games": 2, "log_loss": math.log(121 / 10) / 2, "brier": 101 / 121 / 2, "half": 1.959964 * math.log(10) / 2}
    actual = figures["forecasts"]
    assert actual["established"] == pytest.approx(sure)
    assert actual["provisional"] == pytest.approx(unsure)
    assert actual["all"] == pytest.approx(both)
    assert actual["years"] == [pytest.approx({"year": 2020} | both)]
    (one,) = figures["calibration"]
    # Wilson's interval of one of two, by hand: (1/4 + z²/4 ± z·√(1/8 + z²/16)) with z² = 3.841459, over 1/2 + z²/2
    assert one == pytest.approx(
        {
            "lower": 0.9,
            "upper": 0.95,
            "games": 2,
            "expected": 10 / 11,
            "score": 0.5,
            "low": 0.0945312,
            "high": 0.9054688,
        }
    )


def test_tables_of_which_no_game_was_rated_count_nowhere(rate_all):
    renju, a, b = make_list("renju", system="rif-1995"), make_player(), make_player()
    for player in (a, b):
        given = {"list": renju, "player": player, "date": dt.date(2000, 1, 1), "reason": "opening"}
        save_adjustment(Adjustment(set={"rating": 2000}, **given))
    make_table(renju, [a, b], [(1, 1, 2, 0.5)], "2001-02-01")
    make_table(renju, [a, b], [(1, 1, 2, 1.0)], "2001-03-01", minutes=30)  # too fast
    rate_all()
    (year,) = statistics_of(renju, dt.date(2001, 6, 1))["years"]
    assert (year["tables"], year["games"], year["draws"]) == (1, 1, 1.0)


def test_tables_that_a_run_has_not_reached_count_nowhere(fesa, four):
    make_table(fesa, list(four[:2]), [(1, 1, 2, 1.0)], "2022-03-01")
    assert statistics_of(fesa, dt.date(2022, 6, 1))["games"] == 3


def test_empty_list_has_empty_figures(fesa):
    assert statistics_of(fesa, dt.date(2022, 6, 1)) == {
        "version": VERSION, "day": "2022-06-01", "tables": 0, "games": 0, "shown": 0, "active": 0, "grades": [],
        "without_grade": {"active": 0, "all": 0}, "ratings": None,
        "lowest": None, "classes": [], "countries": [], "years": [], "drift": [], "calibration": [], "rule_points": {},
        "forecasts": {"all": None, "established": None, "provisional": None, "years": []},
        "health": {
            "panel": None, "points": [], "newcomers": {"players": 0, "gain": None, "years": [], "points": []},
            "shown": 0, "provisional": 0, "away": 0, "corrections": [],
            "favourites": {"games": 0, "expected": None, "scored": None},
        },
    }  # fmt: skip


def test_figures_need_the_same_queries_for_any_number_of_tables(fesa, four, rate_all, django_assert_num_queries):
    """The tables of years that have changed are rated again, once; their sums are kept for the next time."""
    known = statistics_of(fesa, dt.date(2022, 6, 1))
    with django_assert_num_queries(8):
        statistics_of(fesa, dt.date(2022, 6, 1), known)
    for day in range(1, 20):
        make_table(fesa, list(four), [(1, 1, 2, 1.0), (1, 3, 4, 0.0)], f"2022-03-{day:02}")
    rate_all()
    assert Table.objects.count() == 21
    known = statistics_of(fesa, dt.date(2022, 6, 1), known)
    with django_assert_num_queries(8):
        statistics_of(fesa, dt.date(2022, 6, 1), known)


@pytest.mark.parametrize(
    ("ratings", "width", "held"),
    [
        ((1500, 1549, 1550), 5, {1500: 1, 1545: 1, 1550: 1}),
        ((-5, 5, 5.5), 5, {-5: 1, 5: 2}),
        ((0, 3000), 200, {0: 1, 3000: 1}),
        ((1500,), 5, {1500: 1}),
    ],
)
def test_classes_are_round_and_few(ratings, width, held):
    actual = classes(np.array(ratings, dtype=float))
    assert {line["lower"]: line["players"] for line in actual if line["players"]} == held
    assert {line["upper"] - line["lower"] for line in actual} == {width}
    assert [line["lower"] for line in actual] == list(range(actual[0]["lower"], actual[-1]["upper"], width))


def test_spread_without_players_is_empty():
    assert spread(np.zeros(0)) is None
