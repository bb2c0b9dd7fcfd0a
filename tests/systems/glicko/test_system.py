"""glicko-2 by the paper's worked example, and the periods, months and deviations of a list."""

import datetime as dt
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.history.file import HistoryError
from ratings.systems import get_system
from ratings.systems.glicko.game import SCALE, Result, find_volatility, grow_deviation, rate_period
from ratings.systems.glicko.periods import idle_months, idle_periods_by_days
from ratings.systems.values import Game
from tests.histories import rate, row, table

# M. Glickman, “Example of the Glicko-2 system”: 1500, 200, 0.06 against 1400/30 (won), 1550/100 and 1700/300 (lost)
OPPONENTS = {"X": (1400, 30), "Y": (1550, 100), "Z": (1700, 300)}
EXAMPLE = {"A": {"opening": {"rating": 1500, "deviation": 200}}} | {
    id: {"opening": {"rating": rating, "deviation": deviation}} for id, (rating, deviation) in OPPONENTS.items()
}
GAMES = [("A", "X", 1), ("A", "Y", 0), ("A", "Z", 0)]


def known(rating, deviation=50, **more):
    return {"opening": {"rating": rating, "deviation": deviation} | more}


def rate_glicko(players, *tables, **more):
    return rate(players, *tables, system="glicko-2", **more)


def by_month(players, *tables, **more):
    return rate_glicko(players, *tables, options={"period": "month"}, **more)


def closing_row(result, player, day):
    return next(
        r
        for step in result.steps
        if step.cause.id == day or getattr(step.cause, "date", None) == day
        for r in step.result.rows
        if r.player == player
    )


def test_example_of_the_paper_comes_out():
    one = row(rate_glicko(EXAMPLE, GAMES), "A")
    # the paper rounds on its way: 1464.06 and 151.52; exactly they are 1464.0507 and 151.5165
    assert (one.after, one.figures["deviation"]) == pytest.approx((1464.0507, 151.5165), abs=1e-4)
    assert (one.figures["v"], one.figures["delta"]) == pytest.approx((1.778977, -0.483933), abs=1e-6)
    assert one.figures["volatility"] == pytest.approx(0.059996, abs=1e-6)
    assert one.figures["deviation"] / SCALE == pytest.approx(0.872199, abs=1e-6)
    # g and E of its table
    assert [(round(term["g"], 4), round(term["expected"], 3)) for term in one.terms] == [
        (0.9955, 0.639),
        (0.9531, 0.432),
        (0.7242, 0.303),
    ]


def test_parts_of_an_explanation_sum_to_the_change():
    one = row(rate_glicko(EXAMPLE, GAMES), "A")
    explained = get_system("glicko-2").presentation.explained(one)
    assert sum(part.points for part in explained.parts) == pytest.approx(one.change)
    assert explained.expected == pytest.approx(0.639 + 0.432 + 0.303, abs=2e-3)
    assert [(line.label, line.value) for line in explained.lines] == [
        ("Rating before", 1500),
        ("Periods of absence before", 0),
        ("Deviation at the start of the period", 200),
        ("Deviation of a rating from these games alone (√v)", pytest.approx(SCALE * math.sqrt(1.778977), abs=1e-3)),
        ("Improvement by these games alone (Δ)", pytest.approx(SCALE * -0.483933, abs=1e-3)),
        ("Volatility before", "0.060000"),
        ("Volatility after", "0.059996"),
        ("Deviation with the growth of this period", pytest.approx(200.271380, abs=1e-5)),
        ("Deviation after the games", pytest.approx(151.516524, abs=1e-5)),
        ("Factor: deviation² ÷ 173.7178", pytest.approx(151.516524**2 / SCALE, abs=1e-4)),
        ("Rating change", pytest.approx(-35.949329, abs=1e-5)),
        ("Rating after", pytest.approx(1464.050671, abs=1e-5)),
    ]


