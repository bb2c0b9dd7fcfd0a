"""Health of a list, by hand: the panel, points in and out, newcomers, and predictions."""

import datetime as dt

import numpy as np
import pytest

from ratings.domain.lists.adjustments import save_adjustment
from ratings.models import Adjustment, RatingList
from ratings.queries.lists import rule_points
from ratings.queries.lists.change_columns import build_columns, read_year_ends
from ratings.queries.lists.health import CAUSES, measure_favourites, measure_health
from ratings.queries.lists.rule_points import sum_rule_points
from ratings.queries.lists.statistics import statistics_of
from tests.factories import give_rating, make_list, make_player, make_table

TODAY = dt.date(2024, 6, 30)
GIVEN, NEW, SETTLED, CHANGED = "given", "new", "settled", "changed"
"""Kinds of changes: the first rating by an adjustment, games of a new or an established player, a later adjustment."""


def columns(*changes):
    """Return changes as columns; each is the player's number, the day, the rating (None: not on the list), the kind."""
    return build_columns(
        (player, dt.date.fromisoformat(day), rating, kind in (NEW, SETTLED), kind in (GIVEN, CHANGED), kind == NEW,
         kind in (GIVEN, CHANGED))
        for player, day, rating, kind in changes
    )  # fmt: skip


def health(*changes, points=None, active_years=1):
    of_list = columns(*changes)
    ends = read_year_ends(RatingList(system="fesa-2016", active_years=active_years), of_list, TODAY)
    return measure_health(of_list, ends, points or {}, TODAY)


def causes(line):
    """Return the causes of a year that moved points, and the points held at its end."""
    return {name: line[name] for name in (*CAUSES, "held") if line[name]}


def test_points_come_in_by_games_and_adjustments_and_leave_with_players():
    """A is given 1500 and wins 20 in 2022; B enters with 1200 in 2022, wins 30 while new and gets 5 in 2023.

    A plays last in 2022, so he is not active at the end of 2023 and takes his 20 points with him.
    """
    points = health(
        (0, "2022-01-01", 1500, GIVEN),
        (0, "2022-02-01", 1520, SETTLED),
        (1, "2022-03-01", 1200, NEW),
        (1, "2023-03-01", 1230, NEW),
        (1, "2023-04-01", 1235, CHANGED),
        (1, "2024-02-01", 1225, SETTLED),
    )["points"]
    assert [(line["year"], line["players"], causes(line)) for line in points] == [
        (2022, 2, {"established": 20, "held": 20}),
        (2023, 1, {"newcomers": 30, "adjustments": 5, "left": -20, "held": 35}),
        (2024, 1, {"established": -10, "held": 25}),
    ]


def test_points_of_rules_are_taken_out_of_those_of_the_games():
    """A's 20 points have a bonus of 12; B's 30 have a bonus of 3, and 4 come from the lowest rating."""
    known = {"2022": {"key": "", "points": {"bonus": [12.0, 3.0], "floor": [0.0, 4.0], "rule": [0.0, 0.0]}}}
    (line, *_) = health(
        (0, "2022-01-01", 1500, GIVEN),
        (0, "2022-02-01", 1520, SETTLED),
        (1, "2022-03-01", 1200, NEW),
        (1, "2022-04-01", 1230, NEW),
        points=known,
    )["points"]
    assert causes(line) == {"newcomers": 23, "established": 8, "bonus": 15, "floor": 4, "held": 50}
    assert line["separated"]


def test_years_without_rule_points_say_so():
    lines = health((0, "2022-01-01", 1500, GIVEN), (0, "2022-02-01", 1520, SETTLED))["points"]
    assert [(line["year"], line["separated"]) for line in lines] == [(2022, False), (2023, True), (2024, True)]


def test_player_who_comes_back_brings_the_points_along():
    lines = health(
        (0, "2021-01-01", 1500, GIVEN), (0, "2021-02-01", 1540, SETTLED), (0, "2024-02-01", 1550, SETTLED),
    )["points"]  # fmt: skip
    assert [causes(line) for line in lines] == [
        {"established": 40, "held": 40}, {"left": -40}, {}, {"established": 10, "left": 40, "held": 50},
    ]  # fmt: skip


def test_player_who_was_off_the_list_enters_anew():
    lines = health(
        (0, "2022-01-01", 1500, GIVEN), (0, "2022-02-01", 1400, SETTLED), (0, "2022-03-01", None, SETTLED),
        (0, "2022-04-01", 1450, SETTLED), (0, "2022-05-01", 1460, SETTLED),
    )["points"]  # fmt: skip
    assert causes(lines[0]) == {"established": -90, "left": 100, "held": 10}


