"""fesa-2016 by its articles: every number here follows from the rule text by hand (the arithmetic stands beside it)."""

from fractions import Fraction

import pytest

from ratings.systems.fesa import game, grades, seats, tables
from ratings.systems.fesa.grades import SCALE_2016, GradeState, Run
from tests.histories import rate, rated_player, row, table


@pytest.mark.parametrize(
    ("rating", "k"),
    [
        (2400, 16),
        (2240, 16),
        (2239, 20),
        (1920, 20),
        (1919.9, 24),
        (1560, 24),
        (1559, 28),
        (1280, 28),
        (1279, 32),
        (1040, 32),
        (1039, 36),
        (720, 36),
        (719, 40),
        (1, 40),
    ],
)
def test_k_factor_is_of_the_band_of_rule_1(rating, k):
    assert tables.k_factor(rating) == k


def test_game_between_equals_is_worth_half_of_k():
    term = game.rated_game(2000, 2000, 1, 100)
    assert (term.expected, term.formula, term.upset_gain, term.bonus, term.change) == (0.5, 10, None, 0, 10)


def test_game_won_against_a_much_stronger_player_counts_the_upset_gain():
    # 20 * (2800-2000)/160 = 100 is more than 20 * (1 - 1/101)
    assert game.rated_game(2000, 2800, 1, 100).change == 100


def test_game_won_against_a_slightly_stronger_player_counts_the_formula():
    # 20 * 40/160 = 5 is less than 20 * (1 - 0.4427)
    term = game.rated_game(2000, 2040, 1, 100)
    assert term.upset_gain is None
    assert term.change == pytest.approx(20 * (1 - 1 / (1 + 10**0.1)))


@pytest.mark.parametrize(
    ("rating", "bonus_games", "bonus"),
    [(1600, 0, 1.0), (1600, 99, 1.0), (1600, 100, 0.0), (1799, 0, 0.005), (1800, 0, 0.0), (1801, 0, 0.0)],
)
def test_bonus_is_given_below_1800_for_100_games(rating, bonus_games, bonus):
    assert game.rated_game(rating, rating, 0, bonus_games).bonus == bonus


def test_bonus_counter_grows_by_every_game_to_100():
    result = rate(
        {"A": rated_player(2000, bonus_games=99), "B": rated_player(2000, bonus_games=0)}, [("A", "B", 1)] * 2
    )
    assert [row(result, id).figures["bonus_games"] for id in "AB"] == [100, 2]


def test_change_is_rounded_once_half_to_even():
    # a fixed opponent of the same rating: a draw changes nothing, bonus (1800-1700)/200 = 0.5 rounds to 0
    result = rate(
        {"A": rated_player(1700, bonus_games=99), "B": {"fixed": True, "opening": {"rating": 1700}}},
        [("A", "B", 0.5)],
    )
    assert (row(result, "A").figures["exact"], row(result, "A").after) == (1700.5, 1700)


def test_opponents_below_400_count_as_400():
    result = rate(
        {"A": rated_player(400), "B": {"fixed": True, "opening": {"rating": 100}}},
        [("A", "B", 1)],
    )
    assert row(result, "A").terms[0]["opponent_rating"] == 400
    assert row(result, "A").change == 20


def test_rating_stays_at_1_or_above():
    result = rate(
        {"A": rated_player(2), "B": {"fixed": True, "opening": {"rating": 400}}}, [("A", "B", 0), ("A", "B", 0)] * 9
    )
    assert row(result, "A").after == 1


def test_opponents_count_with_their_post_event_rating():
    result = rate({"A": rated_player(2100), "B": rated_player(2000)}, [("A", "B", 1)])
    assert row(result, "A").terms[0]["opponent_rating"] == row(result, "B").after
    assert row(result, "B").terms[0]["opponent_rating"] == row(result, "A").after


def test_second_game_starts_from_the_running_rating():
    result = rate({"A": rated_player(1919), "B": {"fixed": True, "opening": {"rating": 1919}}}, [("A", "B", 1)] * 2)
    first, second = row(result, "A").terms
    assert (first["rating"], first["k"], first["change"]) == (1919, 24, 12)
    assert (second["rating"], second["k"]) == (1931, 20)


# (3) categories