@settings(max_examples=100)
@given(
    phi=st.floats(0.1, 2),
    volatility=st.floats(0.01, 0.2),
    v=st.floats(0.05, 20),
    delta=st.floats(-8, 8),
    tau=st.floats(0.2, 1.2),
)
def test_volatility_is_a_zero_of_the_papers_function(phi, volatility, v, delta, tau):
    def f(x):
        e, total = math.exp(x), phi * phi + v + math.exp(x)
        return e * (delta * delta - total) / (2 * total * total) - (x - math.log(volatility**2)) / tau**2

    x = 2 * math.log(find_volatility(phi, volatility, v, delta, tau))
    assert f(x - 1e-6) > 0 > f(x + 1e-6)


def test_surprising_results_raise_the_volatility_more_with_a_larger_tau():
    results = [Result(2000, 50, 1)] * 5
    small, large = (rate_period(1200, 60, 0.06, results, tau).volatility for tau in (0.2, 1.2))
    assert 0.06 < small < large


def test_newcomers_begin_with_the_options_of_the_list():
    options = {"initial_rating": 1000, "initial_deviation": 300, "initial_volatility": 0.05}
    result = rate_glicko({"A": {}, "B": {}}, [("A", "B", 1)], options=options)
    a, b = table(result).rows
    assert (a.before, a.category, a.figures["deviation_before"], a.figures["volatility_before"]) == (
        1000,
        "new",
        300,
        0.05,
    )
    assert a.change == pytest.approx(-b.change)
    first = row(rate_glicko({"A": {}, "B": {}}, [("A", "B", 1)]), "A")
    assert (first.before, first.after, first.figures["deviation"]) == (
        1500,
        pytest.approx(1662.310894, abs=1e-5),
        pytest.approx(290.318964, abs=1e-5),
    )


def test_all_games_of_a_table_use_the_values_at_its_start():
    players = {id: known(1500) for id in "ABC"}
    games = [("A", "B", 1), ("B", "C", 1), ("C", "A", 1)]
    first, turned = (rate_glicko(players, order) for order in (games, games[::-1]))
    assert [row(first, id).after for id in "ABC"] == pytest.approx([1500] * 3)
    assert [row(first, id).after for id in "ABC"] == [row(turned, id).after for id in "ABC"]


@pytest.mark.parametrize(("days", "idle"), [(0, 0), (30, 0), (31, 1 / 30), (45, 0.5), (60, 1), (-5, 0)])
def test_absence_counts_from_the_second_period_on_with_fractions(days, idle):
    last = dt.date(2024, 1, 1)
    assert idle_periods_by_days(last, last + dt.timedelta(days=days), 30) == pytest.approx(idle)
    assert idle_periods_by_days(None, last, 30) == 0


def test_absence_grows_the_deviation_of_both_sides_before_a_table():
    players = {"A": known(1500, 80, last_played="2024-01-01"), "B": known(1500, 60, last_played="2024-03-01")}
    result = rate_glicko(players, {"games": [("A", "B", 1)], "date": "2024-03-01"})
    grown = SCALE * math.sqrt((80 / SCALE) ** 2 + 0.06**2)  # 60 days are one period of absence
    one = row(result, "A")
    assert (one.figures["idle"], one.figures["deviation_before"]) == (1, pytest.approx(grown))
    assert row(result, "B").terms[0]["opponent_deviation"] == pytest.approx(grown)
    assert row(result, "B").figures["idle"] == 0


def test_deviation_never_grows_above_the_cap_and_a_larger_one_stays():
    assert grow_deviation(340, 0.06, 1000, 350) == 350
    assert grow_deviation(400, 0.06, 1000, 350) == 400
    assert grow_deviation(100, 0.06, 0, 350) == 100


def test_deviation_of_a_list_grows_up_to_its_day_and_with_it_the_mark():
    rating = get_system("glicko-2").rating
    result = rate_glicko({"A": known(1500, 105), "B": known(1500, 105)}, [("A", "B", 1)], [("A", "B", 0)])
    state, player = result.states["A"], result.history.players["A"]
    fresh, later = (rating.standing(state, player, day) for day in (dt.date(2024, 1, 2), dt.date(2026, 1, 2)))
    assert fresh.deviation == state.deviation < later.deviation
    assert (fresh.category, later.category) == ("established", "provisional")


