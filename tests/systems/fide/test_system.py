"""FIDE's system of 2024: figures that FIDE published, and rules worked out by hand (Handbook B02)."""

from dataclasses import replace
from datetime import date

import pytest

from ratings.formats.history.file import HistoryError, parse_history
from ratings.systems import get_system
from ratings.systems.fide.game import change_of_game, minutes_for_60_moves
from ratings.systems.fide.lists import compute_first_rating
from ratings.systems.fide.tables import (
    counting_list_day,
    expected_hundredths,
    find_chapter,
    first_of_month,
    performance_difference,
)
from ratings.systems.values import Closing, Game
from tests.histories import document, rate, row
from tests.histories import table as get_table


def rated(rating, **more):
    return {"opening": {"rating": rating, "games": 100} | more}


def outsider(rating):
    return {"fixed": True, "opening": {"rating": rating}}


def held(start, end, games, **more):
    return {"date": start, "end_date": end, "games": games} | more


def rate_fide(players, *tables, chapter="standard", **more):
    return rate(players, *tables, system="fide-2024", options={"chapter": chapter}, **more)


def on_list(result, day):
    """The rows of a list day by player."""
    (step,) = [s for s in result.steps if isinstance(s.cause, Closing) and s.day == date.fromisoformat(day)]
    return {row.player: row for row in step.result.rows}


def listed(result, day):
    return {id: entry["rating"] for id, entry in result.lists[date.fromisoformat(day)].items()}


@pytest.mark.parametrize(
    ("difference", "expected"),
    [(0, 50), (3, 50), (4, 51), (-4, 49), (400, 92), (-400, 8), (413, 93), (619, 98), (735, 99), (736, 100), (-736, 0)],
)
def test_expected_score_is_that_of_the_table(difference, expected):
    assert expected_hundredths(difference) == expected  # 8.1.2


@pytest.mark.parametrize(("score", "difference"), [(100, 800), (57, 50), (50, 0), (46, -29), (21, -230), (86, 309)])
def test_difference_of_a_score_is_that_of_the_table(score, difference):
    assert performance_difference(score) == difference  # 8.1.1


def test_published_period_is_reproduced():
    # FIDE's list of 1 December 2025: 2813 after five games is 2810; the sum is −0.25, and −2.5 is rounded to −3
    opponents = {f"O{n}": outsider(rating) for n, rating in enumerate((1787, 2025, 2310, 2400, 2505), 1)}
    games = [("P", f"O{n}", score) for n, score in enumerate((1, 1, 1, 1, 0.5), 1)]
    result = rate_fide({"P": rated(2813)} | opponents, held("2025-11-07", "2025-11-09", games))
    table_row, list_row = row(result, "P"), on_list(result, "2025-12-01")["P"]
    assert (table_row.before, table_row.after, table_row.change, table_row.games) == (2813, 2813, -2.5, 5)
    assert table_row.figures == {
        "start": 2813,
        "counts_for": "2025-12-01",
        "start_list": "2025-11-01",
        "sum": -0.25,
        "changes": [0, 0, 4, 7, -36],
        "k": 10,
        "k_rule": "2400",
    }
    assert (list_row.before, list_row.after, list_row.change, list_row.figures["games"]) == (2813, 2810, -3, 5)
    assert (list_row.figures["k"], list_row.figures["sum"], list_row.figures["exact"]) == (10, -0.25, -2.5)
    assert result.lists[date(2025, 12, 1)]["P"] == {"rating": 2810, "k": 10, "games": 5}


