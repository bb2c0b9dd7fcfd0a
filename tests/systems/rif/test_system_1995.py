"""rif-1995 by the paragraphs of the General Assemblies; cases worked by hand are those of the reference file."""

from datetime import date

import pytest

from ratings.systems.arithmetic import round_half_away_from_zero
from ratings.systems.rif.event_1995 import FACTOR, win_expectancy
from ratings.systems.rif.rules import appendix
from ratings.systems.rif.state import list_day_before, next_list_day
from tests.histories import rate, row, table

# the appendix as it was printed: from, to, the higher rated wins, the lower rated wins, draw
PRINTED = [
    (0, 10, 16, 16, 0), (11, 32, 15, 17, 1), (33, 54, 14, 18, 2), (55, 76, 13, 19, 3), (77, 100, 12, 20, 4),
    (101, 124, 11, 21, 5), (125, 149, 10, 22, 6), (150, 176, 9, 23, 7), (177, 204, 8, 24, 8), (205, 236, 7, 25, 9),
    (237, 272, 6, 26, 10), (273, 313, 5, 27, 11), (314, 363, 4, 28, 12), (364, 427, 3, 29, 13), (428, 521, 2, 30, 14),
    (522, 724, 1, 31, 15), (725, 2000, 0, 32, 16),
]  # fmt: skip


def official(rating, **more):
    return {"opening": {"rating": rating, "official": True} | more}


def rate_1995(players, *tables, **more):
    return rate(players, *tables, system="rif-1995", **more)


def on(day, *games, **more):
    return {"date": day, "games": list(games)} | more


def starts(result, *ids, table_id="t1"):
    """(start rating, contribution) of some players."""
    return [(row(result, id, table_id).figures["start"], row(result, id, table_id).change) for id in ids]


def test_formula_reproduces_the_printed_appendix_but_its_slip_at_718_to_724():
    differ = []
    for low, high, *printed in PRINTED:
        for points in range(low, high + 1):
            ahead = FACTOR * win_expectancy(-points)
            got = [
                round_half_away_from_zero(FACTOR - ahead),
                round_half_away_from_zero(ahead),
                round_half_away_from_zero(ahead - 16),
            ]
            if got != printed:
                differ.append(points)
    assert differ == list(range(718, 725))


def test_own_appendix_is_the_printed_one_with_the_last_band_by_the_formula():
    rows = [tuple(row_) for row_ in appendix().rows]
    expected = [(f"{low}–{high}", win, loss, draw) for low, high, win, loss, draw in PRINTED]
    expected[-2:] = [("522–717", 1, 31, 15), ("718–2000", 0, 32, 16)]
    assert rows == expected


@pytest.mark.parametrize(
    ("day", "before", "on_or_after"),
    [
        ("1996-04-30", "1995-12-31", "1996-04-30"),
        ("1996-05-01", "1996-04-30", "1996-08-31"),
        ("1996-12-31", "1996-08-31", "1996-12-31"),
        ("1997-01-01", "1996-12-31", "1997-04-30"),
    ],
)
def test_list_days(day, before, on_or_after):
    given = date.fromisoformat(day)
    assert (list_day_before(given).isoformat(), next_list_day(given).isoformat()) == (before, on_or_after)


def test_contribution_goes_by_the_average_of_the_opponents():
    # as in the reference case 95-02; game by game it would be -9
    players = {"A": official(2200), "B": official(1800), "C": official(2300)}
    assert starts(rate_1995(players, on("1996-06-01", ("A", "B", 1), ("A", "C", 0))), "A") == [(2200, -13)]


FIVE = {"P": 2320, "Q": 2280, "S": 2240, "T": 2360, "U": 2300}


def newcomers_event(*scores, day="1996-06-01", field=FIVE, **more):
    players = {"N": {}} | {id: official(rating) for id, rating in field.items()}
    games = [("N", id, score) for id, score in zip(field, scores, strict=True)]
    return rate_1995(players, on(day, *games), **more)


