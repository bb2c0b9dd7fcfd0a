"""bgf by the page's own examples and annexes; the other numbers are those of the reference file's games."""

import pytest

from ratings.systems.bgf.explain import table_2
from ratings.systems.bgf.tables import (
    a_factor,
    adjusted_minutes,
    con_factor,
    grade_after,
    grade_name,
    grade_number,
    grade_of,
    handicap_weight,
    time_weight,
    too_fast,
)
from tests.histories import rate, row, table


def rated_at(rating, **opening):
    return {"opening": {"rating": rating} | opening}


def rate_bgf(players, games, date="2024-01-01", **more):
    fields = {key: more.pop(key) for key in ("minutes", "overtime", "tournament") if key in more}
    return rate(players, {"games": games, "date": date} | fields, system="bgf", **more)


def duel(black, white, score, date="2024-01-01", extra=None, **more):
    """(change of Black, change of White), Black being a."""
    result = rate_bgf({"B": rated_at(black), "W": rated_at(white)}, [("B", "W", score, extra or {})], date, **more)
    return row(result, "B").change, row(result, "W").change


# the page's examples, in its own order; 38.6 is rounded half-way there, without that it is 38.488
def test_page_two_20_kyu_in_the_club():
    result = rate_bgf({"A": rated_at(-1950), "B": rated_at(-1950)}, [("A", "B", 1)], "2003-01-10", tournament=False)
    assert [r.after for r in table(result).rows] == pytest.approx([-1903.6, -1996.4], abs=1e-9)


def test_page_one_stone_the_next_day_white_wins():
    changes = duel(-1996.4, -1903.6, 0, "2003-01-11", {"stones": 1, "black": "a"}, tournament=False)
    assert changes[1] == pytest.approx(38.488, abs=1e-3)


def test_page_four_stones_against_8_kyu():
    changes = duel(-1450, -750, 1, "2003-03-01", {"stones": 4, "black": "a"}, tournament=False)
    assert [round(change, 1) for change in changes] == [41.2, -25.2]


def test_page_1_dan_beats_an_equal_in_a_tournament():
    assert duel(50, 50, 1) == pytest.approx((14.4, -14.4))


def test_page_con_factors_and_handicap_weights():
    assert [con_factor(r) for r in (-1950, -1450, -750, 50)] == [116, 90, 55, 24]
    assert [round(con_factor(r)) for r in (-1903.6, -1996.4)] == [113, 119]
    assert [handicap_weight(n, black=True, squared=False) for n in (1, 3, 4)] == pytest.approx([0.95, 0.75, 0.65])
    assert time_weight(45, None) == pytest.approx(0.6)
    assert adjusted_minutes(60, {"moves": 20, "seconds": 300}) == 75
    assert a_factor(-1450) == 175


# the reference games of 2024 and 2015
@pytest.mark.parametrize(
    ("players", "score", "more", "changes"),
    [
        ((-950, -950), 1, {"tournament": False}, (26, -26)),
        ((50, 250), 1, {}, (25.366956, -19.025217)),
        ((550, 350), 0, {}, (-12.053814, 16.437019)),
        ((-2950, -2450), 1, {"tournament": False}, (124.016229, -102.877099)),
        ((-1450, -750), 0, {"tournament": False, "extra": {"stones": 4, "black": "a"}}, (-5.578697, 2.215982)),
        ((-1950, -1050), 1, {"tournament": False, "extra": {"stones": 9, "black": "a"}}, (7.825497, -0.708342)),
        ((-1050, -750), 1, {"minutes": 60, "extra": {"stones": 3, "black": "a", "online": True}},
         (23.383707, -13.779684)),
        ((-1250, -1150), 1, {"tournament": False, "extra": {"board": 9}}, (12.4232, -11.64675)),
        ((-1950, 50), 1, {"tournament": False, "date": "2015-06-01", "extra": {"board": 13}}, (92.795787, 0)),
        ((-450, -450), 1, {"tournament": False, "minutes": 30, "overtime": {"moves": 20, "seconds": 300}},
         (10.32, -10.32)),
        ((-150, -50), 1, {"minutes": 30, "overtime": {"moves": 1, "seconds": 30}}, (18.561679, -16.166624)),
        ((50, 150), 0.5, {}, (6.654487, -5.822676)),
    ],
)  # fmt: skip
def test_reference_games(players, score, more, changes):
    assert duel(*players, score, **more) == pytest.approx(changes, abs=1e-5)


