"""fesa-2000 by its rules: every number here follows from the rule text by hand."""

import pytest

from ratings.systems.fesa.event_2000 import damping, fast_improvers_bonus
from ratings.systems.grades import FESA_2000, grade_table
from tests.histories import rate, rated_player, row, table

# rule 2 as it was printed
PRINTED = """
 6 Dan  2440 2540 2640  -  -
 5 Dan  2240 2340 2440  - 10
 4 Dan  2080 2160 2240 16  8
 3 Dan  1920 2000 2080 16  8
 2 Dan  1800 1860 1920 14  7
 1 Dan  1680 1740 1800 14  7
 1 Kyu  1560 1620 1680 14  7
 2 Kyu  1460 1510 1560 12  6
 3 Kyu  1360 1410 1460 12  6
 4 Kyu  1280 1320 1360 12  6
 5 Kyu  1200 1240 1280 10  5
 6 Kyu  1120 1160 1200 10  5
 7 Kyu  1040 1080 1120 10  5
 8 Kyu   960 1000 1040  8  4
 9 Kyu   880  920  960  8  4
10 Kyu   800  840  880  8  4
11 Kyu   720  760  800  8  4
12 Kyu   640  680  720  6  3
13 Kyu   560  600  640  6  3
14 Kyu   480  520  560  6  3
15 Kyu   400  440  480  6  3
"""
OUTSIDER = {"fixed": True, "opening": {"rating": 2000}}


def rate_2000(players, *tables, **more):
    return rate(players, *tables, system="fesa-2000", **more)


def test_grades_are_those_printed_and_end_at_15_kyu():
    assert grade_table(PRINTED) == FESA_2000


@pytest.mark.parametrize(
    ("games", "weight"), [(1, (1 + 1 / 18) / 2), (9, 0.75), (17, (1 + 17 / 18) / 2), (18, 1), (99, 1)]
)
def test_games_against_players_under_18_games_are_damped(games, weight):
    assert damping(games) == weight


def test_every_game_is_rounded_separately_from_the_rating_before_the_table():
    # K 20, 20 * (1 - 0.4857) = 10.29 -> 10, twice; a running rating would give 10 and 9
    result = rate_2000({"A": rated_player(2010), "B": OUTSIDER}, [("A", "B", 0), ("A", "B", 0)])
    assert [term["change"] for term in row(result, "A").terms] == [-10, -10]
    assert row(result, "A").change == -20


def test_provisional_change_is_multiplied_by_18_through_n():
    # 12 games with this one: -10 * 18/12
    result = rate_2000({"A": rated_player(2000, games=11), "B": OUTSIDER}, [("A", "B", 0)])
    assert (row(result, "A").category, row(result, "A").figures["sum"], row(result, "A").change) == (
        "provisional",
        -10,
        -15,
    )


def test_opponents_below_400_count_as_they_are():
    result = rate_2000({"A": rated_player(500), "B": {"fixed": True, "opening": {"rating": 100}}}, [("A", "B", 1)])
    assert row(result, "A").terms[0]["opponent_rating"] == 100
    assert row(result, "A").change == 4  # 40 * (1 - 0.909)


@pytest.mark.parametrize(
    ("change", "performance", "bonus"),
    [(26, 3000.0, 0), (27, 3000.0, 1), (50, 3000.0, 24), (50, 2060.0, 10), (50, 2040.0, 0), (50, None, 24)],
)
def test_fast_improvers_have_the_excess_once_more_up_to_their_performance(change, performance, bonus):
    # two games: 20 + 3*2 = 26
    assert fast_improvers_bonus(2000, change, 2, performance) == bonus


def test_first_rating_is_at_least_400():
    players = {"A": {}, "B": {}, "C": {"fixed": True, "opening": {"rating": 300}}}
    result = rate_2000(players, [("A", "C", 0), ("B", "C", 0), ("B", "C", 1), ("B", "C", 0)])
    assert (row(result, "A").after, row(result, "B").after) == (400, 400)


def test_past_keeps_the_weight_and_the_prior_grade_has_the_full_one():
    # 15 Kyu: MP 440; the opponent has 9 games with this one: weight 0.75
    players = {"A": {"prior_grade": "15 Kyu"}, "B": rated_player(440, games=8)}
    result = rate_2000(players, [("A", "B", 0.5)])
    past = result.system.rating.write(result.states["A"])["past"]
    assert [(score, weight) for _, score, weight in past] == [(0, 1.0), (1, 1.0), (0.5, 0.75)]
    assert result.system.rating.read(result.system.rating.write(result.states["A"])) == result.states["A"]


def test_handicap_games_are_not_rated_and_the_table_says_so():
    handicap = {"handicap": "2p", "giver": "a"}
    result = rate_2000({"A": rated_player(2000), "B": OUTSIDER}, [("A", "B", 1, handicap), ("A", "B", 0.5)])
    assert (row(result, "A").games, row(result, "A").change) == (1, 0)
    assert table(result).warnings == ("1 handicap games are not rated in this edition",)


def test_ungraded_player_climbs_from_15_kyu():
    result = rate_2000({"A": rated_player(480), "B": {"fixed": True, "opening": {"rating": 480}}}, [("A", "B", 0.5)])
    assert [award.grade for award in row(result, "A").awards] == ["15 Kyu"]


def test_bonus_and_the_factor_of_provisional_players_are_in_the_explanation_as_lines_of_their_own():
    players = {"A": rated_player(1500, games=10), "B": OUTSIDER}
    result = rate_2000(players, [("A", "B", 1), ("A", "B", 1), ("A", "B", 0)])
    lines = result.system.presentation.explained(row(result, "A")).lines
    assert [line.label for line in lines] == [
        "Rating before",
        "Sum of the games",
        "Provisional: multiplied by 18 ÷ number of games",
        "Bonus for fast improvers",
        "Exact result",
        "Rounded",
    ]
    before, _, provisional, bonus, together, rounded = (line.value for line in lines)
    assert before + provisional + bonus == pytest.approx(together)
    assert rounded == round(together)
