"""rif-1997 by the paragraphs of the General Assembly 1997; cases worked by hand are those of the reference file."""

import pytest

from tests.histories import rate, row, table

FIELD = {f"o{i}": 2200 + 20 * i for i in range(6)}


def established(rating):
    return {"opening": {"rating": rating, "established": True}}


def rate_1997(players, *tables, **more):
    dated = [{"date": f"1998-0{month}-01", "games": games} for month, games in enumerate(tables, 3)]
    return rate(players, *dated, system="rif-1997", **more)


def against_field(*scores):
    """N against o0, o1 … in turn, from the first again after the last."""
    return [("N", f"o{i % 6}", score) for i, score in enumerate(scores)]


def with_field(**players):
    return players | {id: established(rating) for id, rating in FIELD.items()}


def test_games_are_rated_separately_and_the_sum_is_rounded_once():
    # as in the reference case 97-01 and 97-02
    players = {id: established(r) for id, r in zip("ABCDE", (2300, 2250, 2350, 2400, 2200), strict=True)}
    result = rate_1997(players, [("A", "B", 1), ("A", "C", 0.5), ("A", "D", 0), ("A", "E", 1)])
    assert [r.after for r in table(result).rows] == [2316, 2236, 2348, 2412, 2188]
    players = {"A": established(2300)} | {id: established(2287) for id in "BCD"}
    assert row(rate_1997(players, [("A", id, 1) for id in "BCD"]), "A").change == 46


def test_only_games_with_established_players_count():
    # as in the reference case 97-03
    players = {"A": established(2300), "B": established(2200), "N": {}, "M": {}}
    result = rate_1997(players, [("A", "B", 0), ("A", "N", 0), ("N", "B", 1), ("N", "M", 1)])
    assert [r.change for r in table(result).rows] == [-20, 20, None, None]
    n, m = row(result, "N"), row(result, "M")
    assert (n.figures["exact"], n.after, n.category, n.category_after) == (2550, None, "unrated", "provisional")
    assert (m.category_after, m.note) == ("unrated", "no game that counts")


def test_provisional_rating_is_cumulative_until_ten_games_and_three_points():
    # as in the reference case 97-04, 1.5 of 5 against 2200 to 2280, then five more games against 2220 to 2300
    first = against_field(1, 0, 0.5, 0, 0)
    second = [("N", f"o{i}", score) for i, score in enumerate((0, 0.5, 1, 0, 0), 1)]
    result = rate_1997(with_field(N={}), first, second)
    assert (row(result, "N").figures["exact"], row(result, "N").category_after) == (2080, "provisional")
    assert (row(result, "N", "t2").after, row(result, "N", "t2").category_after) == (2090, "established")


@pytest.mark.parametrize(
    ("scores", "category"),
    [
        ([1] * 9, "provisional"),  # nine games
        ([1, 1] + [0] * 8, "provisional"),  # two points
        ([1, 1, 1] + [0] * 7, "established"),
        ([0.5] * 10, "established"),
    ],
)
def test_established_from_ten_games_and_three_points(scores, category):
    got = row(rate_1997(with_field(N={}), against_field(*scores)), "N")
    assert got.category_after == category
    assert (got.after is None) == (category == "provisional")


def test_performance_is_at_most_300_above_the_opponents():
    # as in the reference case 97-07, nine wins; the opponents average 2240
    assert row(rate_1997(with_field(N={}), against_field(*[1] * 9)), "N").figures["exact"] == pytest.approx(2540)


def test_player_who_passes_the_limits_stays_provisional_for_the_whole_event():
    # as in the reference case 97-10, twelve games and six points at once; o0 wins one elsewhere
    result = rate_1997(with_field(N={}), against_field(*[0, 1] * 6), [("N", "o5", 0.5)])
    assert (row(result, "N").before, row(result, "N").after) == (None, 2250)
    assert [row(result, id).change for id in FIELD] == [0] * 6
    assert row(result, "o5", "t2").change == -row(result, "N", "t2").change != 0


def test_ratings_of_provisional_players_are_not_published():
    result = rate_1997(with_field(N={}), against_field(1, 0))
    standing = result.standing("N")
    assert (standing.rating, standing.category, standing.published, standing.hidden) == (
        None, "provisional", False, True
    )  # fmt: skip
    assert result.standing("o0").published


def test_list_without_established_players_cannot_start():
    result = rate_1997({"A": {}, "B": {}}, [("A", "B", 1)])
    assert [(r.after, r.note) for r in table(result).rows] == [(None, "no game that counts")] * 2
    assert "cannot start by itself" in result.system.presentation.empty_list_reason


def test_adjustment_establishes_a_provisional_player():
    adjustment = {"date": "1998-03-15", "player": "N", "set": {"rating": 2300}, "reason": "known"}
    result = rate_1997(with_field(N={}), against_field(1, 0), [("N", "o0", 0.5)], adjustments=[adjustment])
    assert (row(result, "N", "t2").category, row(result, "N", "t2").before) == ("established", 2300)


@pytest.mark.parametrize(
    ("opening", "problem"),
    [
        ({"rating": 2300, "established": False}, "a provisional player has results, not a rating"),
        ({"established": True}, "established without a rating"),
        ({"rating": 2300, "results": [[2200, 1]]}, "a provisional player has results, not a rating"),
        ({"results": [[2200, 2]]}, "results"),
    ],
)
def test_openings_that_cannot_be_are_refused(opening, problem):
    with pytest.raises(ValueError, match=problem):
        rate_1997({"A": {"opening": opening}, "B": {}}, [("A", "B", 1)])