# as in the reference cases 95-05, 95-06, 95-09 and 95-12
@pytest.mark.parametrize(
    ("result", "newcomer", "others"),
    [
        (newcomers_event(1, 0, 0.5, 0, 1), (2300, 0), [-17, 17, 3, 13, -16]),
        (newcomers_event(1, 1, 1, 1, 1), (2400, 58), None),
        (newcomers_event(0, 0.5, 0.5, field={"P": 2100, "Q": 2050, "S": 1991}), (1927, 0), None),
        (newcomers_event(0, 0, 0, 0, 0), (None, None), [0, 0, 0, 0, 0]),
        (newcomers_event(0, 0, 0, 0, 0, day="1995-06-01"), (2000, -24), [4, 5, 6, 4, 5]),
    ],
)
def test_newcomers_start_rating(result, newcomer, others):
    assert starts(result, "N") == [newcomer]
    if others is not None:
        assert [change for _, change in starts(result, *FIVE)] == others


def test_newcomer_with_two_games_gets_no_start_rating_and_counts_for_nobody():
    players = {"N": {}, "P": official(2320), "Q": official(2280)}
    result = rate_1995(players, on("1996-06-01", ("N", "P", 1), ("N", "Q", 1)))
    assert starts(result, "N", "P", "Q") == [(None, None), (2320, 0), (2280, 0)]
    assert row(result, "N").note == "fewer than 3 games: no start rating"


# as in the reference cases 95-14a and b
@pytest.mark.parametrize(("options", "start"), [({}, 2320), ({"new_vs_new": "joint"}, 2340)])
def test_games_between_newcomers(options, start):
    players = {"N": {}, "M": {}, "P": official(2300), "Q": official(2200), "S": official(2100)}
    games = [("N", "P", 0), ("N", "Q", 1), ("N", "S", 1), ("M", "P", 0), ("M", "Q", 0), ("M", "S", 0.5), ("N", "M", 1)]
    assert starts(rate_1995(players, on("1996-06-01", *games), options=options), "N")[0][0] == start


def test_group_that_met_no_rated_player_is_taken_in_one_pass_against_2200():
    # before 1996; 2 of 3, 1.5 of 3 (twice), 1 of 3
    games = [("A", "B", 1), ("A", "C", 0.5), ("A", "D", 0.5), ("B", "C", 0.5), ("B", "D", 1), ("C", "D", 0.5)]
    result = rate_1995({id: {} for id in "ABCD"}, on("1995-06-01", *games))
    # R0 = 2200 - 120 log2(3/2 - 1) = 2320 for two points, 2200 for one and a half, 2080 for one
    assert [start for start, _ in starts(result, *"ABCD")] == [2320, 2200, 2200, 2080]
    assert table(result).warnings == (
        "A, B, C, D: nobody among them met a rated player; every opponent is taken as 2200",
    )


def test_tables_of_a_period_start_from_its_list_and_add_up_on_the_list_day():
    # as in the reference case 95-16
    players = {"A": official(2300), "B": official(2300), "C": official(2400)}
    result = rate_1995(
        players, on("1996-06-01", ("A", "B", 1), ("A", "C", 1)), on("1996-07-01", ("A", "B", 1), ("A", "C", 0.5))
    )
    assert starts(result, "A") + starts(result, "A", table_id="t2") == [(2300, 37), (2300, 21)]
    assert row(result, "A", "t2").after == 2300
    assert result.lists[date(1996, 8, 31)]["A"]["rating"] == 2358
    closing = next(r for r in result.steps[-1].result.rows if r.player == "A")
    assert (closing.before, closing.after, closing.change, closing.note) == (
        2300, 2358, 58, "official list of 1996-08-31"
    )  # fmt: skip


def test_table_across_a_list_day_starts_from_the_list_of_its_first_day_and_counts_for_the_next():
    players = {"A": official(2300), "B": official(2300)}
    result = rate_1995(
        players,
        on("1996-04-10", ("A", "B", 1)),
        on("1996-04-28", ("A", "B", 1), end_date="1996-05-03"),
        on("1996-05-01", ("A", "B", 1)),
    )
    assert [starts(result, "A", table_id=id)[0][0] for id in ("t1", "t2", "t3")] == [2300, 2300, 2316]
    assert list(result.lists) == [date(1996, 4, 30), date(1996, 8, 31)]
    assert [entries["A"]["rating"] for entries in result.lists.values()] == [
        2316,
        2316 + 16 + row(result, "A", "t3").change,
    ]


