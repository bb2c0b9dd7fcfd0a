"""icu-1989 by the fax's paragraphs. Printed figures bear their paper; the rest follows from the rules by hand."""

import pytest

from ratings.systems.icu.event import bonus_threshold, k_factor
from tests.histories import rate, row, table

SETTLED = {"birth_date": "1939-01-01", "start_year": 1969}  # K = 24
NEWER = {"birth_date": "1949-01-01", "start_year": 1985}  # K = 32 in 1989
JUNIOR = {"birth_date": "1974-01-01", "start_year": 1987}  # K = 40 in 1989


def graded(rating, **more):
    return {"opening": {"rating": rating, "games": 20}} | more


def provisional(rating, games, **more):
    return {"opening": {"rating": rating, "games": games}} | more


def event(player, results, **more):
    """One player A against fixed opponents: pairs of rating and score, in March 1989."""
    field = {f"o{i}": {"fixed": True, "opening": {"rating": r}} for i, (r, _) in enumerate(results)}
    games = [("A", f"o{i}", score) for i, (_, score) in enumerate(results)]
    return rate_1989({"A": player} | field, games, **more)


def rate_1989(players, games, date="1989-03-01", **more):
    return rate(players, {"games": games, "date": date}, system="icu-1989", **more)


# paragraph 1, the fax's table and its "etc."
@pytest.mark.parametrize(
    ("games", "threshold"),
    [(3, None), (4, 32), (5, 35), (6, 38), (7, 41), (8, 44), (9, 47), (10, 50), (11, 52), (12, 54), (13, 56)],
)
def test_thresholds_are_those_of_the_fax(games, threshold):
    assert bonus_threshold(games) == threshold


@pytest.mark.parametrize(
    ("rating", "under_21", "years", "k"),
    [
        (2100, True, 1, 16),
        (2099, True, 30, 40),
        (2099, False, 8, 32),
        (2099, False, 9, 24),
        (1500, False, None, 24),
        (1500, False, 19, 24),  # the fax's own example: list year 89, start year 70
    ],
)
def test_k_goes_by_rating_age_and_start_year(rating, under_21, years, k):
    assert k_factor(rating, under_21=under_21, years=years) == k


# the US leaflet of 1981 and the Irish papers of 1980 and 1984; their rounded figures
@pytest.mark.parametrize(
    ("results", "after"),
    [
        ([(1350, 1), (1700, 0), (1400, 0), (1600, 0.5), (1450, 0)], 1340),
        ([(1350, 1), (1200, 0.5), (1100, 0), (900, 0), (850, 0), (810, 0)], 835),
        ([(1000, 1), (800, 1), (950, 0.5), (1170, 0), (1050, 0), (980, 0)], 925),
    ],
)
def test_ungraded_player_gets_the_mean_worth_of_their_games(results, after):
    got = row(event({}, results), "A")
    assert (got.before, got.after, got.change, got.games_after) == (None, after, None, len(results))
    assert (got.category, got.category_after) == ("ungraded", "provisional")


@pytest.mark.parametrize(
    ("rating", "games", "results", "after"),
    [
        (1340, 5, [(1400, 1), (1580, 0), (1200, 0.5)], 1360),
        (1300, 5, [(1400, 1), (1300, 0.5), (1200, 0), (980, 0)], 1220),
        (925, 6, [(1200, 1), (1100, 1), (1048, 0), (880, 0), (920, 0), (998, 0)], 908),
    ],
)
def test_provisional_players_old_rating_weighs_its_games(rating, games, results, after):
    got = row(event(provisional(rating, games), results), "A")
    assert (got.before, got.after, got.games_after) == (rating, after, games + len(results))