def test_months_rate_all_their_games_on_the_last_day():
    players = {"A": known(1500, 200)} | {id: EXAMPLE[id] for id in OPPONENTS}
    halves = (
        {"games": GAMES[:1], "date": "2024-01-10", "players": ["A", "X"]},
        {"games": GAMES[1:], "date": "2024-01-31", "players": ["A", "Y", "Z"]},
    )
    result = by_month(players, *halves)
    for id in ("t1", "t2"):
        waiting = row(result, "A", id)
        assert (waiting.before, waiting.after, waiting.change) == (1500, 1500, 0)
        assert waiting.note == "the games are rated on 2024-01-31, with all games of the month"
    assert [row(result, "A", id).games_after for id in ("t1", "t2")] == [1, 3]
    closed = result.steps[-1].result.rows[0]
    assert (closed.player, closed.after, closed.note) == (
        "A",
        pytest.approx(1464.0507, abs=1e-4),  # the paper's example
        "games of the month up to 2024-01-31",
    )
    assert (closed.games, closed.games_after) == (0, 3)
    (entries,) = result.lists.values()
    assert entries["A"]["deviation"] == pytest.approx(151.5165, abs=1e-4)


def test_months_without_games_count_as_periods():
    december, january = dt.date(2023, 12, 15), dt.date(2024, 1, 31)
    assert [idle_months(december, january, closed=closed) for closed in (False, True)] == [0, 1]
    assert idle_months(december, dt.date(2024, 4, 2), closed=False) == 3
    assert idle_months(None, january, closed=True) == 0
    rating = get_system("glicko-2", {"period": "month"}).rating
    assert rating.closing_days(december, january) == [dt.date(2023, 12, 31), january]


def test_newcomer_within_a_month_is_an_opponent_of_1500():
    result = by_month({"N": {}, "A": known(1500, 60), "B": known(1600, 60)}, [("N", "B", 1)], [("N", "A", 1)])
    term = row(result, "A", "t2").terms[0]
    assert (term["opponent_rating"], term["opponent_deviation"]) == (1500, 350)


def test_adjustment_before_the_closing_changes_the_own_rating_only():
    given = [{"date": "2024-01-20", "player": "A", "set": {"rating": 1700}, "reason": "r"}]
    players = {"A": known(1500, 60), "B": known(1500, 60)}
    result = by_month(players, {"games": [("A", "B", 1)], "date": "2024-01-10"}, adjustments=given)
    closing = {r.player: r for r in result.steps[-1].result.rows}
    assert closing["A"].before == 1700
    assert closing["A"].change < 60 / 5  # the win of a 1700 against the 1500 of the month's beginning
    plain = by_month(players, {"games": [("A", "B", 1)], "date": "2024-01-10"}).steps[-1].result.rows
    assert closing["B"].after == next(r.after for r in plain if r.player == "B")


def test_waiting_games_of_an_opening_are_rated_on_the_first_closing_day():
    waiting = [["2024-01-05", 1400, 30, 1], ["2024-01-06", 1550, 100, 0], ["2024-01-07", 1700, 300, 0]]
    players = {"A": known(1500, 200, waiting=waiting), "B": known(1500)}
    result = by_month(players, {"games": [("A", "B", 1, {"played": False})], "date": "2024-01-10"})
    assert result.steps[-1].result.rows[0].after == pytest.approx(1464.0507, abs=1e-4)


@pytest.mark.parametrize("extra", [{"stones": 2, "black": "a"}, {"handicap": "l", "giver": "a"}])
def test_handicap_games_are_left_out_with_a_warning(extra):
    result = rate_glicko({"A": known(1500), "B": known(1500)}, [("A", "B", 1, extra), ("A", "B", 1)])
    assert row(result, "A").games == 1
    assert table(result).warnings == ("games with a handicap, which are not rated: 1",)


def test_outsider_has_the_own_deviation_or_that_of_the_list():
    outsider = {"fixed": True, "opening": {"rating": 1600, "deviation": 120}}
    players = {"A": known(1500), "X": outsider, "Y": {"fixed": True, "opening": {"rating": 1600}}}
    result = rate_glicko(players, [("A", "X", 1), ("A", "Y", 1)], options={"outsider_deviation": 70})
    assert [term["opponent_deviation"] for term in row(result, "A").terms] == [120, 70]
    assert [row(result, id).change for id in "XY"] == [0, 0]


