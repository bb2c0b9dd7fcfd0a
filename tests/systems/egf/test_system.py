"""egf-2021 by the numbers of the European Go Database's page and of the programs that quote it."""

import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.history.file import HistoryError
from ratings.systems import get_system
from ratings.systems.egf.tables import (
    bonus_points,
    con_factor,
    expected_of_black,
    find_time_class,
    nearest_rank,
    rating_of_rank,
)
from ratings.systems.thinking_time import adjusted_minutes
from ratings.systems.values import Game
from tests.histories import rate, row, table


def rated_at(rating):
    return {"opening": {"rating": rating}}


def rate_egf(players, games, **more):
    """Rate one table; fields of it and the options of the list by their names."""
    rest = {key: more.pop(key) for key in ("options", "adjustments") if key in more}
    return rate(players, {"games": games} | more, system="egf-2021", **rest)


def duel(a, b, score, extra=None, **more):
    """Changes of A and B, who play one game."""
    result = rate_egf({"A": rated_at(a), "B": rated_at(b)}, [("A", "B", score, extra or {})], **more)
    return row(result, "A").change, row(result, "B").change


# con and bonus as seven programs compute them by the page's formulas
@pytest.mark.parametrize(
    ("rating", "con", "bonus"),
    [(2100, 17.580936, 0.515778), (0, 88.710354, 5.75), (2700, 5.799546, 0.001343)],
)
def test_con_and_bonus_of_a_rating(rating, con, bonus):
    assert (con_factor(rating), bonus_points(rating)) == pytest.approx((con, bonus), abs=1e-6)


# the handicap as two programs have it: 1000 against 1300, even, with a stone for the weaker or for the stronger
def test_expected_score_with_handicap_by_half_a_stone_less():
    assert expected_of_black(1000, 1300, 0) == pytest.approx(0.273223, abs=1e-6)
    assert expected_of_black(1000, 1300, 0.5) == pytest.approx(0.304813, abs=1e-6)
    assert 1 - expected_of_black(1300, 1000, 0.5) == pytest.approx(0.239475, abs=1e-6)


# a published test of one of the programs: 220 against 420 (loss), 40 (win) and 1320 (jigo) becomes 273
def test_all_games_of_a_table_use_the_ratings_at_its_start():
    players = {"A": rated_at(220), "B": rated_at(420), "C": rated_at(40), "D": rated_at(1320)}
    result = rate_egf(players, [("A", "B", 0), ("A", "C", 1), ("A", "D", 0.5)])
    assert round(row(result, "A").after) == 273
    assert [term["rating"] for term in row(result, "A").terms] == [220] * 3


# 45 minutes and 15 seconds a move are 75 minutes, a published example; the others by the rule file's bounds
@pytest.mark.parametrize(
    ("minutes", "overtime", "adjusted"),
    [
        (45, {"increment": 15}, 75),
        (60, {"moves": 1, "seconds": 20}, 75),
        (60, {"moves": 20, "seconds": 300}, 75),
        (75, None, 75),
    ],
)
def test_adjusted_time_with_each_kind_of_overtime(minutes, overtime, adjusted):
    assert adjusted_minutes(minutes, overtime) == adjusted
    assert find_time_class(minutes, overtime, "A", "B", "C") == "A"


@pytest.mark.parametrize(
    ("minutes", "overtime", "name"),
    [
        (74, None, "B"),
        (59, {"moves": 1, "seconds": 60}, "B"),
        (45, {"increment": 14}, "B"),
        (44, {"increment": 60}, "B"),
        (50, None, "B"),
        (49, None, "C"),
        (30, {"increment": 10}, "B"),
        (30, None, "C"),
        (29, None, ""),
        (24, {"moves": 1, "seconds": 60}, ""),
        (20, {"increment": 5}, "C"),
        (19, {"increment": 60}, ""),
    ],
)
def test_class_is_the_best_whose_two_bounds_are_met(minutes, overtime, name):
    assert find_time_class(minutes, overtime, "A", "B", "C") == name


WEIGHTS = {"A": 1, "B": 0.75, "C": 0.5, "D": 0.25}