def test_published_first_rating_is_reproduced():
    # FIDE: 3 of 5 against 9507 in all is Ra 1872.43, p .57, dp 50, and 1922
    opponents = {f"O{n}": outsider(rating) for n, rating in enumerate((1902, 1877, 1884, 2012, 1832), 1)}
    games = [("P", f"O{n}", score) for n, score in enumerate((0.5, 0.5, 1, 0, 1), 1)]
    result = rate_fide({"P": {}} | opponents, held("2025-11-07", "2025-11-09", games))
    first = on_list(result, "2025-12-01")["P"]
    assert (first.before, first.after, first.change, first.figures["games"], str(first.note)) == (
        None,
        1922,
        None,
        5,
        "first rating",
    )
    assert {name: first.figures[name] for name in ("p", "dp", "points", "sum_of_ratings")} == {
        "p": 0.57,
        "dp": 50,
        "points": 3,
        "sum_of_ratings": 9507,
    }
    assert first.figures["average"] == pytest.approx(1872.428571, abs=1e-6)
    assert [line.value for line in result.system.presentation.explained(first).lines][-1] == 1922


def test_first_rating_takes_exact_fractions():
    average, share, difference = compute_first_rating([(1450, 0.5), *[(1450, 0)] * 4])
    assert (float(average), share, difference) == (1550, 21, -230)  # 1550 − 230 = 1320: not listed


@pytest.mark.parametrize(
    ("own", "opponent", "start", "chapter", "change"),
    [
        (2700, 2200, date(2025, 9, 30), "standard", 8),  # before October 2025 everybody is capped
        (2700, 2200, date(2025, 10, 1), "standard", 4),
        (2649, 2149, date(2025, 10, 1), "standard", 8),
        (2650, 2150, date(2025, 10, 1), "standard", 4),
        (2200, 2700, date(2025, 10, 1), "standard", 92),
        (2700, 2200, date(2025, 10, 1), "rapid", 8),
    ],
)
def test_difference_is_capped_but_for_players_of_2650(own, opponent, start, chapter, change):
    assert change_of_game(own, opponent, 1, start, chapter).change == change  # 8.3.1


def test_halves_are_rounded_away_from_zero():
    result = rate_fide({"P": rated(2400), "a": outsider(2436)}, held("2026-03-05", "2026-03-08", [("P", "a", 0.5)]))
    assert row(result, "P").figures["changes"] == [5]
    assert listed(result, "2026-04-01") == {"P": 2401}  # 10 × .05 is .5


@pytest.mark.parametrize(
    ("opening", "birth_year", "k"),
    [
        ({"rating": 2399, "ever_2400": True}, None, 10),
        ({"rating": 2000, "games": 100}, 2008, 40),
        ({"rating": 2000, "games": 100}, 2007, 20),
        ({"rating": 2299, "games": 100, "ever_2300": True}, 2010, 20),
        ({"rating": 2000, "games": 29}, None, 40),
        ({"rating": 2000, "games": 30}, None, 20),
    ],
)
def test_k_follows_from_what_was_published(opening, birth_year, k):
    player = {"opening": opening} | ({} if birth_year is None else {"birth_year": birth_year})
    result = rate_fide({"P": player, "a": outsider(2000)}, held("2026-03-05", "2026-03-08", [("P", "a", 1)]))
    assert row(result, "P").figures["k"] == k  # 8.3.3


@pytest.mark.parametrize(
    ("opening", "given", "k"),
    [
        ({"rating": 2000, "games": 100}, {"k": {"2026": 40}}, 40),
        ({"rating": 2000, "games": 100}, {"k": {"2025": 40}}, 20),
        ({"rating": 2000, "games": 100}, {"k": {"2026": 40}, "birth_year": 1990}, 20),
        ({"rating": 2299, "games": 100, "ever_2300": True}, {"k": {"2026": 40}}, 20),
    ],
)
def test_k_of_a_year_stands_for_a_birth_year_that_is_not_told(opening, given, k):
    players = {"P": {"opening": opening, **given}, "a": outsider(2000)}
    result = rate_fide(players, held("2026-03-05", "2026-03-08", [("P", "a", 1)]))
    assert row(result, "P").figures["k"] == k