def test_bonus_is_what_exceeds_the_threshold_at_32_scaled_by_k():
    # the fax's author by hand: 1550, six games, a gain of 84 at K = 32 makes 130 with its bonus, at K = 40 162.5;
    # five and a half points of an expected 2.875 (the opponent of 1639 is the nearest whole rating) are that gain
    results = [(1550, 1)] * 5 + [(1639, 0.5)]
    for player, gain, together in ((NEWER, 84, 130), (JUNIOR, 105, 162.5), (SETTLED, 63, 63)):
        got = row(event(graded(1550, **player), results), "A").figures
        assert got["gain"] == pytest.approx(gain, abs=0.02)
        assert got["gain"] + got["bonus"] == pytest.approx(together, abs=0.03)


# the reference cases W8, W9 and W10
@pytest.mark.parametrize(
    ("rating", "results", "exact", "bonus", "cut"),
    [
        (1500, [(650, 1), (650, 1), (700, 1), (1750, 1), (1750, 1), (1750, 1)], 1608.3333, 29.9416, "performance"),
        (1500, [(500, 1)] * 3 + [(1750, 1)] * 3, 1577.9011, 0, "performance"),
        (2020, [(2050, 1), (2050, 1), (2040, 1), (2060, 1), (2080, 0.5), (2050, 0.5)], 2100, 6.3757, "cap"),
    ],
)
def test_bonus_never_goes_past_performance_or_cap(rating, results, exact, bonus, cut):
    got = row(event(graded(rating, **NEWER), results), "A").figures
    assert (got["exact"], got["bonus"]) == pytest.approx((exact, bonus), abs=1e-3)
    assert got["cut"] == cut


@pytest.mark.parametrize(
    ("rating", "results", "cut", "expected"),
    [
        # the fax's example: a gain of 84 makes 130, whole, with a performance far above
        (1550, [(1550, 1)] * 5 + [(1639, 0.5)], "", "Bonus: the gain at K = 32 above the threshold, multiplied by K ÷ 32"),
        # the reference cases W9, whose gain alone passes the performance, and W10
        (1500, [(500, 1)] * 3 + [(1750, 1)] * 3, "performance",
         "Bonus, cut so that the new rating does not exceed the performance"),
        (2020, [(2050, 1), (2050, 1), (2040, 1), (2060, 1), (2080, 0.5), (2050, 0.5)], "cap",
         "Bonus, cut so that it does not raise the rating above the cap"),
        (1550, [(1550, 0.5)] * 6, "", "Bonus"),  # none earned, none cut
    ],
)  # fmt: skip
def test_bonus_says_which_limit_cut_it(rating, results, cut, expected):
    result = event(graded(rating, **NEWER), results)
    assert row(result, "A").figures["cut"] == cut
    assert expected in [line.label for line in result.system.presentation.explained(row(result, "A")).lines]


def test_games_of_a_group_without_rated_players_do_not_count():
    players = {"G": graded(1500, **SETTLED), "H": graded(1400, **SETTLED), "A": {}, "B": {}}
    result = rate_1989(players, [("G", "H", 1), ("A", "B", 1)])
    assert [(r.player, r.after, r.games) for r in table(result).rows] == [
        ("G", 1509, 1), ("H", 1391, 1), ("A", None, 0), ("B", None, 0)
    ]  # fmt: skip
    assert row(result, "A").note == "met nobody with a rating, nor did those he met"
    assert table(result).warnings == (
        "A and all their opponents are unrated: these games are not counted",
        "B and all their opponents are unrated: these games are not counted",
    )


def test_ungraded_players_are_solved_together():
    # A = (1500 + B+400 + C+400)/3, B = (1300+400 + A-400 + C)/3, C = (B + A-400)/2
    players = {"G": graded(1500, **SETTLED), "H": graded(1300, **SETTLED), "A": {}, "B": {}, "C": {}}
    games = [("A", "G", 0.5), ("B", "H", 1), ("A", "B", 1), ("B", "C", 0.5), ("A", "C", 1)]
    result = rate_1989(players, games)
    assert [row(result, id).figures["exact"] for id in "ABC"] == pytest.approx([1725, 1475, 1400])


