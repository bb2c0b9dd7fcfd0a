"""rif-2021 by figures that the federation's program and an own solution agree on, and the rules around the fit."""

import datetime as dt
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.history.file import HistoryError
from ratings.systems import get_system
from ratings.systems.rif.state_2021 import next_list_day
from ratings.systems.values import Closing, Game
from tests.histories import rate, row, table

SCALE = 400 / math.log(10)


def rate_rif(players, *tables, **more):
    return rate(players, *tables, system="rif-2021", **more)


def on(date, *games, **more):
    """A table of a day with its games, whose players are those of the games."""
    ids = dict.fromkeys(id for game in games for id in game[:2])
    return {"date": date, "players": list(ids), "games": list(games)} | more


def new(*ids):
    return {id: {} for id in ids}


def closing(result, day):
    """The result of a list day."""
    cause = dt.date.fromisoformat(day)
    return next(step.result for step in result.steps if isinstance(step.cause, Closing) and step.cause.date == cause)


def listed(result, day, figure="rating"):
    return {id: entry[figure] for id, entry in result.lists[dt.date.fromisoformat(day)].items()}


# The vector of the rule file: the engine of the federation's program (PyPI whr 2.2.0) and an own Newton solution agree
# on it to 1e-8. Day 0 is 31 March 2020, so day 365 is the list day of 31 March 2021.
VECTOR = (
    on("2020-03-31", ("Anna", "Jan", 1), ("Luc", "Petra", 0.5), ("Anna", "Luc", 0), ("Jan", "Petra", 1)),
    on("2020-06-29", ("Anna", "Petra", 1), ("Jan", "Luc", 0)),
    on("2020-10-17", ("Luc", "Anna", 0.5), ("Petra", "Jan", 0), ("Eva", "Anna", 0)),
    on("2021-03-31", ("Eva", "Jan", 1)),
)
VECTOR_PLAYERS = new("Anna", "Jan", "Luc", "Petra", "Eva")
LAST = {  # rating and deviation on each player's last day, and the days from there to the list day
    "Anna": (2018.0648, 146.9150, 165),
    "Jan": (1821.5443, 152.6585, 0),
    "Luc": (2028.0462, 161.8609, 165),
    "Petra": (1710.2604, 172.4757, 165),
    "Eva": (1914.6314, 182.1816, 0),
}


@pytest.fixture(scope="module")
def vector():
    return rate_rif(VECTOR_PLAYERS, *VECTOR)


def test_list_has_each_players_rating_of_their_last_day(vector):
    assert listed(vector, "2021-03-31") == {id: pytest.approx(last[0], abs=1e-4) for id, last in LAST.items()}
    assert list(listed(vector, "2021-03-31")) == ["Luc", "Anna", "Eva", "Jan", "Petra"]  # best first


def test_deviation_grows_with_the_drift_since_the_last_day(vector):
    assert listed(vector, "2021-03-31", "deviation") == {
        id: pytest.approx(math.sqrt(own**2 + 19.3 * days), abs=1e-4) for id, (_, own, days) in LAST.items()
    }


def test_fitted_ratings_of_all_days_are_those_of_the_vector(vector):
    rows = {r.player: r for r in closing(vector, "2021-03-31").rows}
    fitted = {id: {term["day"]: term["rating"] for term in rows[id].terms} for id in rows}
    days = ("2020-03-31", "2020-06-29", "2020-10-17", "2021-03-31")
    expected = {
        "Anna": (2008.5311, 2013.6545, 2018.0648),
        "Jan": (1831.4475, 1828.7122, 1828.3114, 1821.5443),
        "Luc": (2025.9579, 2028.2217, 2028.0462),
        "Petra": (1719.2493, 1714.3711, 1710.2604),
    }
    for id, ratings in expected.items():
        assert fitted[id] == {day: pytest.approx(r, abs=1e-4) for day, r in zip(days, ratings, strict=False)}
    assert fitted["Eva"] == {days[2]: pytest.approx(1907.8643, abs=1e-4), days[3]: pytest.approx(1914.6314, abs=1e-4)}
    assert (closing(vector, "2021-03-31").settled, closing(vector, "2021-03-31").warnings) == (True, ())