@pytest.mark.parametrize(
    ("fields", "extra", "name"),
    [
        ({}, {}, "A"),
        ({"tournament": False}, {}, "C"),
        ({"tournament": False, "minutes": 90}, {}, "C"),
        ({"minutes": 90}, {}, "A"),
        ({"minutes": 50}, {}, "B"),
        ({"minutes": 30}, {}, "C"),
        ({}, {"online": True}, "D"),
        ({"minutes": 50}, {"online": True}, "D"),
        ({"minutes": 10, "class": "B"}, {}, "B"),
        ({"tournament": False, "class": "A"}, {}, "A"),
        ({"minutes": 10, "class": "A"}, {"online": True}, "D"),
        ({"options": {"unknown_time": "B"}}, {}, "B"),
    ],
)
def test_results_and_bonus_are_multiplied_by_the_weight_of_the_class(fields, extra, name):
    won, lost = duel(2100, 2100, 1, extra, **fields)
    assert won == pytest.approx(WEIGHTS[name] * (17.580936 / 2 + 0.515778), abs=1e-6)
    assert lost == pytest.approx(WEIGHTS[name] * (-17.580936 / 2 + 0.515778), abs=1e-6)


def test_list_without_weights_counts_every_class_fully():
    assert duel(2100, 2100, 1, minutes=30, options={"weights": "none"}) == duel(2100, 2100, 1)


def test_list_without_bonus_gives_what_it_takes_between_equals():
    assert duel(2100, 2100, 1, options={"bonus": "off"}) == pytest.approx((8.790468, -8.790468), abs=1e-6)


@pytest.mark.parametrize(("minutes", "extra"), [(29, {}), (49, {"online": True})])
def test_games_faster_than_their_class_are_not_rated(minutes, extra):
    result = rate_egf({"A": rated_at(2100), "B": rated_at(2100)}, [("A", "B", 1, extra)], minutes=minutes)
    assert [(r.after, r.change, r.games, r.note) for r in table(result).rows] == [
        (2100, 0, 0, "too fast to be rated")
    ] * 2
    assert table(result).warnings == ("games too fast to be rated: 1",)


@pytest.mark.parametrize(
    ("extra", "options", "warning"),
    [
        ({"board": 13}, {}, "games on boards other than 19×19, which are not rated: 1"),
        ({"correspondence": True}, {}, "correspondence games, which are not rated: 1"),
        ({"stones": 10, "black": "a"}, {}, "games with more handicap stones than 9, which are not rated: 1"),
        (
            {"stones": 1, "black": "a"},
            {"max_stones": 0},
            "games with more handicap stones than 0, which are not rated: 1",
        ),
    ],
)
def test_excluded_games_change_nothing_and_are_reported(extra, options, warning):
    result = rate_egf({"A": rated_at(2100), "B": rated_at(2100)}, [("A", "B", 1, extra)], options=options)
    assert [(r.change, r.games, r.note) for r in table(result).rows] == [(0, 0, "no game that the rules rate")] * 2
    assert table(result).warnings == (warning,)


def test_handicap_counts_for_the_expected_score_and_not_for_con():
    result = rate_egf({"A": rated_at(1300), "B": rated_at(1000)}, [("A", "B", 0, {"stones": 1, "black": "b"})])
    term = row(result, "B").terms[0]
    assert (term["counted_rating"], term["counted_opponent_rating"], term["colour"]) == (1050, 1300, "Black")
    assert term["expected"] == pytest.approx(0.304813, abs=1e-6)
    assert row(result, "A").terms[0]["expected"] + term["expected"] == 1
    assert term["con"] == con_factor(1000)
    assert expected_of_black(2940, 100, 8.5) == 1  # 3300 − rating is taken as 1 where it would be negative


def test_table_before_1996_is_not_rated():
    result = rate_egf({"A": rated_at(2100), "B": rated_at(2000)}, [("A", "B", 1)], date="1995-12-31")
    notice = "ended before 1996-01-01: the database does not rate it"
    assert [(r.change, r.note) for r in table(result).rows] == [(0, notice)] * 2
    assert table(result).warnings == (notice,)
    assert duel(2100, 2000, 1, date="1995-12-31", end_date="1996-01-01") == duel(2100, 2000, 1)


def test_floor_applies_to_the_sum_and_is_explained():
    players = {"A": rated_at(-900), "B": rated_at(-500), "C": rated_at(-900)}
    result = rate_egf(players, [("A", "B", 0), ("A", "C", 1)], options={"bonus": "off"})
    lost, won = (term["change"] for term in row(result, "A").terms)
    assert lost < 0 < lost + won
    assert row(result, "A").change == pytest.approx(lost + won)  # the loss alone is not raised to the floor
    deep = rate_egf({"A": rated_at(-890), "B": rated_at(-890)}, [("A", "B", 0)], options={"bonus": "off"})
    one = row(deep, "A")
    assert (one.after, one.change) == (-900, -10)
    explained = get_system("egf-2021").presentation.explained(one)
    assert [part.label for part in explained.parts] == ["", "Raised to the lowest rating, −900"]
    assert sum(part.points for part in explained.parts) == pytest.approx(-10)