def test_years_of_a_juniors_k_follow_from_the_states():
    """K 40 up to the year of the 18th birthday, never published with 2300 or more (8.3.3); new players' is not told."""
    system = get_system("fide-2024")
    states = [
        (date(2022, 5, 1), system.rating.read({"rating": 1900, "games": 20})),
        (date(2023, 2, 1), system.rating.read({"rating": 2000, "games": 31})),
        (date(2025, 6, 1), system.rating.read({"rating": 2310, "games": 90, "ever_2300": True})),
    ]
    find, last = system.rating.find_k_of_junior, date(2027, 1, 1)
    assert find(2008, states, last) == {2023: 40, 2024: 40, 2025: 40}
    assert find(2008, states[:2], last) == {2023: 40, 2024: 40, 2025: 40, 2026: 40}
    assert find(2006, states[:2], last) == {2023: 40, 2024: 40}
    assert find(2004, states, last) == {}
    assert find(2008, [], last) == {}


@pytest.mark.parametrize("birth_year", [2008, 2009, 2012])
def test_k_of_years_after_the_last_list_is_left_out(birth_year):
    """The last year with 40 is that of the 18th birthday, so a K ahead of its list would reveal the birth year."""
    system = get_system("fide-2024")
    states = [(date(2023, 2, 1), system.rating.read({"rating": 2000, "games": 31}))]
    assert system.rating.find_k_of_junior(birth_year, states, date(2024, 12, 1)) == {2023: 40, 2024: 40}


def test_k_is_lowered_for_many_games():
    # 36 games at K 20 are more than 700; 700 ÷ 36 is 19
    games = [("P", "a", 0.5)] * 35 + [("P", "a", 1)]
    result = rate_fide({"P": rated(2000), "a": outsider(2000)}, held("2026-02-05", "2026-02-08", games))
    period = on_list(result, "2026-03-01")["P"]
    assert (period.after, period.figures["k_listed"], period.figures["k"]) == (2010, 20, 19)
    assert "K 20 becomes 19, because 36 × 20 is more than 700" in [
        line.label for line in result.system.presentation.explained(period).lines
    ]


@pytest.mark.parametrize(
    ("end", "day"),
    [
        ("2025-11-28", "2025-12-01"),
        ("2025-11-29", "2026-01-01"),
        ("2025-12-01", "2026-01-01"),
        ("2024-02-27", "2024-03-01"),
    ],
)
def test_table_counts_for_the_first_list_three_days_after_it(end, day):
    assert counting_list_day(date.fromisoformat(end)) == date.fromisoformat(day)  # 7.1.3


def test_list_day_moves_by_months():
    assert [first_of_month(date(2026, 1, 15), months) for months in (-13, 0, 12)] == [
        date(2024, 12, 1),
        date(2026, 1, 1),
        date(2027, 1, 1),
    ]


def test_late_report_is_rated_until_the_third_list():
    players = {"P": rated(2000), "Q": rated(2000), "a": outsider(2000)}
    third = held("2025-11-05", "2025-11-09", [("P", "a", 1)], list="2026-02-01")
    fourth = held("2025-11-05", "2025-11-09", [("Q", "a", 1)], list="2026-03-01")
    result = rate_fide(players, third, fourth)
    assert listed(result, "2026-01-01") == {"P": 2000, "Q": 2000}
    assert listed(result, "2026-02-01") == {"P": 2010, "Q": 2000}
    assert (row(result, "Q", "t2").games, str(row(result, "Q", "t2").note)) == (
        0,
        "reported later than the third list after the end: not rated",
    )


@pytest.mark.parametrize("day", ["2026-02-02", "2025-11-01"])
def test_list_of_a_table_must_be_a_later_first_of_a_month(day):
    games = held("2025-11-05", "2025-11-09", [("P", "a", 1)], list=day)
    with pytest.raises(HistoryError, match=f"list {day}: it must be the first day of a month after 2025-11-09"):
        rate_fide({"P": rated(2000), "a": outsider(2000)}, games)