# the rule file's explanation of Jan's 1821.54
JAN = [
    ("2021-03-31", "Eva", 1914.63, 1821.54, 0.3692, 0, -0.3692),
    ("2020-10-17", "Petra", 1710.26, 1828.31, 0.6636, 1, 0.3364),
    ("2020-06-29", "Luc", 2028.22, 1828.71, 0.2408, 0, -0.2408),
    ("2020-03-31", "Anna", 2008.53, 1831.45, 0.2651, 0, -0.2651),
    ("2020-03-31", "Petra", 1719.25, 1831.45, 0.6561, 1, 0.3439),
]


def test_explanation_names_the_games_of_a_player_newest_first(vector):
    one = next(r for r in closing(vector, "2021-03-31").rows if r.player == "Jan")
    names = ("day", "opponent", "opponent_rating", "rating", "expected", "score", "surprise")
    assert [tuple(term[name] for name in names) for term in one.terms] == [
        (day, opponent, *(pytest.approx(value, abs=0.006 if value > 1 else 6e-5) for value in values))
        for day, opponent, *values in JAN
    ]
    # the drift into the last day: 19.3 × 165 × (ln 10 ÷ 400) × (−0.369153)
    assert one.terms[0]["change"] == pytest.approx(-6.7671, abs=1e-4)
    assert one.figures["pull"] == pytest.approx(0.194789, abs=1e-6)
    assert sum(term["surprise"] for term in one.terms) == pytest.approx(-0.194789, abs=1e-6)


def test_explanation_shows_the_days_the_pull_and_a_sum_of_zero(vector):
    one = next(r for r in closing(vector, "2021-03-31").rows if r.player == "Jan")
    explained = get_system("rif-2021").presentation.explained(one)
    before = listed(vector, "2020-12-31")["Jan"]
    assert [(line.label, line.value) for line in explained.lines] == [
        ("Fitted rating on 2020-03-31; sum of result − expected +0.0788", "1831.45"),
        ("Fitted rating on 2020-06-29; sum of result − expected −0.2408", "1828.71 (−2.74)"),
        ("Fitted rating on 2020-10-17; sum of result − expected +0.3364", "1828.31 (−0.40)"),
        ("Fitted rating on 2021-03-31; sum of result − expected −0.3692", "1821.54 (−6.77)"),
        ("Pull towards the first rating", pytest.approx(0.194789, abs=1e-6)),
        ("Sum of result − expected of all games, and of this pull; 0 if the fit is right", 0),
        ("Deviation on the last day, 2021-03-31", pytest.approx(152.6585, abs=1e-4)),
        ("Deviation on the list day", pytest.approx(152.6585, abs=1e-4)),
        ("Rating on the list before", before),
        ("Rating on this list", pytest.approx(1821.5443, abs=1e-4)),
    ]
    assert sum(part.points for part in explained.parts) == pytest.approx(one.change)
    assert [(part.term, part.label) for part in explained.parts] == [
        (0, ""),
        (None, "Earlier days and former opponents, fitted again"),
    ]
    assert explained.expected == pytest.approx(sum(game[4] for game in JAN), abs=1e-3)


def test_tables_between_lists_move_nobody(vector):
    first, last = row(vector, "Jan", "t1"), row(vector, "Jan", "t4")
    assert (first.before, first.after, first.change, first.games, first.games_after) == (None, None, None, 2, 2)
    assert first.note == "the games count for the list of 2020-03-31"
    in_force = listed(vector, "2020-12-31")["Jan"]
    assert (last.before, last.after, last.change, last.games_after) == (in_force, in_force, 0, 5)
    explained = get_system("rif-2021").presentation.explained(last)
    assert (explained.parts, explained.lines) == ((), ())
    assert explained.notes == ("These games move ratings on the next list day, together with all others.",)