def panel_of(players, *, without=()):
    """Return the panel of players who win 10 points in each year from 2022 to 2024, except in some years."""
    changes = [(player, "2022-01-01", 1500 + player, GIVEN) for player in range(players)]
    changes += [
        (player, f"{year}-02-01", 1500 + player + 10 * (year - 2021), SETTLED)
        for year in (2022, 2023, 2024)
        for player in range(players)
        if (player, year) not in without
    ]
    return health(*changes)["panel"]


def test_panel_is_of_those_who_played_in_every_year():
    """Players 0 to 4 have 1502 on average before their games; player 5 missed a year."""
    means = [{"year": 2022, "mean": 1512}, {"year": 2023, "mean": 1522}, {"year": 2024, "mean": 1532}]
    assert panel_of(6, without={(5, 2023)}) == {"players": 5, "years": means}


def test_panel_goes_back_as_long_as_five_players_have_played_every_year():
    assert panel_of(5, without={(0, 2022)})["years"] == [{"year": 2023, "mean": 1522}, {"year": 2024, "mean": 1532}]
    assert panel_of(5, without={(0, 2023)}) is None
    assert panel_of(4) is None


def test_newcomers_are_compared_two_years_after_their_first_rating():
    """C's second change is later than two years, E's first one less than two years ago, and F came with a rating."""
    newcomers = health(
        (0, "2020-01-10", 1000, NEW), (1, "2020-02-01", 1200, NEW), (2, "2020-03-01", 900, NEW),
        (5, "2020-04-01", 1000, GIVEN), (5, "2020-05-01", 1100, SETTLED),
        (0, "2021-05-01", 1100, SETTLED), (0, "2022-01-09", 1150, SETTLED), (0, "2022-01-10", 1500, SETTLED),
        (3, "2021-06-01", 1300, NEW), (1, "2021-07-01", 1180, SETTLED), (3, "2022-03-01", 1310, SETTLED),
        (2, "2023-03-01", 1000, SETTLED), (4, "2023-05-01", 1000, NEW), (4, "2023-06-01", 1400, SETTLED),
    )["newcomers"]  # fmt: skip
    assert newcomers == {
        "players": 3,
        "gain": pytest.approx((150 - 20 + 10) / 3),
        "years": [{"year": 2020, "players": 2, "gain": 65}, {"year": 2021, "players": 1, "gain": 10}],
        "points": [[1000, 1150], [1200, 1180], [1300, 1310]],
    }


def test_favourites_are_compared_with_what_was_expected_of_them():
    """Favourites expected 0.8, 0.7 and 0.9 score 1, 0 and ½; an even game has no favourite."""
    measured = measure_favourites(np.array([0.8, 0.3, 0.5, 0.9]), np.array([1.0, 1.0, 0.0, 0.5]))
    assert measured == {"games": 3, "expected": pytest.approx(0.8), "scored": pytest.approx(0.5)}


@pytest.fixture
def fesa(db):
    return make_list()


@pytest.mark.django_db
def test_bonus_of_the_first_games_is_found_in_the_tables(fesa, rate_all):
    """FESA 2016, rule 6: below 1800 each of the first 100 games adds (1800 − rating) ÷ 200.

    A has 1600 and 50 used bonus games, so his one game adds 1; B has 2000 and gets nothing.
    """
    a, b = make_player("A"), make_player("B")
    given = {"rating": 1600, "games": 200, "bonus_games": 50}
    save_adjustment(Adjustment(list=fesa, player=a, date=dt.date(2020, 1, 1), set=given, reason="opening"))
    give_rating(fesa, b, 2000)
    make_table(fesa, [a, b], [(1, 1, 2, 0.0)], "2020-03-01")
    rate_all()
    found = sum_rule_points(fesa, {})
    assert found["2020"]["points"] == {"bonus": [1.0, 0.0], "floor": [0.0, 0.0], "rule": [0.0, 0.0]}


@pytest.mark.django_db
def test_only_years_that_changed_are_rated_again(fesa, rate_all, monkeypatch):
    a, b = make_player("A"), make_player("B")
    for player in (a, b):
        give_rating(fesa, player, 2000)
    for year in (2020, 2021, 2022):
        make_table(fesa, [a, b], [(1, 1, 2, 0.5)], f"{year}-03-01")
    rate_all()
    known = sum_rule_points(fesa, {})
    make_table(fesa, [a, b], [(1, 1, 2, 1.0)], "2022-04-01", event_name="Late")
    rate_all()
    asked = []
    monkeypatch.setattr(rule_points, "_sum_year", lambda _list, year: asked.append(year) or {})
    fesa.refresh_from_db()
    found = sum_rule_points(fesa, known)
    assert (asked, list(found)) == (["2022"], ["2022", "2021", "2020"])
    assert {year: found[year] for year in ("2020", "2021")} == {year: known[year] for year in ("2020", "2021")}
    monkeypatch.setattr(rule_points, "TABLES_AT_ONCE", 1)
    assert list(sum_rule_points(fesa, {})) == ["2022"]