def test_games_use_the_list_in_force_on_the_first_day():
    players = {"P": rated(2000), "a": outsider(2000)}
    first = held("2025-11-10", "2025-11-12", [("P", "a", 1)])
    before = held("2025-11-29", "2025-12-05", [("P", "a", 0.5)])
    on_the_day = held("2025-12-01", "2025-12-06", [("P", "a", 0.5)])
    result = rate_fide(players, first, before, on_the_day)
    assert [row(result, "P", id).figures["start"] for id in ("t1", "t2", "t3")] == [2000, 2000, 2010]
    assert listed(result, "2025-12-01") == {"P": 2010}  # made before the tables of its day


def test_below_1400_is_without_a_rating():
    players = {"P": rated(1405), "a": outsider(1405)}
    result = rate_fide(players, held("2026-02-05", "2026-02-08", [("P", "a", 0)]))
    period = on_list(result, "2026-03-01")["P"]
    assert (period.before, period.after, period.change, str(period.note)) == (
        1405,
        None,
        -10,
        "the new rating would be below 1400, the lowest rating, so there is none",
    )
    assert listed(result, "2026-03-01") == {}


def test_first_event_without_a_point_is_disregarded():
    players = {"N": {}, "a": outsider(1700)}
    lost = held("2025-11-05", "2025-11-09", [("N", "a", 0)])
    later = held("2025-12-05", "2025-12-09", [("N", "a", 0.5)] * 5)
    result = rate_fide(players, lost, later)
    assert on_list(result, "2026-01-01")["N"].figures["games"] == 5  # 8.2.1


def test_corrected_rating_holds_for_the_list_in_force_and_from_there_on():
    players = {"P": rated(2050), "a": outsider(2000)}
    given = [{"date": "2026-02-03", "player": "P", "set": {"rating": 2060}, "reason": "FIDE's own number"}]
    earlier = held("2026-01-30", "2026-02-04", [("P", "a", 0.5)])
    later = held("2026-02-02", "2026-02-05", [("P", "a", 0.5)])
    result = rate_fide(players, earlier, later, adjustments=given)
    assert [row(result, "P", id).figures["start"] for id in ("t1", "t2")] == [2050, 2060]
    assert on_list(result, "2026-03-01")["P"].figures["base"] == 2060


def test_rapid_begins_with_the_standard_rating():
    players = {"N": {"opening": {"standard": [["2025-01-01", 2000]]}}, "W": rated(2000)}
    games = held("2026-02-10", "2026-02-10", [("N", "W", 1)], minutes=15, overtime={"increment": 10})
    result = rate_fide(players, games, chapter="rapid")
    assert (row(result, "N").figures["start"], row(result, "N").figures["changes"]) == (2000, [50])
    assert listed(result, "2026-03-01") == {"N": 2020, "W": 1990}


def test_games_from_the_standard_rating_are_explained_by_it():
    """The standard rating of each table's first day counts, and that of the list before is the base."""
    standard = {"standard": [["2025-01-01", 2000], ["2026-02-01", 2100]]}
    players = {"N": {"opening": standard}, "a": outsider(2000), "b": outsider(2100)}
    first = held("2026-01-30", "2026-02-03", [("N", "a", 1)], minutes=15)
    second = held("2026-02-10", "2026-02-12", [("N", "b", 0.5)], minutes=15)
    result = rate_fide(players, first, second, chapter="rapid")
    period = on_list(result, "2026-03-01")["N"]
    explained = result.system.presentation.explained(period)
    assert [(term["rating"], term["change"]) for term in period.terms] == [(2000, 0.5), (2100, 0)]
    assert (period.figures["base"], period.after) == (2100, 2120)
    assert sum(part.points for part in explained.parts) == pytest.approx(20)