def test_adjusted_deviation_counts_from_its_day_on():
    given = [
        {"date": "2024-01-05", "player": "A", "set": {"deviation": 200}, "reason": "long abroad"},
        {"date": "2024-01-06", "shift": 100, "reason": "scale"},
    ]
    players = {"A": known(1500, 60, last_played="2020-01-01"), "B": known(1600, 90)}
    result = rate_glicko(players, {"games": [("A", "B", 1)], "date": "2024-01-10"}, adjustments=given)
    one = row(result, "A")
    assert (one.before, one.figures["deviation_before"], one.figures["idle"]) == (1600, 200, 0)
    assert row(result, "B").before == 1700


@pytest.mark.parametrize(
    ("opening", "error"),
    [
        ({"deviation": 90}, "deviation without a rating"),
        ({"games": 5}, "games without a rating"),
        ({"rating": 1500, "deviation": 0}, "invalid deviation: 0"),
        ({"rating": 1500, "deviation": 501}, "invalid deviation: 501"),
        ({"rating": 1500, "volatility": 0}, "invalid volatility: 0"),
        ({"rating": 1500, "volatility": 1.5}, "invalid volatility: 1.5"),
        ({"rating": 1500, "games": -1}, "invalid games: -1"),
        ({"rating": 1500, "last_played": "2024-13-01"}, 'invalid last_played: "2024-13-01"'),
        ({"rating": 1500, "waiting": [["2024-01-01", 1500, 50]]}, 'invalid waiting: [["2024-01-01", 1500, 50]]'),
        (
            {"rating": 1500, "grade": "1 Dan"},
            "grade is not one of rating, deviation, volatility, games, last_played, waiting",
        ),
    ],
)
def test_invalid_opening_is_refused_with_its_place(opening, error):
    with pytest.raises(HistoryError) as refused:
        rate_glicko({"A": {"opening": opening}, "B": known(1500)}, [("A", "B", 1)])
    assert str(refused.value) == f"players[0].opening: {error}"


def test_prediction_uses_both_deviations():
    rating, game = get_system("glicko-2").rating, Game(1, "a", "b", None)
    assert rating.predict(1600, 1500, game, "a") == pytest.approx(1 / (1 + math.exp(-100 / SCALE)))
    phi = math.hypot(60, 80) / SCALE
    g = 1 / math.sqrt(1 + 3 * phi * phi / math.pi**2)
    assert rating.predict(1600, 1500, game, "a", (60, 80)) == pytest.approx(1 / (1 + math.exp(-g * 100 / SCALE)))
    assert rating.predict(1600, 1500, Game(1, "a", "b", None, stones=2, black="a"), "a") is None


@settings(max_examples=60)
@given(
    values=st.tuples(st.integers(500, 2500), st.integers(20, 350)),
    results=st.lists(
        st.builds(Result, st.integers(500, 2500), st.integers(0, 350), st.sampled_from((0, 0.5, 1))),
        min_size=1,
        max_size=8,
    ),
)
def test_games_never_raise_the_deviation_above_its_growth_and_turned_scores_turn_the_change(values, results):
    rating, deviation = values
    period = rate_period(rating, deviation, 0.06, results, 0.5)
    assert period.deviation < period.grown
    turned = [Result(2 * rating - r.rating, r.deviation, 1 - r.score) for r in results]
    mirror = rate_period(rating, deviation, 0.06, turned, 0.5)
    assert mirror.rating - rating == pytest.approx(rating - period.rating, abs=1e-6)
    assert mirror.deviation == pytest.approx(period.deviation)


def test_far_opponents_and_large_ratings_stop_nobody():
    """A rating that is a slip of the keyboard is refused; one of an outsider is rated as the farthest that counts."""
    with pytest.raises(HistoryError, match="invalid rating: 15000"):
        rate_glicko({"A": known(15000), "B": known(1500)}, [("A", "B", 1)])
    games = {"games": [("A", "B", 1)], "fixed": {"B": -900000}}
    result = rate_glicko({"A": known(1500), "B": {}}, games)
    assert row(result, "A").after == pytest.approx(1500)
    assert get_system("glicko-2").rating.predict(1e6, -1e6, Game(1, "a", "b", None), "a") < 1