@pytest.mark.parametrize(
    ("minutes", "overtime", "fast"),
    [
        (None, None, False),
        (39, None, True),
        (40, None, False),
        (29, {"moves": 20, "seconds": 300}, True),
        (30, {"moves": 25, "seconds": 300}, True),
        (40, {"moves": 25, "seconds": 300}, False),
        (30, {"moves": 1, "seconds": 15}, False),
        (30, {"moves": 1, "seconds": 10}, True),
        (20, {"increment": 10}, False),
        (20, {"increment": 9}, True),
        (19, {"increment": 60}, True),
    ],
)
def test_too_fast_games(minutes, overtime, fast):
    assert too_fast(minutes, overtime) is fast


def test_too_fast_table_changes_nothing_and_says_so_but_correspondence_counts():
    players = {"B": rated_at(-450), "W": rated_at(-450)}
    result = rate_bgf(players, [("B", "W", 1)], minutes=35)
    assert [(r.change, r.note) for r in table(result).rows] == [(0, "too fast to be rated")] * 2
    assert table(result).warnings == ("the games are too fast to be rated",)
    by_mail = rate_bgf(players, [("B", "W", 1, {"correspondence": True})], minutes=1)
    assert table(by_mail).warnings == ()
    assert row(by_mail, "B").change == pytest.approx(43 * 0.5 * 1.2 * 0.8)


@pytest.mark.parametrize(
    ("grade", "rating", "after"),
    [
        ("1 Dan", 101, "2 Dan"),
        ("1 Dan", 100, "1 Dan"),
        ("5 Kyu", -510, "5 Kyu"),
        ("5 Kyu", -600, "5 Kyu"),
        ("5 Kyu", -601, "6 Kyu"),
        ("1 Dan", 305, "4 Dan"),
        ("5 Kyu", -701, "7 Kyu"),
    ],
)
def test_grade_follows_with_inertia(grade, rating, after):
    assert grade_name(grade_after(grade_number(grade), rating)) == after


@pytest.mark.parametrize(("rating", "grade"), [(0, "1 Kyu"), (0.1, "1 Dan"), (100, "1 Dan"), (-100, "2 Kyu")])
def test_first_grade_is_that_of_the_band(rating, grade):
    assert grade_name(grade_of(rating)) == grade


def test_late_result_takes_a_promotion_back():
    # the page's remark 2 with the rule file's numbers
    field = {f"o{r}": rated_at(-r) for r in (600, 550, 450, 350)} | {"o451": rated_at(-450)}
    late = {"date": "2023-05-01", "games": [("A", id, 0) for id in ("o600", "o550", "o450")]}
    known = {"date": "2023-05-10", "games": [("A", "o450", 1), ("A", "o451", 1), ("A", "o350", 0)]}
    players = {"A": rated_at(-510, grade="6 Kyu")} | {id: p | {"fixed": True} for id, p in field.items()}
    alone = row(rate(players, known, system="bgf"), "A")
    assert (alone.after, alone.grade) == (pytest.approx(-455.1127, abs=1e-4), "5 Kyu")
    assert [(award.grade, award.how) for award in alone.awards] == [("5 Kyu", "above the band")]
    both = rate(players, late, known, system="bgf")
    assert [row(both, "A", id).after for id in ("t1", "t2")] == pytest.approx([-598.5193, -517.7217], abs=1e-4)
    assert row(both, "A", "t2").grade == "6 Kyu"