@pytest.mark.parametrize(("pending", "last_list"), [(0, 2420), (5, 2420)])
def test_rating_given_after_a_list_day_is_not_the_start_of_a_table_that_began_before_it(pending, last_list):
    # whether the list of 31 August moved A or not: on 20 August he stood at 2200
    given = [{"date": "1996-09-05", "player": "A", "set": {"rating": 2400}, "reason": "x"}]
    result = rate_1995(
        {"A": official(2200, pending=pending), "B": official(2300)},
        on("1996-06-01"),
        on("1996-08-20", ("A", "B", 1), end_date="1996-09-10"),
        on("1996-09-12", ("A", "B", 0.5)),
        adjustments=given,
    )
    assert starts(result, "A", "B", table_id="t2") == [(2200, 20), (2300, -20)]
    later = row(result, "A", "t3")
    assert later.figures["start"] == 2400
    assert result.lists[date(1996, 12, 31)]["A"]["rating"] == last_list + later.change


def test_newcomer_is_unofficial_until_the_list_day_and_goes_on_from_there():
    players = {"N": {}} | {id: official(rating) for id, rating in FIVE.items()}
    first = on("1996-06-01", ("N", "P", 1), ("N", "Q", 0), ("N", "S", 0.5), ("N", "T", 0), ("N", "U", 1))
    result = rate_1995(players, first, on("1996-07-01", ("N", "P", 1)), on("1996-09-01", ("N", "P", 1)))
    rows = [row(result, "N", id) for id in ("t1", "t2", "t3")]
    assert [r.category for r in rows] == ["new", "unofficial", "official"]
    assert [r.category_after for r in rows] == ["unofficial", "unofficial", "official"]
    assert [(r.before, r.after) for r in rows] == [
        (None, 2300),
        (2300, 2300 + rows[1].change),
        (2300 + rows[1].change, 2300 + rows[1].change),
    ]


def test_five_years_without_a_table_hide_a_rating_and_play_brings_it_back():
    players = {"A": official(2300, last_played="1990-05-01"), "B": official(2300), "C": official(2300)}
    away = on("1995-05-02", ("B", "C", 0.5))
    assert "A" not in rate_1995(players, away).lists[date(1995, 8, 31)]
    assert rate_1995(players, away, on("1995-12-01", ("A", "B", 0.5))).lists[date(1995, 12, 31)]["A"]["rating"] == 2300
    eve = on("1995-04-30", ("B", "C", 0.5))
    assert "A" in rate_1995(players, eve).lists[date(1995, 4, 30)]


@pytest.mark.parametrize(("day", "minutes", "change"), [("1996-06-01", 59, 0), ("1996-06-01", 60, 16),
                                                        ("1995-12-31", 45, 16), ("1995-12-31", 44, 0)])  # fmt: skip
def test_too_little_thinking_time_is_not_rated(day, minutes, change):
    result = rate_1995({"A": official(2300), "B": official(2300)}, on(day, ("A", "B", 1), minutes=minutes))
    assert row(result, "A").change == change


def test_walkovers_and_correspondence_do_not_count():
    players = {"A": official(2300), "B": official(2300)}
    games = [("A", "B", 1, {"played": False}), ("A", "B", 1, {"correspondence": True}), ("A", "B", 1, {"online": True})]
    assert starts(rate_1995(players, on("1996-06-01", *games)), "A") == [(2300, 0)]


def test_shift_moves_the_list_with_its_past():
    players = {"A": official(2300, previous=[["1995-12-31", 2250]]), "B": official(2300)}
    result = rate_1995(
        players,
        on("1996-04-28", ("A", "B", 1), end_date="1996-05-20"),
        adjustments=[{"date": "1996-05-10", "shift": 200, "reason": "the whole list"}],
    )
    assert starts(result, "A", "B") == [(2450, round_half_away_from_zero(32 * (1 - win_expectancy(50)))), (2500, -18)]


@pytest.mark.parametrize(
    ("opening", "problem"),
    [
        ({"pending": 5}, "pending or previous without a rating"),
        ({"rating": 2300, "official": False, "pending": 5}, "pending is for official players"),
        ({"rating": 2300, "games": 5}, "games is not one of rating, official, pending, previous, last_played"),
        ({"rating": 2300, "last_played": "1996-13-01"}, "last_played"),
    ],
)
def test_openings_that_cannot_be_are_refused(opening, problem):
    with pytest.raises(ValueError, match=problem):
        rate_1995({"A": {"opening": opening}, "B": {}}, on("1996-06-01", ("A", "B", 1)))