@pytest.mark.parametrize(
    ("past", "games", "category", "after"),
    [
        ([[1500, 1], [1500, 0]], 6, "unrated", "unrated"),  # 8 games
        ([[1500, 1], [1500, 0]], 7, "provisional", "provisional"),  # 9 games
        ([[1500, 1], [1500, 0]] * 3, 11, "provisional", "provisional"),  # 17 games
        ([[1500, 1], [1500, 0]] * 3, 12, "established", "established"),  # 18 games
        ([[1500, 1]] * 8, 10, "unrated", "established"),  # only victories before: unrated, but no longer after a loss
        ([[1500, 0]] * 8, 10, "unrated", "established"),
    ],
)
def test_category_counts_the_games_of_the_table(past, games, category, after):
    result = rate(
        {"A": {"opening": {"rating": 1500, "past": past}}, "B": rated_player(1500)},
        [("A", "B", number % 2) for number in range(games)],
    )
    assert (row(result, "A").category, row(result, "A").category_after) == (category, after)


def test_first_table_is_rated_as_unrated_however_many_games_it_has():
    result = rate({"A": {}, "B": rated_player(1500)}, [("A", "B", number % 2) for number in range(20)])
    assert (row(result, "A").category, row(result, "A").games_after) == ("unrated", 20)


# (5), (6), (7) performance


def test_unrated_player_gets_their_performance():
    # a win and a loss against 1425 and 1166: exactly 1295.5, half to even
    players = {"A": {}} | {id: {"fixed": True, "opening": {"rating": r}} for id, r in (("B", 1425), ("C", 1166))}
    result = rate(players, [("A", "B", 1), ("A", "C", 0)])
    assert row(result, "A").figures["exact"] == pytest.approx(1295.5, abs=1e-6)
    assert row(result, "A").after == 1296


def test_unrated_player_at_0_percent_gets_1():
    result = rate({"A": {}, "B": rated_player(2000)}, [("A", "B", 0)] * 3)
    assert (row(result, "A").after, row(result, "A").performance) == (1, None)


def test_unrated_player_at_100_percent_gets_a_draw_with_the_highest_opponent():
    # three wins and a draw against 1500: 3.5 of 4, 1500 + 400*log10(7)
    result = rate({"A": {}, "B": {"fixed": True, "opening": {"rating": 1500}}}, [("A", "B", 1)] * 3)
    assert (row(result, "A").after, row(result, "A").performance) == (1838, None)
    assert result.system.rating.write(result.states["A"])["past"] == [[1500, 1], [1500, 1], [1500, 1]]


def test_prior_grade_counts_as_a_defeat_and_a_victory_against_its_midpoint():
    # 3 Dan: MP 2000. With a draw against 2000 the performance is 2000.
    result = rate({"A": {"prior_grade": "3 Dan"}, "B": {"fixed": True, "opening": {"rating": 2000}}}, [("A", "B", 0.5)])
    assert (row(result, "A").after, row(result, "A").games, row(result, "A").games_after) == (2000, 1, 3)
    assert result.system.rating.write(result.states["A"])["past"] == [[2000, 0], [2000, 1], [2000, 0.5]]
    assert row(result, "A").grade is None


def test_prior_grade_counts_in_the_first_table_only():
    result = rate(
        {"A": {"prior_grade": "3 Dan"}, "B": {"fixed": True, "opening": {"rating": 2000}}},
        [("A", "B", 0.5)],
        [("A", "B", 0.5)],
    )
    assert row(result, "A", "t2").games_after == 4


def test_unplayed_games_do_not_exist():
    result = rate(
        {"A": rated_player(2000), "B": rated_player(2000)},
        [("A", "B", 1, {"played": False}), ("A", None, 1, {"played": False})],
    )
    assert [(r.change, r.games, r.note) for r in table(result).rows] == [(0, 0, "no rated game")] * 2


# (10) promotions


def awards(result, player="A", id="t1"):
    return [(award.grade, award.how, award.game) for award in row(result, player, id).awards]


def climb(before, after, games, **opening):
    """One table in which A goes from `before` to exactly `after` in so many games."""
    start = GradeState(
        SCALE_2016.index_of(opening.get("grade")), Run(*opening.get("lb_run", (0, False))), opening.get("mp_run", 0)
    )
    moments = [(games * before + i * (after - before), games) for i in range(1, games + 1)]
    got, won = grades.award_promotions(SCALE_2016, start, moments, opening.get("played", 100), after)
    return (
        SCALE_2016.name_of(got.grade),
        tuple(got.lb_run),
        got.mp_run,
        [(award.grade, award.how, award.game) for award in won],
    )


def test_promotion_by_the_upper_bound_met_exactly():
    assert climb(1799, 1800, 1, grade="1 Kyu") == ("1 Dan", (1, False), 0, [("1 Dan", "upper bound", 1)])