def test_table_for_a_later_list_waits_beside_a_first_rapid_rating():
    standard = {"standard": [["2025-01-01", 2000]]}
    players = {"N": {"opening": standard}, "a": outsider(2000)}
    first = held("2026-02-10", "2026-02-12", [("N", "a", 1)], minutes=15)
    later = held("2026-02-25", "2026-02-27", [("N", "a", 1)], minutes=15)  # ends two days before the list
    result = rate_fide(players, first, later, chapter="rapid")
    assert [listed(result, day)["N"] for day in ("2026-03-01", "2026-04-01")] == [2020, 2039]  # then by 2020


def test_collected_games_have_a_row_only_on_the_list_after_their_table():
    players = {"N": {}, "a": outsider(1700), "P": rated(1700)}
    collected = held("2025-11-05", "2025-11-09", [("N", "a", 0.5)] * 2)
    other = held("2026-02-05", "2026-02-09", [("P", "a", 0.5)])
    result = rate_fide(players, collected, other)
    rows = [(s.day.isoformat(), row.figures["games"]) for s in result.steps if isinstance(s.cause, Closing) for row in s.result.rows
            if row.player == "N"]  # fmt: skip
    assert rows == [("2025-12-01", 2)]


@pytest.mark.parametrize(
    ("minutes", "increment", "chapter"),
    [
        (90, 0, "standard"),
        (45, 15, "standard"),
        (50, 9.5, "rapid"),
        (10, 1, "rapid"),
        (3, 2, "blitz"),
        (10, 0, "blitz"),
        (3, 0, ""),
    ],
)
def test_chapter_follows_from_the_time_for_60_moves(minutes, increment, chapter):
    overtime = {"increment": increment} if increment else None
    assert find_chapter(minutes_for_60_moves(minutes, overtime)) == chapter  # 1.1


def test_table_of_another_chapter_is_not_rated():
    result = rate_fide(
        {"P": rated(2000), "a": outsider(2000)}, held("2026-02-10", "2026-02-10", [("P", "a", 1)], minutes=5)
    )
    assert (row(result, "P").games, str(row(result, "P").note)) == (
        0,
        "5 min for 60 moves: too fast for a standard list, not rated",
    )


@pytest.mark.parametrize(
    ("own", "opponent", "chapter", "more", "warnings"),
    [
        (2450, 1900, "standard", {"minutes": 75}, ["75 min for 60 moves, but a player of 2400 or more needs 120"]),
        (1900, 1700, "standard", {"minutes": 75}, ["75 min for 60 moves, but a player of 1800 or more needs 90"]),
        (1700, 1750, "standard", {"minutes": 75}, []),
        (2650, 2040, "rapid", {"minutes": 15}, ["a player of more than 2600, and a difference of 600 or more"]),
        (2650, 2060, "rapid", {"minutes": 15}, []),
    ],
)  # fmt: skip
def test_games_that_are_not_rated_are_counted_with_the_reason(own, opponent, chapter, more, warnings):
    """Handbook B02, 1.1 and 7.3.1."""
    games = held("2026-02-10", "2026-02-10", [("P", "a", 1), ("a", "P", 0)], **more)
    rated_table = get_table(rate_fide({"P": rated(own), "a": outsider(opponent)}, games, chapter=chapter))
    assert list(rated_table.warnings) == [f"not rated, games: 2; {warning}" for warning in warnings]
    assert [row.games for row in rated_table.rows if row.player == "P"] == [0 if warnings else 2]


def test_rapid_game_of_a_player_above_2600_counts_for_a_newcomer_who_has_no_difference():
    """7.3.1 bars games by the difference of two ratings; a game without one is collected as any other (7.1.4)."""
    games = held("2026-02-10", "2026-02-10", [("P", "N", 1)], minutes=15)
    rated_table = get_table(rate_fide({"P": rated(2700), "N": {}}, games, chapter="rapid"))
    assert {row.player: row.games for row in rated_table.rows} == {"P": 0, "N": 1}
    assert rated_table.warnings == ()