# 1 dan 2100, 1 kyu 2000, 20 kyu 100, 30 kyu −900; professionals 2700 + 30 (p − 1): the page
@pytest.mark.parametrize(
    ("rank", "rating"),
    [
        ("1 Dan", 2100),
        ("7 Dan", 2700),
        ("1 Kyu", 2000),
        ("20 Kyu", 100),
        ("30 Kyu", -900),
        ("35 Kyu", -900),
        ("1 Pro", 2700),
        ("9 Pro", 2940),
    ],
)
def test_newcomer_begins_with_the_rating_of_the_declared_rank(rank, rating):
    assert rating_of_rank(rank) == rating
    result = rate_egf({"N": {"prior_grade": rank}, "B": rated_at(1500)}, [("N", "B", 1)])
    newcomer = row(result, "N")
    assert (newcomer.before, newcomer.category, newcomer.note) == (
        rating,
        "rated",
        f"begins with the declared rank {rank}",
    )
    assert row(result, "B").terms[0]["opponent_rating"] == rating


# 1 dan is [2050, 2150): a public program
@pytest.mark.parametrize(
    ("rating", "rank"),
    [
        (2050, "1 Dan"),
        (2149.9, "1 Dan"),
        (2150, "2 Dan"),
        (2049.9, "1 Kyu"),
        (100, "20 Kyu"),
        (-900, "30 Kyu"),
        (3200, "9 Dan"),
    ],
)
def test_nearest_rank_of_a_rating(rating, rank):
    assert nearest_rank(rating) == rank


def test_games_of_a_player_without_rating_and_rank_are_rated_for_neither_side():
    result = rate_egf({"U": {}, "A": rated_at(1500), "B": rated_at(1500)}, [("U", "A", 1), ("A", "B", 0.5)])
    unknown, a, _b = table(result).rows
    notice = "neither a rating nor a declared rank: the games are not rated"
    assert (unknown.before, unknown.after, unknown.change, unknown.note) == (None, None, None, notice)
    assert (a.games, a.change) == (1, pytest.approx(bonus_points(1500)))
    assert table(result).warnings == (f"U has {notice}",)


def test_outsider_counts_with_the_given_rating_and_never_moves():
    players = {"A": rated_at(2100), "X": {"fixed": True} | rated_at(2100)}
    result = rate_egf(players, [("A", "X", 1)])
    assert (row(result, "X").change, row(result, "X").category) == (0, "fixed")
    assert row(result, "A").change == pytest.approx(17.580936 / 2 + 0.515778, abs=1e-6)


def test_reset_and_shift_are_adjustments_within_the_scale():
    given = [
        {"date": "2024-01-01", "player": "A", "set": {"rating": 1800}, "reason": "declared 3 kyu"},
        {"date": "2024-01-02", "shift": 2000, "reason": "levelling"},
        {"date": "2024-01-03", "shift": -9000, "reason": "levelling"},
    ]
    players = {"A": rated_at(1500), "B": rated_at(1600), "N": {}}
    result = rate_egf(players, [("A", "B", 1, {"played": False})], date="2024-02-01", adjustments=given)
    after = [{r.player: r.after for r in step.result.rows} for step in result.steps[:3]]
    assert after == [{"A": 1800}, {"A": 3299, "B": 3299}, {"A": -900, "B": -900}]


@pytest.mark.parametrize(
    ("opening", "error"),
    [
        ({"rating": 3300}, "invalid rating 3300: expected a number from -900 to below 3300"),
        ({"rating": -901}, "invalid rating -901: expected a number from -900 to below 3300"),
        ({"rating": "1500"}, 'invalid rating: "1500"'),
        ({"rating": True}, "invalid rating: true"),
        ({"rating": 1500, "deviation": 90}, "deviation is not one of rating"),
    ],
)
def test_invalid_opening_is_refused_with_its_place(opening, error):
    with pytest.raises(HistoryError) as refused:
        rate_egf({"A": {"opening": opening}, "B": rated_at(1500)}, [("A", "B", 1)])
    assert str(refused.value) == f"players[0].opening: {error}"


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"class": "E"}, 'tables[0].class: "E" is not one of A, B, C, D'),
        ({"class": 1}, "tables[0].class: Input should be a valid string"),
    ],
)
def test_invalid_class_of_a_table_is_refused(fields, error):
    with pytest.raises(HistoryError) as refused:
        rate_egf({"A": rated_at(1500), "B": rated_at(1500)}, [("A", "B", 1)], **fields)
    assert str(refused.value) == error