def test_no_promotion_a_point_below_the_upper_bound():
    assert climb(1799, 1799, 1, grade="1 Kyu") == ("1 Kyu", (1, True), 1, [])


def test_promotion_passes_several_grades_in_one_table_and_each_at_its_game():
    # 1500 + 75 i: game 3 = 1725 >= 1680 (UB of 1 Kyu), game 4 = 1800 (UB of 1 Dan); 2 Dan's UB 1920 stays out of reach
    assert climb(1500, 1800, 4, grade="2 Kyu")[3] == [("1 Kyu", "upper bound", 3), ("1 Dan", "upper bound", 4)]


def test_promotion_by_seven_games_above_the_midpoint():
    assert climb(1740, 1740, 7, grade="1 Kyu") == ("1 Dan", (0, False), 0, [("1 Dan", "games above MP", 7)])


def test_no_promotion_by_six_games_above_the_midpoint():
    # the seventh, imagined, would stand at 1740 - 24 = 1716 < MP; the LB run would end at 8 (1692, 1668)
    assert climb(1740, 1740, 6, grade="1 Kyu") == ("1 Kyu", (6, True), 6, [])


def test_midpoint_run_goes_on_across_tables():
    assert climb(1740, 1740, 3, grade="1 Kyu", lb_run=(4, True), mp_run=4)[3] == [("1 Dan", "games above MP", 3)]


def test_promotion_by_fourteen_games_above_the_lower_bound_with_one_above_the_midpoint():
    assert climb(1680, 1680, 1, grade="1 Kyu", lb_run=(13, True))[3] == [("1 Dan", "games above LB", 1)]


def test_no_promotion_by_the_lower_bound_without_a_game_above_the_midpoint():
    assert climb(1680, 1680, 1, grade="1 Kyu", lb_run=(20, False)) == ("1 Kyu", (21, False), 0, [])


def test_runs_break_below_the_lower_bound():
    assert climb(1679, 1679, 1, grade="1 Kyu", lb_run=(13, True), mp_run=6) == ("1 Kyu", (0, False), 0, [])


def test_midpoint_run_breaks_between_the_bounds():
    assert climb(1739, 1739, 1, grade="1 Kyu", lb_run=(6, True), mp_run=6) == ("1 Kyu", (7, True), 0, [])


def test_bound_to_get_it_when_losing_every_game_could_not_prevent_it():
    # after 12 games above LB, 1735: losing K 24 twice gives 1711 and 1687, games 13 and 14 above LB
    assert climb(1735, 1735, 1, grade="1 Kyu", lb_run=(11, True)) == (
        "1 Dan",
        (0, False),
        0,
        [("1 Dan", "bound to get it", 1)],
    )


def test_not_bound_to_get_it_when_the_last_imagined_game_falls_short():
    # 1727: 1703, then 1679 < LB 1680
    assert climb(1727, 1727, 1, grade="1 Kyu", lb_run=(11, True)) == ("1 Kyu", (12, True), 0, [])


def test_bound_to_get_it_with_the_imagined_game_exactly_at_the_bound():
    # 1728: 1704, 1680 = LB
    assert climb(1728, 1728, 1, grade="1 Kyu", lb_run=(11, True))[3] == [("1 Dan", "bound to get it", 1)]


def test_fraction_just_under_a_bound_is_under_it():
    # 1 Dan's UB 1800 is met at game 3 of 3 exactly, not at game 2 (1799 1/3)
    assert climb(1798, 1800, 3, grade="1 Kyu")[3] == [("1 Dan", "upper bound", 3)]


def test_provisional_player_needs_the_upper_bound_of_the_grade_above():
    # for 1 Dan: UB of 2 Dan, 1920
    assert climb(1919, 1919, 1, grade="1 Kyu", played=9)[3] == []
    assert climb(1920, 1920, 1, grade="1 Kyu", played=9)[3] == [("1 Dan", "provisional", 1)]


def test_provisional_games_neither_grow_nor_break_runs():
    assert climb(1750, 1750, 3, grade="1 Kyu", played=9, lb_run=(3, True), mp_run=2) == ("1 Kyu", (3, True), 2, [])


def test_games_below_nine_bring_nothing():
    assert climb(2200, 2200, 8, played=0)[3] == []


def test_first_table_with_nine_games_can_win_a_grade():
    # at 500 the upper bound of 15 Kyu (480) is met, so the grade below it is won
    assert climb(500, 500, 9, played=0)[0] == "16 Kyu"