# 1500 ±200, volatility 0.06, played last on 31 January 2024. On the internal scale φ = 200 ÷ 173.7178 = 1.1512925,
# φ² = 1.3254744. Opponents of 1500 whose ratings are exact: g = 1, E = ½, so v = 1 ÷ (n × ¼) = 4 ÷ n, and Δ = 0 with half
# of the points. With Δ = 0 step 5 is ln σ'² = ln σ² − τ² × σ² ÷ (2 × (φ² + v + σ²)):
#   10 games: v = 0.4; 0.25 × 0.0036 ÷ (2 × 1.7290744) = 0.00026026, σ'² = 0.0036 × e^−0.00026026 = 0.00359906
#   30 games: v = 0.1333333; 0.0009 ÷ (2 × 1.4624077) = 0.00030771, σ'² = 0.00359889
# φ* ² = φ² + σ'² = 1.3290735 and 1.3290733, φ' = 1 ÷ √(1 ÷ φ*² + 1 ÷ v):
#   10 games: 1 ÷ √(0.7524038 + 2.5) = 0.5544952, × 173.7178 = 96.3257
#   30 games: 1 ÷ √(0.7524039 + 7.5) = 0.3481046, × 173.7178 = 60.4720
UNCERTAIN = {"rating": 1500, "deviation": 200, "last_played": "2024-01-31"}
LAST_DAY = dt.date(2024, 1, 31)


@pytest.mark.parametrize(("games", "deviation"), [(10, 96.3257), (30, 60.4720)])
@pytest.mark.parametrize(("period", "on"), [("table", LAST_DAY), ("month", dt.date(2024, 2, 10))])
def test_forecast_is_the_deviation_after_games_in_one_period(period, on, games, deviation):
    rules = get_system("glicko-2", {"period": period}).rating
    forecast = rules.forecast_deviation(rules.read(UNCERTAIN), LAST_DAY, on, [(1500, 0.5)] * games)
    assert forecast == pytest.approx(deviation, abs=1e-4)


# A year without games: 365 days are 365 ÷ 30 − 1 = 11.1666667 periods, or 12 whole months to 31 January 2025. Step 6:
#   days: φ = √(1.3254744 + 11.1666667 × 0.0036) = √1.3656744 = 1.1686207, × 173.7178 = 203.0102
#   months: φ = √(1.3254744 + 12 × 0.0036) = √1.3686744 = 1.1699036, × 173.7178 = 203.2331
@pytest.mark.parametrize(("period", "days", "deviation"), [("table", 365, 203.0102), ("month", 366, 203.2331)])
def test_forecast_without_games_grows_the_deviation(period, days, deviation):
    rules = get_system("glicko-2", {"period": period}).rating
    on = LAST_DAY + dt.timedelta(days)
    assert rules.forecast_deviation(rules.read(UNCERTAIN), LAST_DAY, on) == pytest.approx(deviation, abs=1e-4)


def test_forecast_uses_the_options_of_the_list_and_needs_a_rating():
    # outsiders of ±150 in place of exact ones: φj² = (150 ÷ 173.7178)² = 0.7455794, g² = 1 ÷ (1 + 3 × 0.7455794 ÷ π²)
    # = 0.8152425, v = 0.4 ÷ 0.8152425 = 0.4906516. With σ'² = 0.0036 × e^−(0.0009 ÷ (2 × 1.8197260)) = 0.0035991:
    # 1 ÷ √(1 ÷ 1.3290735 + 1 ÷ 0.4906516) = 0.5986296, × 173.7178 = 103.9926
    rules = get_system("glicko-2", {"outsider_deviation": 150}).rating
    ten = rules.forecast_deviation(rules.read(UNCERTAIN), LAST_DAY, LAST_DAY, [(1500, 0.5)] * 10)
    assert ten == pytest.approx(103.9926, abs=1e-4)
    assert rules.forecast_deviation(rules.newcomer(), LAST_DAY, LAST_DAY) is None


@pytest.mark.parametrize(("option", "limit"), [(110, 110), (80, 80), (500, None)])
def test_deviation_of_an_established_rating_is_an_option(option, limit):
    assert get_system("glicko-2", {"provisional_above": option}).rating.established_deviation == limit