def test_provisional_opponents_are_revised_once_with_performance_from_five_games_on():
    # P1 has 5 games in the event; his first value is (1500*5 + 5*1900) / 10 = 1700, his performance 1900
    field = {f"G{i}": graded(1500, **SETTLED) for i in range(4)}
    players = {"P": provisional(1500, 5), "Q": provisional(1500, 5)} | field
    games = [("P", "Q", 1)] + [("P", f"G{i}", 1) for i in range(4)]
    result = rate_1989(players, games)
    p, q = row(result, "P").figures, row(result, "Q").figures
    assert p["first"] == pytest.approx((1500 * 5 + 5 * 1900) / 10)
    assert q["first"] == pytest.approx((1500 * 5 + 1100) / 6)
    assert q["revised"] == pytest.approx((1500 * 5 + 1900 - 400) / 6)  # P counts with his performance
    assert p["revised"] == pytest.approx((1500 * 5 + q["first"] + 400 + 4 * 1900) / 10)  # Q has one game only


def test_feedback_rates_games_against_bonus_earners_again_game_by_game():
    # the reference case W23, a match of four games: K 40 against K 24
    players = {"J": graded(1300, **JUNIOR), "S": graded(1500, **SETTLED)}
    result = rate_1989(players, [("J", "S", 1), ("J", "S", 1), ("J", "S", 0.5), ("J", "S", 1)])
    j, s = row(result, "J"), row(result, "S")
    assert (j.figures["exact"], j.figures["bonus"], j.figures["feedback"]) == pytest.approx(
        (1463.119, 61.5595, 0), 1e-5
    )
    assert (s.figures["exact"], s.figures["bonus"], s.figures["feedback"]) == pytest.approx(
        (1458.9238, 0, 19.8595), 1e-5
    )
    assert sum(term["feedback"] for term in s.terms) == pytest.approx(19.8595, abs=1e-3)


def test_newly_graded_player_is_provisional_for_the_whole_event_and_missing_data_is_reported():
    got = row(event(provisional(1500, 18), [(1600, 1), (1550, 0.5)]), "A")
    assert (got.category, got.category_after, got.games_after) == ("provisional", "graded", 20)
    unknown = row(event(graded(1500), [(1600, 1)]), "A").figures
    assert (unknown["k"], unknown["assumed"]) == (
        24,
        ["birth date unknown: taken as 21 or older", "start year unknown: taken as settled"],
    )
    assert row(event(graded(2200), [(1600, 1)]), "A").figures["assumed"] == []


@pytest.mark.parametrize(("date", "k"), [("1989-03-01", 40), ("1989-03-02", 24)])
def test_21_on_the_first_day_is_not_under_21(date, k):
    player = graded(1500, birth_date="1968-03-02", start_year=1970)
    assert row(event(player, [(1500, 1)], date=date), "A").figures["k"] == k


def test_under_21_in_place_of_a_birth_date():
    players = {"A": graded(1500), "B": graded(1500)}
    result = rate(players, {"games": [("A", "B", 1)], "date": "1989-03-01", "under_21": ["A"]}, system="icu-1989")
    assert [row(result, id).figures["k"] for id in "AB"] == [40, 24]


def test_publish_floor_hides_and_does_not_change():
    players = {"A": graded(690, **SETTLED), "B": graded(1500, **SETTLED)}
    result = rate_1989(players, [("A", "B", 0)], options={"publish_floor": 700})
    assert [(result.standing(id).rating, result.standing(id).published) for id in "AB"] == [(690, False), (1500, True)]


@pytest.mark.parametrize(
    ("opening", "problem"),
    [({"games": 3}, "games without a rating"), ({"rating": 1500}, "a rating needs games")],
)
def test_openings_that_cannot_be_are_refused(opening, problem):
    with pytest.raises(ValueError, match=problem):
        rate_1989({"A": {"opening": opening}, "B": {}}, [("A", "B", 1)])