# one game on the list day itself: x solves 1 − E(2x) + 2(½ − E(x)) = 0
def test_single_game_of_two_newcomers():
    result = rate_rif(new("A", "B"), on("2024-03-31", ("A", "B", 1)))
    assert listed(result, "2024-03-31") == {"A": 1991.731491, "B": 1808.268509}
    assert listed(result, "2024-03-31", "deviation") == {"A": 213.966951, "B": 213.966951}
    drawn = rate_rif(new("A", "B"), on("2024-03-31", ("A", "B", 0.5)))
    assert listed(drawn, "2024-03-31") == {"A": 1900, "B": 1900}


def test_list_holds_until_the_next_and_deviations_grow():
    result = rate_rif(new("A", "B", "C", "D"), on("2024-03-31", ("A", "B", 1)), on("2024-09-01", ("C", "D", 1)))
    assert list(result.lists) == [dt.date(2024, 3, 31), dt.date(2024, 6, 30), dt.date(2024, 9, 30)]
    assert [listed(result, day)["A"] for day in ("2024-03-31", "2024-06-30", "2024-09-30")] == [1991.731491] * 3
    assert listed(result, "2024-06-30", "deviation")["A"] == pytest.approx(math.sqrt(213.966951**2 + 19.3 * 91))


@pytest.mark.parametrize(
    ("lists", "days"),
    [
        ("monthly", ["2024-02-29", "2024-03-31", "2024-04-30", "2024-05-31"]),
        ("quarterly", ["2024-03-31", "2024-06-30"]),
        ("yearly", ["2024-12-31"]),
    ],
)
def test_list_days_run_from_the_first_table_to_the_last(lists, days):
    tables = on("2024-02-29", ("A", "B", 1)), on("2024-05-02", ("A", "B", 1))
    result = rate_rif(new("A", "B"), *tables, options={"lists": lists})
    assert [day.isoformat() for day in result.lists] == days
    assert next_list_day(dt.date(2024, 12, 31), lists) == dt.date(2024, 12, 31)


def test_later_games_leave_earlier_lists_as_they_were(vector):
    short = rate_rif(VECTOR_PLAYERS, *VECTOR[:2])
    assert listed(short, "2020-06-30") == listed(vector, "2020-06-30")
    late = rate_rif(VECTOR_PLAYERS, *VECTOR, on("2020-07-01", ("Jan", "Petra", 0)))
    assert listed(late, "2020-06-30") == listed(vector, "2020-06-30")
    assert all(listed(late, "2021-03-31")[id] != rating for id, rating in listed(vector, "2021-03-31").items())


def test_two_tables_of_one_day_are_one_day():
    games = [("A", "B", 1), ("B", "C", 1), ("C", "A", 0.5)]
    together = rate_rif(new("A", "B", "C"), on("2024-03-10", *games))
    apart = rate_rif(new("A", "B", "C"), *(on("2024-03-10", game) for game in games))
    assert listed(apart, "2024-03-31") == listed(together, "2024-03-31")


@pytest.mark.parametrize(
    ("options", "drift"), [({}, 19.3), ({"discipline": "gomoku"}, 10.7), ({"discipline": "gomoku", "w2": 30}, 30)]
)
def test_drift_is_that_of_the_discipline_unless_given(options, drift):
    result = rate_rif(new("A", "B"), on("2024-03-01", ("A", "B", 1)), options=options)
    deviation = listed(result, "2024-03-31", "deviation")["A"]
    assert deviation == pytest.approx(math.sqrt(213.966951**2 + 30 * drift), abs=1e-5)


def test_more_virtual_draws_keep_newcomers_nearer_to_1900():
    ratings = [
        listed(rate_rif(new("A", "B"), on("2024-03-31", ("A", "B", 1)), options={"virtual_games": n}), "2024-03-31")[
            "A"
        ]
        for n in (1, 2, 20)
    ]
    assert ratings == sorted(ratings, reverse=True)
    assert 1900 < ratings[2] < 1920