def test_games_online_are_counted_as_not_rated():
    games = held("2026-02-10", "2026-02-10", [("P", "a", 1, {"online": True}), ("P", "a", 1)])
    rated_table = get_table(rate_fide({"P": rated(2000), "a": outsider(2000)}, games))
    assert list(rated_table.warnings) == ["not rated, games: 1; online, by correspondence or with a handicap"]
    assert [row.games for row in rated_table.rows if row.player == "P"] == [1]


def test_parts_of_a_list_add_up_to_its_change():
    players = {"P": rated(2000), "a": outsider(1900), "b": outsider(2100)}
    first = held("2026-02-03", "2026-02-05", [("P", "a", 0.5), ("P", "b", 1)])
    second = held("2026-02-10", "2026-02-12", [("P", "a", 1)])
    result = rate_fide(players, first, second)
    period = on_list(result, "2026-03-01")["P"]
    explained = result.system.presentation.explained(period)
    assert sum(part.points for part in explained.parts) == pytest.approx(period.change)
    assert [(line.label, line.value) for line in explained.lines] == [
        ("Rating before", 2000),
        ("Events begun on 2026-02-03: K × sum", pytest.approx(10)),
        ("Events begun on 2026-02-10: K × sum", pytest.approx(7.2)),
        ("Games", 3),
        ("Sum of result − expected", pytest.approx(0.86)),
        ("K = 20", 20),
        ("K × sum", pytest.approx(17.2)),
        ("Rounded, halves away from zero", "+17"),
        ("Rating after", 2017),
    ]


def test_explanation_of_a_list_reads_whole_numbers_as_floats_too():
    """A cache of JSON may give them back as floats."""
    result = rate_fide({"P": rated(2000), "a": outsider(1900)}, held("2026-02-03", "2026-02-05", [("P", "a", 1)]))
    period = replace(on_list(result, "2026-03-01")["P"], change=7.0)
    lines = {line.label: line.value for line in result.system.presentation.explained(period).lines}
    assert lines["Rounded, halves away from zero"] == "+7"


def test_long_absence_marks_a_player_as_inactive():
    system = get_system("fide-2024")
    state = system.rating.read({"rating": 2000, "last_list": "2025-03-01"})
    player = next(
        iter(
            rate_fide(
                {"P": rated(2000), "a": outsider(2000)}, held("2025-03-05", "2025-03-06", [("P", "a", 1)])
            ).history.players.values()
        )
    )
    categories = [system.rating.standing(state, player, date(2026, month, 1)).category for month in (2, 3)]
    assert categories == ["rated", "inactive"]


@pytest.mark.parametrize(
    ("opening", "problem"),
    [
        ({"rating": "1500"}, 'players[0].opening: invalid rating: "1500"'),
        ({"rating": 1500.5}, "players[0].opening: invalid rating: 1500.5"),
        (
            {"rating": 1500, "official": True},
            "players[0].opening: official is not one of rating, games, ever_2300, ever_2400, previous, results, began, last_list, listed_games, standard",
        ),
        (
            {"rating": 1500, "previous": [["2025-13-01", 1400]]},
            'players[0].opening: invalid previous: [["2025-13-01", 1400]]',
        ),
    ],
)
def test_invalid_opening_is_refused(opening, problem):
    given = document(
        {"P": {"opening": opening}, "a": outsider(2000)},
        held("2026-02-10", "2026-02-10", [("P", "a", 1)]),
        system="fide-2024",
    )
    with pytest.raises(HistoryError) as error:
        parse_history(given)
    assert error.value.problems == (problem,)


def test_prediction_uses_the_table():
    rating = get_system("fide-2024").rating
    assert rating.predict(2100, 2000, Game(1, "a", "b", None), "a") == 0.64
    assert rating.predict(2100, 2000, Game(1, "a", "b", None, online=True), "a") is None