def test_provisional_player_becomes_established_inside_a_table():
    # game 17 provisional (1 Dan needs 1920), game 18 established (1 Dan's UB 1800)
    assert climb(1850, 1850, 2, grade="1 Kyu", played=16)[3][0] == ("1 Dan", "upper bound", 2)


def test_five_dan_waits_and_four_dan_stays():
    result = rate(
        {"A": rated_player(2440, grade="4 Dan"), "B": {"fixed": True, "opening": {"rating": 2440}}},
        [("A", "B", 0.5)],
        [("A", "B", 1)],
    )
    assert row(result, "A").awards[0].needs_approval
    assert awards(result) == [("5 Dan", "upper bound", 1)]
    assert awards(result, id="t2") == []
    assert result.standing("A").grade == "4 Dan"
    assert result.standing("A").waiting == "5 Dan"


def five_dan(ruling):
    return rate(
        {"A": rated_player(2440, grade="4 Dan"), "B": {"fixed": True, "opening": {"rating": 2440}}},
        [("A", "B", 0.5)],
        [("A", "B", 0.5)],
        decisions=[{"date": "2024-01-02", "player": "A", "grade": "5 Dan", "is": ruling}],
    )


def test_approved_five_dan_counts_from_its_date():
    result = five_dan("approved")
    assert (result.standing("A").grade, result.standing("A").waiting) == ("5 Dan", None)
    assert row(result, "A", "t2").grade_before == "5 Dan"


def test_declined_five_dan_can_be_earned_anew():
    result = five_dan("declined")
    assert awards(result, id="t2") == [("5 Dan", "upper bound", 1)]
    assert result.standing("A").grade == "4 Dan"


def test_six_dan_needs_2640_and_is_never_won_as_provisional():
    assert climb(2639, 2639, 30, grade="5 Dan")[3] == []
    assert climb(2640, 2640, 1, grade="5 Dan")[3] == [("6 Dan", "upper bound", 1)]
    assert climb(2700, 2700, 1, grade="5 Dan", played=10)[3] == []


def test_printed_decision_gives_the_grade_in_its_table_and_withheld_keeps_it_back():
    players = {"A": rated_player(1800, grade="1 Kyu"), "B": {"fixed": True, "opening": {"rating": 1800}}}
    printed = [{"date": "2024-01-01", "before": "t1", "player": "A", "grade": "3 Dan", "is": "printed"}]
    withheld = [{"date": "2024-01-01", "before": "t1", "player": "A", "grade": "1 Dan", "is": "withheld"}]
    assert awards(rate(players, [("A", "B", 0.5)], decisions=printed)) == [("3 Dan", "printed", None)]
    assert awards(rate(players, [("A", "B", 0.5)], decisions=withheld)) == []


# (12) handicap


@pytest.mark.parametrize(
    ("rating", "grade"),
    [(0, 0), (80, 1), (120, 1.5), (400, 5), (1560, 19), (1620, 19.5), (1680, 20), (2440, 25), (2640, 26), (3240, 28.5)],
)
def test_grades_are_linear_between_lower_bounds(rating, grade):
    # 3240 is half-way from 9 Dan (3120, 28 grades above 20 Kyu) to a further step of 240 points
    assert game.lowered_rating(rating, grade) == 0
    assert game.lowered_rating(3240, 28.5 - grade) == rating


def test_rating_below_the_scale_is_1():
    assert game.lowered_rating(0, 0.1) == 1
    assert game.lowered_rating(159, 2.0) == 1


@pytest.mark.parametrize(
    ("rating", "kind", "lowered"),
    [
        # 3 Dan and 2/160: 22.0125, less 2.1 is 19.9125: 1560 + 0.9125 * 120 = 1669.5 (rules/fesa-2016.md)
        (1922, "r", 1670),
        # 3 Dan and 6/160: 22.0375, less 0.2 is 21.8375: 1800 + 0.8375 * 120 = 1900.5
        (1926, "s", 1900),
        # 1 Kyu and 9/120: 19.075, less 0.6 is 18.475: 1460 + 0.475 * 100 = 1507.5
        (1569, "l", 1508),
        # 1 Kyu and 27/120: 19.225, less 1.5 is 17.725: 1360 + 0.725 * 100 = 1432.5
        (1587, "b", 1432),
        # above 9 Dan, 28 and 3/240: less 3.6 is 24.4125: 2240 + 0.4125 * 200 = 2322.5
        (3123, "2p", 2322),
    ],
)
def test_handicap_that_falls_on_a_half_is_rounded_to_even(rating, kind, lowered):
    fixed = {"fixed": True, "opening": {"rating": rating}}
    given, received = {"handicap": kind, "giver": "a"}, {"handicap": kind, "giver": "b"}
    assert game.lowered_rating(rating, tables.HANDICAPS[kind]) == lowered
    seen_by_receiver = rate({"R": rated_player(1500), "G": fixed}, [("R", "G", 0.5, received)])
    assert row(seen_by_receiver, "R").terms[0]["opponent_rating"] == lowered
    seen_by_giver = rate({"G": rated_player(rating), "R": fixed}, [("G", "R", 0.5, given)])
    assert row(seen_by_giver, "G").terms[0]["opponent_rating"] == rating + rating - lowered