@pytest.mark.parametrize(
    ("extra", "fields", "options"),
    [
        ({"online": True}, {}, {"online": "yes"}),
        ({"correspondence": True}, {}, {"correspondence": "yes"}),
        ({}, {"minutes": 20}, {"least_minutes": 20}),
        ({}, {}, {"least_minutes": 20}),  # an unknown time is rated
    ],
)
def test_options_decide_which_games_are_rated(extra, fields, options):
    games = on("2024-03-31", ("A", "B", 1, extra), **fields)
    assert listed(rate_rif(new("A", "B"), games, options=options), "2024-03-31") == {"A": 1991.731491, "B": 1808.268509}


@pytest.mark.parametrize(
    ("extra", "fields", "options", "note", "warnings"),
    [
        ({"online": True}, {}, {}, "no rated game", ()),
        ({"correspondence": True}, {}, {}, "no rated game", ()),
        ({}, {"rated": False}, {}, "these results are not rated", ("these results are not rated",)),
        (
            {},
            {"minutes": 19},
            {"least_minutes": 20},
            "19 min per player: too fast to be rated; at least 20 are needed",
            ("19 min per player: too fast to be rated; at least 20 are needed",),
        ),
    ],
)
def test_games_that_are_not_rated_give_nobody_a_rating(extra, fields, options, note, warnings):
    result = rate_rif(new("A", "B"), on("2024-03-31", ("A", "B", 1, extra), **fields), options=options)
    assert [(r.after, r.games, r.note) for r in table(result).rows] == [(None, 0, note)] * 2
    assert table(result).warnings == warnings
    assert all(entries == {} for entries in result.lists.values())


def by_bisection(score, opponent, mean, deviation):
    """Rating after one game against a fixed opponent on the day of a given rating: the zero of the slope."""
    low, high = 0.0, 4000.0
    for _ in range(100):
        rating = (low + high) / 2
        expected = 1 / (1 + 10 ** ((opponent - rating) / 400))
        slope = score - expected - (rating - mean) * SCALE / deviation**2
        low, high = (rating, high) if slope > 0 else (low, rating)
    return low, expected


def test_opening_is_a_prior_in_place_of_the_virtual_draws():
    players = {
        "A": {"opening": {"rating": 2100, "deviation": 80, "last_played": "2024-03-31"}},
        "X": {"fixed": True, "opening": {"rating": 2200}},
    }
    result = rate_rif(players, on("2024-03-31", ("A", "X", 1)))
    rating, expected = by_bisection(1, 2200, 2100, 80)
    own = SCALE / math.sqrt(expected * (1 - expected) + SCALE**2 / 80**2 + 0.001)
    entry = result.lists[dt.date(2024, 3, 31)]
    assert entry == {
        "A": {"rating": pytest.approx(rating, abs=1e-5), "deviation": pytest.approx(own, abs=1e-5), "games": 11,
              "category": "established"}
    }  # fmt: skip
    first = closing(result, "2024-03-31").rows[0]
    assert first.figures["pull"] == pytest.approx(-(1 - expected), abs=1e-6)


def test_opening_without_a_day_begins_at_the_first_table_and_defaults_to_10_games_and_100():
    players = {"A": {"opening": {"rating": 2100}}, "B": {}, "C": {"opening": {"rating": 2000}}}
    result = rate_rif(players, on("2024-03-31", ("A", "B", 0.5, {"played": False})))
    assert result.lists[dt.date(2024, 3, 31)] == {
        "A": {"rating": 2100, "deviation": 100, "games": 10, "category": "established"},
        "C": {"rating": 2000, "deviation": 100, "games": 10, "category": "established"},
    }
    played = rate_rif(players, on("2024-03-31", ("A", "B", 1)))
    dated = rate_rif(
        players | {"A": {"opening": {"rating": 2100, "last_played": "2024-03-31"}}}, on("2024-03-31", ("A", "B", 1))
    )
    assert listed(played, "2024-03-31") == listed(dated, "2024-03-31")