def test_declared_rank_is_where_a_new_player_begins_and_without_one_nothing_is_rated():
    players = {"N": {"prior_grade": "20 Kyu"}, "A": rated_at(-1950), "U": {}}
    result = rate_bgf(players, [("N", "A", 1), ("U", "A", 1)])
    n, a, u = table(result).rows
    assert (n.before, n.after, n.note) == (-1950, pytest.approx(-1950 + 69.6), "begins with the declared rank 20 Kyu")
    assert a.games == 1
    assert (u.after, u.note) == (None, "neither a rating nor a declared rank: the games are not rated")
    assert table(result).warnings == ("U has neither a rating nor a declared rank: the games are not rated",)


def test_manual_update_sets_rating_and_grade():
    result = rate_bgf(
        {"A": rated_at(-510, grade="6 Kyu"), "B": rated_at(0)},
        [("A", "B", 0, {"played": False})],
        adjustments=[{"date": "2024-01-01", "player": "A", "set": {"rating": -250}, "reason": "asked by his club"}],
    )
    assert (result.standing("A").rating, result.standing("A").grade) == (-250, "3 Kyu")


def test_ratings_may_move_after_every_round():
    players = {"A": rated_at(50), "B": rated_at(50)}
    games = [("A", "B", 1), ("A", "B", 1)]
    assert row(rate_bgf(players, games), "A").change == pytest.approx(28.8)
    second = row(rate_bgf(players, games, options={"within": "round"}), "A")
    assert [term["rating"] for term in second.terms] == pytest.approx([50, 64.4])
    assert second.after == pytest.approx(50 + sum(term["change"] for term in second.terms))


@pytest.mark.parametrize(
    ("bonus", "rating", "points"),
    [("none", -1950, 0), ("epsilon", -1950, 116 * 0.008), ("egf2021", -1950, 5.50), ("egf2021", 50, 0.52),
     ("egf2021", 650, 0.001)],
)  # fmt: skip
def test_free_points_are_a_setting(bonus, rating, points):
    result = rate_bgf({"A": rated_at(rating), "B": rated_at(rating)}, [("A", "B", 0.5)], options={"bonus": bonus})
    assert row(result, "A").change == pytest.approx(points, abs=0.005)


def test_more_than_nine_stones_are_clamped_and_told():
    players = {"B": rated_at(-1950), "W": rated_at(50)}
    result = rate_bgf(players, [("B", "W", 1, {"stones": 11, "black": "a"})])
    assert row(result, "B").change == 0
    assert table(result).warnings == ("1 games with more than 9 stones: confirm them",)


def test_before_june_2001_is_an_error():
    with pytest.raises(ValueError, match="of 2001-05-31: before 2001-06-01 another system was in force"):
        duel(50, 50, 1, "2001-05-31")


def test_top_label_caps_the_name_only():
    result = rate_bgf({"A": rated_at(850), "B": rated_at(50)}, [("A", "B", 1)], options={"top_label": "7 Dan"})
    assert (row(result, "A").grade, result.system.rating.write(result.states["A"])["grade"]) == ("7 Dan", "9 Dan")


# Table II as the rule file computes it: lines of 20 kyu, 10 kyu, 1 dan and 6 dan
@pytest.mark.parametrize(
    "line",
    [
        ("20 Kyu", -1950, 38.75, 45.48, 52.95, 61.05, 69.60, 78.25, 86.65, 94.54, 101.76),
        ("10 Kyu", -950, 17.37, 21.72, 26.84, 32.66, 39.00, 45.44, 51.54, 57.02, 61.73),
        ("1 Dan", 50, 4.02, 5.72, 8.02, 10.96, 14.40, 17.93, 21.05, 23.55, 25.37),
        ("6 Dan", 550, 1.15, 1.84, 2.94, 4.54, 6.60, 8.72, 10.45, 11.63, 12.34),
    ],
)
def test_table_2(line):
    assert line in table_2().rows