@pytest.mark.django_db
def test_shares_and_corrections_of_a_list(fesa, rate_all):
    """P has 5 games, so he is provisional; neither he nor A has played within a year of 2022-06-01.

    The late table takes points from A, whose rating on the list falls without a new game.
    """
    a, b, p = make_player("A"), make_player("B"), make_player("P")
    for player in (a, b):
        give_rating(fesa, player, 2000)
    give_rating(fesa, p, 1600, games=5)
    make_table(fesa, [a, p], [(1, 1, 2, 0.5)], "2020-03-01")
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2020-04-01")
    make_table(fesa, [b, make_player("C")], [(1, 1, 2, 1.0)], "2022-04-01")
    rate_all()
    make_table(fesa, [b, p], [(1, 1, 2, 0.0)], "2020-01-15", event_name="Late")
    rate_all()
    found = statistics_of(fesa, dt.date(2022, 6, 1))["health"]
    assert (found["shown"], found["away"]) == (fesa.standings.filter(published=True).count(), 2)
    assert found["provisional"] == 2  # P, and C, who was unrated before his first game
    (run,) = {correction.run for correction in fesa.runs.order_by("-pk").first().corrections.all()}
    moved = [correction.change for correction in run.corrections.all()]
    year = run.ended_at.year
    assert found["corrections"] == [{"year": year, "points": pytest.approx(sum(moved)), "players": len(moved)}]


@pytest.mark.django_db
def test_newcomers_of_systems_without_a_category_are_counted_by_games(rate_all):
    """A has played 32 games, B and C 16 each; points of a game with fewer than 30 games before are newcomers'."""
    made = make_list("go", system="egf-2021")
    a, b, c = (make_player(name) for name in ("A", "B", "C"))
    for player in (a, b, c):
        opening = {"rating": 2000}
        save_adjustment(Adjustment(list=made, player=player, date=dt.date(2020, 1, 1), set=opening, reason="list"))
    for month in range(1, 9):
        for opponent in (b, c):
            make_table(made, [a, opponent], [(1, 1, 2, 1.0), (2, 1, 2, 0.0)], f"2021-{month:02}-01")
    make_table(made, [a, b], [(1, 1, 2, 1.0)], "2022-03-01")
    rate_all()
    found = statistics_of(made, dt.date(2022, 6, 1))
    assert found["health"]["provisional"] == 2
    last = made.changes.filter(table__isnull=False).order_by("-day", "-place").first().table_id
    moved = {change.player_id: change.change for change in made.changes.filter(table=last)}
    bonus = found["rule_points"]["2022"]["points"]["bonus"]
    points = next(line for line in found["health"]["points"] if line["year"] == 2022)
    assert (points["established"], points["newcomers"]) == (
        pytest.approx(moved[a.pk] - bonus[0]),
        pytest.approx(moved[b.pk] - bonus[1]),
    )
    forecasts = found["forecasts"]
    assert (forecasts["provisional"]["games"], forecasts["established"]) == (33, None)


@pytest.mark.django_db
def test_points_of_every_system_add_up(rate_all):
    """The causes of all years sum to the points held, whatever moves the ratings of a system."""
    for system in ("fesa-2000", "icu-1989", "egf-2021", "glicko-2", "fide-2024", "rif-2021"):
        rating_list = make_list(f"list-{system}", system=system)
        players = [make_player(name) for name in "ABCD"]
        for player in players[:2]:
            save_adjustment(Adjustment(list=rating_list, player=player, date=dt.date(2022, 1, 1),
                                       set={"rating": 1700}, reason="opening"))  # fmt: skip
        for day in ("2022-02-05", "2022-05-05", "2023-02-05"):
            games = [(1, 1, 2, 1.0), (1, 3, 4, 0.5), (2, 1, 3, 1.0), (2, 2, 4, 0.0), (3, 1, 4, 0.5), (3, 2, 3, 1.0)]
            make_table(rating_list, players, games, day, event_name=f"{system} {day}")
        rate_all()
        lines = statistics_of(rating_list, TODAY)["health"]["points"]
        assert sum(line[name] for line in lines for name in CAUSES) == pytest.approx(lines[-1]["held"])
        moved = any(abs(line[name]) > 1e-9 for line in lines for name in CAUSES if name != "left")
        assert moved == (system != "fide-2024")  # two established players, whose points cancel each other
