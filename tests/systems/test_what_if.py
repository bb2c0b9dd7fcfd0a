import datetime as dt
import math

import pytest

from ratings.systems import SYSTEMS, get_system
from ratings.systems.simulation import simulate_next_list, simulate_results
from ratings.systems.values import Player

DAY = dt.date(2026, 6, 1)


def test_win_against_an_equal_brings_half_of_k():
    fesa = get_system("fesa-2016")
    state = fesa.rating.read({"rating": 2000, "games": 100, "bonus_games": 50})
    row, after = simulate_results(fesa.rating, Player("P"), state, [(2000, 1)], DAY)
    assert (row.before, row.after, row.change) == (2000, 2010, 10)  # K 20 at 2000, expected 0.5 + own rise
    assert fesa.rating.standing(after, Player("P")).games == 101


def test_win_that_completes_a_run_brings_the_grade():
    fesa = get_system("fesa-2016")
    state = fesa.rating.read(
        {"rating": 1870, "games": 100, "bonus_games": 50, "grade": "1 Dan", "mp_run": 6, "lb_run": [6, True]}
    )
    row, _ = simulate_results(fesa.rating, Player("P"), state, [(1850, 1)], DAY)
    assert [(award.grade, award.how) for award in row.awards] == [("2 Dan", "games above MP")]


# expected score 0.36 against somebody 100 points stronger: K (24, 32, 32) times 0.64 and -0.36, rounded to the
# whole point (in fide-2024 K 20, on the list); bgf in the go federation's own scale; in rif-1995 and rif-2021 it counts
# for the next list. egf-2021 by
# its formulas: con 35.48, expected 0.41, bonus 2. glicko-2: a newcomer's deviation of 350 against a known rating
WON_AND_LOST = {
    "icu-1989": (15, -9),
    "rif-1997": (20, -12),
    "rif-1995": (20, -12),
    "egf-2021": (22.137590, -11.497145),
    "glicko-2": (233.342143, -131.217931),
    "rif-2021": (0, 0),
    "fide-2024": (12.8, -7.2),
}


@pytest.mark.parametrize("key", WON_AND_LOST)
def test_other_systems_answer_by_their_own_rules(key):
    system = get_system(key)
    state = system.rating.with_rating(system.rating.newcomer(), 1500)
    rows = [
        simulate_results(system.rating, Player("P", start_year=2000), state, [(1600, score)], DAY)[0]
        for score in (1, 0)
    ]
    assert tuple(row.change for row in rows) == pytest.approx(WON_AND_LOST[key], abs=1e-6)


def test_every_system_takes_part():
    for key in SYSTEMS:
        system = get_system(key)
        state = system.rating.with_rating(system.rating.newcomer(), 1500)
        row, _ = simulate_results(system.rating, Player("P", start_year=2000), state, [(1500, 1), (1500, 0)], DAY)
        assert (row.player, row.games) == ("P", 2), key


def test_only_systems_with_deviations_forecast_one():
    for key in SYSTEMS:
        rules = get_system(key).rating
        state = rules.with_rating(rules.newcomer(), 1500)
        forecasts = [rules.forecast_deviation(state, DAY, DAY, results) for results in ((), [(1500, 0.5)] * 10)]
        assert [forecast is not None for forecast in forecasts] == [rules.has_deviations] * 2, key


def test_older_games_count_by_the_deviation_of_the_last_list():
    """The deviation on a list has grown since the last game already, so the drift begins on the day of that list.

    rif-2021, quarterly: the prior of 30 June has the variance 100², to which 19.3 a day are added for 31 days. With one
    drawn game against 1900, fixed, the information of the game is q² / 4, q = ln 10 / 400 (rules of 2021).
    """
    rules = get_system("rif-2021", {"lists": "quarterly"}).rating
    on, listed = dt.date(2026, 7, 31), dt.date(2026, 6, 30)
    played = {}
    for last_played in ("2026-06-01", "2026-06-29"):
        state = rules.read({"rating": 1900, "deviation": 100, "games": 30, "last_played": last_played})
        row, after = simulate_results(rules, Player("player"), state, [(1900, 0.5)], on)
        day, row = simulate_next_list(rules, Player("player"), (state, after), [(1900, 0.5)], on)
        assert (day, row.change) == (dt.date(2026, 9, 30), pytest.approx(0, abs=1e-6))
        played[last_played] = row.figures["deviation"]
    variance = 100**2 + 19.3 * (on - listed).days
    information = 1 / variance + (math.log(10) / 400) ** 2 / 4
    expected = math.sqrt(1 / information + 19.3 * (day - on).days)
    assert list(played.values()) == [pytest.approx(expected, abs=0.5)] * 2
    assert played["2026-06-01"] == played["2026-06-29"]