def lowered_by_fractions(rating, grades):
    """Rule 12 in fractions: the rating as a grade, less the handicap, and back."""
    scale = [0, *(grade.lower_bound for grade in SCALE_2016.grades[1:]), 2640, 2880, 3120]
    step = max(i for i in range(len(scale) - 1) if rating >= scale[i])
    grade = step + Fraction(rating - scale[step], scale[step + 1] - scale[step]) - Fraction(str(grades))
    if grade < 0:
        return 1
    step = min(int(grade), len(scale) - 2)
    return round(scale[step] + (grade - step) * (scale[step + 1] - scale[step]))


@pytest.mark.parametrize(("kind", "value"), list(tables.HANDICAPS.items()))
def test_handicaps_interpolate_exactly_at_every_rating(kind, value):
    assert [game.lowered_rating(rating, value) for rating in range(3500)] == [
        lowered_by_fractions(rating, value) for rating in range(3500)
    ]


@pytest.mark.parametrize(("kind", "value"), list(tables.HANDICAPS.items()))
def test_handicap_moves_the_opponent_both_ways(kind, value):
    # giver 2080 (4 Dan exactly); the receiver sees the giver so many grades lower, and the giver the receiver higher
    lowered = game.lowered_rating(2080, value)
    result = rate(
        {"G": rated_player(2080), "R": rated_player(2080), "F": {"fixed": True, "opening": {"rating": 2080}}},
        [
            ("G", "F", 0.5, {"handicap": kind, "giver": "a"}),
            ("R", "F", 0.5, {"handicap": kind, "giver": "b"}),
        ],
    )
    assert row(result, "G").terms[0]["opponent_rating"] == 2080 + (2080 - lowered)
    assert row(result, "R").terms[0]["opponent_rating"] == lowered


def test_handicap_values_are_those_of_rule_12():
    # 4 Dan is 23.0 above 20 Kyu; 18.0 is 2 Kyu, 1460; 19.4 is 1 Kyu and 0.4 of the 120 points to 1 Dan: 1560 + 48
    assert game.lowered_rating(2080, 23) == 0
    assert game.lowered_rating(2080, 5.0) == 1460
    assert game.lowered_rating(2080, 3.6) == 1608


# warnings, outsiders


def test_more_than_16_games_of_a_player_warn():
    result = rate({"A": rated_player(2000), "B": {"fixed": True, "opening": {"rating": 2000}}}, [("A", "B", 0.5)] * 17)
    assert table(result).warnings == (
        "A has 17 games: above 16 games the formula is unreliable; split the results by date",
    )
    fewer = rate({"A": rated_player(2000), "B": {"fixed": True, "opening": {"rating": 2000}}}, [("A", "B", 0.5)] * 16)
    assert table(fewer).warnings == ()


def test_fixed_outsider_never_changes():
    result = rate(
        {"A": rated_player(2000), "B": rated_player(1500)},
        [("A", "B", 0), ("A", "B", 0)],
    )
    assert row(result, "B").change > 0
    history = rate({"A": rated_player(2000), "B": {"fixed": True, "opening": {"rating": 1500}}}, [("A", "B", 0)])
    assert (row(history, "B").category, row(history, "B").change, row(history, "B").note) == (
        "fixed",
        0,
        "fixed outsider",
    )
    assert not history.standing("B").published


def test_table_that_does_not_converge_is_flagged_with_the_moving_players(monkeypatch):
    # a single round of the iteration cannot show that nobody moves any more
    monkeypatch.setattr(seats, "MAX_ROUNDS", 1)
    result = rate({"A": rated_player(2000), "B": rated_player(1900)}, [("A", "B", 1)])
    assert (table(result).settled, table(result).rounds) == (False, 1)
    assert table(result).warnings == ("not settled after 1 rounds; still moving: A, B",)