def test_given_rating_begins_a_new_stretch_and_leaves_the_old_games_to_the_opponents():
    given = [{"date": "2024-05-01", "player": "A", "set": {"rating": 2300, "deviation": 80}, "reason": "commission"}]
    result = rate_rif(
        new("A", "B", "C"), on("2024-03-31", ("A", "B", 1)), on("2024-06-30", ("C", "B", 0)), adjustments=given
    )
    assert listed(result, "2024-03-31")["A"] == 1991.731491
    later = result.lists[dt.date(2024, 6, 30)]["A"]
    # no game since: the rating as given, and a deviation that grows from its day; 0.001 is added to the own block
    own = SCALE / math.sqrt(SCALE**2 / 80**2 + 0.001)
    assert (later["rating"], later["deviation"]) == (2300, pytest.approx(math.sqrt(own**2 + 19.3 * 60), abs=1e-5))
    assert listed(result, "2024-06-30")["B"] < 1900 + 150  # the lost game against A counts still
    row_after = next(r for step in result.steps for r in step.result.rows if r.note == "commission")
    assert (row_after.before, row_after.after) == (1991.731491, 2300)


def test_adjustment_of_games_alone_cuts_nothing():
    given = [{"date": "2024-05-01", "player": "A", "set": {"games": 30}, "reason": "earlier games"}]
    tables = on("2024-03-31", ("A", "B", 1)), on("2024-06-30", ("A", "B", 1))
    plain, adjusted = rate_rif(new("A", "B"), *tables), rate_rif(new("A", "B"), *tables, adjustments=given)
    assert listed(adjusted, "2024-06-30") == listed(plain, "2024-06-30")
    assert listed(adjusted, "2024-06-30", "games") == {"A": 31, "B": 2}


def test_first_rating_by_an_adjustment_brings_10_games_and_a_deviation_of_100():
    given = [{"date": "2024-01-01", "player": "A", "set": {"rating": 2000}, "reason": "known"}]
    result = rate_rif(new("A", "B"), on("2024-01-02", ("A", "B", 0.5, {"played": False})), adjustments=given)
    assert result.steps[0].result.rows[0].category_after == "established"
    written = result.system.rating.write(result.states["A"])
    assert (written["rating"], written["games"]) == (2000, 10)


def test_shift_moves_all_ratings_and_those_of_later_lists():
    given = [{"date": "2024-04-01", "shift": 50, "reason": "scale"}]
    tables = on("2024-03-31", ("A", "B", 1)), on("2024-06-30", ("A", "B", 1))
    plain, shifted = rate_rif(new("A", "B"), *tables), rate_rif(new("A", "B"), *tables, adjustments=given)
    assert listed(shifted, "2024-03-31") == listed(plain, "2024-03-31")
    assert listed(shifted, "2024-06-30") == {
        id: pytest.approx(rating + 50, abs=2e-6) for id, rating in listed(plain, "2024-06-30").items()
    }


def test_outsider_is_a_constant_in_the_games_of_the_others():
    fixed = {"date": "2024-03-31", "players": ["A", "X"], "games": [("A", "X", 1)]}
    by_player = rate_rif({"A": {}, "X": {"fixed": True, "opening": {"rating": 2000}}}, fixed)
    by_table = rate_rif(new("A", "X"), fixed | {"fixed": {"X": 2000}})
    turned = rate_rif(new("X", "A"), fixed | {"games": [("X", "A", 0)], "fixed": {"X": 2000}})
    for result in (by_player, by_table, turned):
        assert list(listed(result, "2024-03-31")) == ["A"]
        assert (row(result, "X").category, row(result, "X").change) == ("fixed", 0)
    assert listed(by_table, "2024-03-31") == listed(by_player, "2024-03-31") == listed(turned, "2024-03-31")


def test_category_changes_on_list_days_and_players_leave_the_list_after_five_years():
    games = [("A", "B", 1)] * 10
    result = rate_rif(new("A", "B"), on("2024-03-10", *games[:9]), on("2024-05-10", *games[:1]))
    assert listed(result, "2024-03-31", "category") == {"A": "provisional", "B": "provisional"}
    assert row(result, "A", "t2").category_after == "provisional"
    assert listed(result, "2024-06-30", "category") == {"A": "established", "B": "established"}
    rating, state, player = result.system.rating, result.states["A"], result.history.players["A"]
    assert [rating.standing(state, player, dt.date(year, 5, 9)).published for year in (2029, 2030)] == [True, False]