@pytest.mark.parametrize(
    ("fields", "note"),
    [
        ({"class": "B", "minutes": 10}, "The federation gave this event the class B."),
        ({}, "The thinking time is unknown; the games count with class A."),
        (
            {"minutes": 45, "overtime": {"increment": 15}},
            "Class A: 45 minutes of basic time, 75 minutes with overtime.",
        ),
    ],
)
def test_explanation_says_what_determined_the_class(fields, note):
    result = rate_egf({"A": rated_at(2100), "B": rated_at(2000)}, [("A", "B", 1)], **fields)
    explained = get_system("egf-2021").presentation.explained(row(result, "A"))
    assert explained.notes[-1] == note
    assert [column.key for column in explained.columns if column.key in ("class", "weight")] == (
        ["class", "weight"] if "class" in fields else []
    )


def test_lines_of_an_explanation_lead_from_the_rating_before_to_the_one_after():
    result = rate_egf({"A": rated_at(2100), "B": rated_at(2100)}, [("A", "B", 1), ("A", "B", 0)])
    explained = get_system("egf-2021").presentation.explained(row(result, "A"))
    bonus = pytest.approx(2 * 0.515778, abs=1e-6)
    assert [(line.label, line.value) for line in explained.lines] == [
        ("Rating before", 2100),
        ("Sum of the results: weight × con × (result − expected)", pytest.approx(0, abs=1e-9)),
        ("Sum of the bonus: weight × bonus", bonus),
        ("Rating after", pytest.approx(2101.031556, abs=1e-6)),
        ("Nearest rank", "1 Dan"),
    ]
    assert [(part.points, part.label) for part in explained.parts] == [
        (pytest.approx(17.580936 / 2, abs=1e-6), ""),
        (pytest.approx(-17.580936 / 2, abs=1e-6), ""),
        (bonus, "Bonus for every game"),
    ]
    assert explained.expected == 1


def test_prediction_counts_the_handicap_and_is_missing_for_games_that_are_not_rated():
    rating = get_system("egf-2021").rating
    even, handicap = Game(1, "a", "b", None), Game(1, "a", "b", None, stones=1, black="a")
    assert rating.predict(1000, 1300, even, "a") == pytest.approx(0.273223, abs=1e-6)
    assert rating.predict(1000, 1300, handicap, "a") == pytest.approx(0.304813, abs=1e-6)
    assert rating.predict(1300, 1000, handicap, "b") == pytest.approx(1 - 0.304813, abs=1e-6)
    assert rating.predict(1000, 1300, Game(1, "a", "b", None, board=9), "a") is None


def test_standing_has_no_deviation_and_everybody_with_a_rating_is_published():
    rating = get_system("egf-2021").rating
    result = rate_egf({"A": rated_at(2100), "B": rated_at(2000), "N": {}}, [("A", "B", 1)])
    standings = {id: result.standing(id) for id in "AN"}
    assert [(s.category, s.published, s.deviation) for s in standings.values()] == [
        ("rated", True, None),
        ("unrated", False, None),
    ]
    assert (rating.has_deviations, list(rating.closing_days(dt.date(2024, 1, 1), dt.date(2025, 1, 1)))) == (False, [])


RATINGS = st.lists(st.integers(-900, 3200), min_size=2, max_size=5)


@settings(max_examples=60)
@given(ratings=RATINGS, data=st.data())
def test_every_change_lies_between_the_bonus_and_con_times_the_games(ratings, data):
    players = {f"P{n}": rated_at(rating) for n, rating in enumerate(ratings)}
    ids = st.sampled_from(sorted(players))
    pairs = st.tuples(ids, ids, st.sampled_from((0, 0.5, 1))).filter(lambda game: game[0] != game[1])
    result = rate_egf(players, data.draw(st.lists(pairs, min_size=1, max_size=8)))
    for r in table(result).rows:
        if r.games:
            bound = r.games * (con_factor(r.before) + bonus_points(r.before)) + 1e-9
            assert -bound <= r.change <= bound
            assert r.after >= -900


def test_outsider_beyond_the_pole_of_the_formulas_is_rated():
    result = rate_egf({"A": rated_at(2000), "B": {}}, [("A", "B", 0)], fixed={"B": 3400})
    assert row(result, "A").change == pytest.approx(bonus_points(2000))
    assert con_factor(3400) == 0