def test_groups_without_a_link_to_the_largest_are_reported():
    result = rate_rif(new("A", "B", "C", "D", "E"), on("2024-03-31", ("A", "B", 1), ("B", "C", 1), ("D", "E", 1)))
    assert closing(result, "2024-03-31").warnings == (
        "players without a game that links them to the others, so that their level is a newcomer’s: 2",
    )


def test_games_of_more_than_five_years_ago_are_added_up():
    tables = on("2018-03-31", ("A", "B", 1), ("A", "B", 1)), on("2024-03-31", ("A", "B", 0))
    result = rate_rif(new("A", "B"), *tables, options={"lists": "yearly"})
    one = next(r for r in closing(result, "2024-12-31").rows if r.player == "A")
    assert ([term["day"] for term in one.terms], one.figures["older_games"]) == (["2024-03-31"], 2)
    lines = {line.label: line.value for line in get_system("rif-2021").presentation.explained(one).lines}
    assert lines["Older games (2): sum of result − expected"] > 0
    assert lines["Sum of result − expected of all games, and of this pull; 0 if the fit is right"] == 0


@pytest.mark.parametrize(
    ("opening", "error"),
    [
        ({"games": 12}, "games without a rating"),
        ({"last_played": "2024-01-01"}, "last_played without a rating"),
        ({"rating": 6001}, "invalid rating: 6001"),
        ({"rating": -2001}, "invalid rating: -2001"),
        ({"rating": "1900"}, 'invalid rating: "1900"'),
        ({"rating": 1900, "deviation": 0}, "invalid deviation: 0"),
        ({"rating": 1900, "deviation": 1001}, "invalid deviation: 1001"),
        ({"rating": 1900, "games": -1}, "invalid games: -1"),
        ({"rating": 1900, "last_played": "31.12.2023"}, 'invalid last_played: "31.12.2023"'),
        ({"rating": 1900, "official": True},
         "official is not one of rating, deviation, games, since_list, last_played"),
    ],
)  # fmt: skip
def test_invalid_opening_is_refused_with_its_place(opening, error):
    with pytest.raises(HistoryError) as refused:
        rate_rif({"A": {"opening": opening}, "B": {}}, on("2024-01-01", ("A", "B", 1)))
    assert str(refused.value) == f"players[0].opening: {error}"


def test_prediction_uses_the_ratings_in_force_and_no_deviation():
    rating, game = get_system("rif-2021").rating, Game(1, "a", "b", None)
    assert rating.predict(2000, 1900, game, "a", (50, 90)) == pytest.approx(1 / (1 + 10**-0.25))
    assert rating.predict(2000, 1900, Game(1, "a", "b", None, online=True), "a") is None


IDS = "ABCDE"
PAIRS = st.tuples(st.sampled_from(IDS), st.sampled_from(IDS), st.sampled_from((0, 0.5, 1))).filter(
    lambda game: game[0] != game[1]
)
DAYS = st.sampled_from(("2023-01-15", "2023-02-20", "2024-01-31"))
EVENTS = st.lists(st.tuples(DAYS, st.lists(PAIRS, min_size=1, max_size=4)), min_size=1, max_size=4)


@settings(max_examples=25)
@given(events=EVENTS)
def test_every_players_surprises_and_pull_sum_to_zero(events):
    result = rate_rif(new(*IDS), *(on(day, *games) for day, games in events), options={"lists": "yearly"})
    for r in closing(result, max(result.lists).isoformat()).rows:
        total = sum(term["surprise"] for term in r.terms) + r.figures["older"] + r.figures["pull"]
        assert total == pytest.approx(0, abs=1e-8)


@settings(max_examples=25)
@given(events=EVENTS)
def test_order_names_and_sides_do_not_matter_and_turned_scores_mirror_at_1900(events):
    def ratings(names, events, turn):
        tables = (on(day, *((names[b], names[a], 1 - s if turn else s) for a, b, s in games)) for day, games in events)
        result = rate_rif(new(*names.values()), *tables, options={"lists": "yearly"})
        found = listed(result, max(result.lists).isoformat())
        return {id: found[name] for id, name in names.items() if name in found}

    same = {id: id for id in IDS}
    first = ratings(same, events, turn=True)
    renamed = ratings(
        {id: f"x{id}" for id in reversed(IDS)}, [(day, games[::-1]) for day, games in events[::-1]], turn=True
    )
    mirrored = ratings(same, events, turn=False)
    assert renamed == {id: pytest.approx(rating, abs=2e-6) for id, rating in first.items()}
    assert mirrored == {id: pytest.approx(3800 - rating, abs=2e-6) for id, rating in first.items()}


# 1900 ±100 on the list of 31 December 2020; 400 ÷ ln 10 = 173.7178 points are 1 on the internal scale. The precision of
# the rating is (173.7178 ÷ 100)² = 3.0177874. Ten games against 1900 with half of the points leave the rating at 1900, and
# each adds ½ × ½ to the precision: 2.5. The federation's program adds 0.001 on each day.
#   games on the day itself: 173.7178 ÷ √(3.0177874 + 2.5 + 0.001) = 173.7178 ÷ 2.3492099 = 73.9473
#   games on 31 March 2021, 90 days later: the drift is 19.3 × 90 = 1737 points², 1737 ÷ 30177.87 = 0.0575587 internally,
#   so 1 ÷ 3.0187874 + 0.0575587 = 0.3888176 is the variance before the games, 2.5718974 the precision, and
#   173.7178 ÷ √(2.5718974 + 2.5 + 0.001) = 173.7178 ÷ 2.2523096 = 77.1287
LIST_DAY = dt.date(2020, 12, 31)


@pytest.mark.parametrize(("days", "deviation"), [(0, 73.9473), (90, 77.1287)])
def test_forecast_is_the_deviation_on_the_list_after_games(days, deviation):
    rules = get_system("rif-2021").rating
    state = rules.read({"rating": 1900, "deviation": 100, "last_played": "2020-02-03"})
    forecast = rules.forecast_deviation(state, LIST_DAY, LIST_DAY + dt.timedelta(days), [(1900, 0.5)] * 10)
    assert forecast == pytest.approx(deviation, abs=1e-4)


@pytest.mark.parametrize(
    # a year: √(100² + 19.3 × 365) = √17044.5, in gomoku √(100² + 10.7 × 365) = √13905.5
    ("options", "deviation"), [({}, 130.5546), ({"discipline": "gomoku"}, 117.9216), ({"w2": 1}, 101.8086)]
)  # fmt: skip
def test_forecast_without_games_grows_with_the_drift(options, deviation):
    rules = get_system("rif-2021", options).rating
    state = rules.read({"rating": 1900, "deviation": 100, "last_played": "2020-02-03"})
    forecast = rules.forecast_deviation(state, LIST_DAY, LIST_DAY + dt.timedelta(365))
    assert forecast == pytest.approx(deviation, abs=1e-4)
    assert rules.forecast_deviation(rules.newcomer(), LIST_DAY, LIST_DAY) is None


def test_forecast_agrees_with_the_list_that_comes(vector):
    # no games until the list after next: the deviations of the list of 31 March 2021 grow by 91 days
    later = rate_rif(VECTOR_PLAYERS, *VECTOR, on("2021-06-30", ("Luc", "Anna", 1)))
    rules = get_system("rif-2021").rating
    before, after = listed(vector, "2021-03-31", "deviation"), listed(later, "2021-06-30", "deviation")
    state = rules.read({"rating": 1900, "deviation": before["Petra"]})
    forecast = rules.forecast_deviation(state, dt.date(2021, 3, 31), dt.date(2021, 6, 30))
    assert forecast == pytest.approx(after["Petra"], abs=0.1)


def test_deviation_does_not_decide_who_is_established():
    assert get_system("rif-2021").rating.established_deviation is None
