import pytest

from ratings.systems.tiebreaks import Placing, TieBreak, compute_placings, parse_tie_breaks, use_official_places

WON, DREW, LOST = 1.0, 0.5, 0.0
SUMS = (TieBreak.SOS, TieBreak.SODOS)


def test_places_go_by_score_then_by_the_two_sums():
    """By hand: 1 beats 2 and 3, 2 beats 4 and draws with 3, 4 beats 1 and 3.

    Scores 2, 1½, ½, 2. SOS of 1: 1½ + ½ + 2 = 4, SODOS 1½ + ½ = 2. SOS of 4: 1½ + ½ + 2 = 4, SODOS 2 + ½ = 2½: so 4 is
    before 1. Of 2: SOS 2 + ½ + 2 = 4½, SODOS 2 + ¼ = 2¼. Of 3: SOS 2 + 1½ + 2 = 5½, SODOS half of 1½.
    """
    games = {
        1: [(2, WON), (3, WON), (4, LOST)],
        2: [(1, LOST), (4, WON), (3, DREW)],
        3: [(1, LOST), (2, DREW), (4, LOST)],
        4: [(2, LOST), (1, WON), (3, WON)],
    }
    assert compute_placings({1: 2, 2: 1.5, 3: 0.5, 4: 2}, games, SUMS) == {
        4: Placing(1, shared=False, values=(4, 2.5)),
        1: Placing(2, shared=False, values=(4, 2)),
        2: Placing(3, shared=False, values=(4.5, 2.25)),
        3: Placing(4, shared=False, values=(5.5, 0.75)),
    }


def test_equal_players_share_a_place_and_the_next_place_is_skipped():
    """A ring of three with a win and a loss each, and one who only sat there."""
    games = {1: [(2, WON), (3, LOST)], 2: [(3, WON), (1, LOST)], 3: [(1, WON), (2, LOST)]}
    equal = Placing(1, shared=True, values=(2, 1))
    assert compute_placings({1: 1, 2: 1, 3: 1, 4: 0}, games, SUMS) == {
        1: equal, 2: equal, 3: equal, 4: Placing(4, shared=False, values=(0, 0)),
    }  # fmt: skip


def test_round_without_a_game_adds_its_points_and_no_opponent():
    """1 and 2 have a point each: 1 for a bye, 2 for beating 3. Only 2 has met somebody."""
    assert compute_placings({1: 1, 2: 1, 3: 0}, {2: [(3, WON)], 3: [(2, LOST)]}, SUMS) == {
        2: Placing(1, shared=True, values=(0, 0)),
        1: Placing(1, shared=True, values=(0, 0)),
        3: Placing(3, shared=False, values=(1, 0)),
    }


def test_the_first_nine_of_a_published_table_are_in_this_order():
    """The shogi federation's table of a championship of 46 in 2024, MacMahon points in its scores: three with 6, six
    with 5. It prints no sums; these are added by hand from its rows, and give the order that it has.
    """
    scores = {1: 6, 2: 6, 3: 6, 4: 5, 5: 5, 6: 5, 7: 5, 8: 5, 9: 5, 10: 4, 11: 4, 12: 4, 13: 4, 14: 4, 15: 4, 17: 4,
              20: 3, 21: 3, 22: 3, 23: 3, 26: 3, 27: 3, 31: 3, 32: 2, 42: 2}  # fmt: skip
    rows = {1: "11+ 5+ 7- 4+ 8+ 2+", 2: "10+ 21+ 4+ 7+ 6+ 1-", 3: "4- 32+ 20+ 13+ 11+ 5+", 4: "3+ 6+ 2- 1- 23+ 15+",
            5: "8+ 1- 27+ 17+ 7+ 3-", 6: "13+ 4- 11+ 9+ 2- 10+", 7: "12+ 31+ 1+ 2- 5- 20+", 8: "5- 26+ 22+ 10+ 1- 13+",
            9: "21- 42+ 14+ 6- 20+ 12+"}  # fmt: skip
    games = {
        row: [(int(cell[:-1]), WON if cell[-1] == "+" else LOST) for cell in cells.split()]
        for row, cells in rows.items()
    }
    placed = compute_placings(scores, games, SUMS)
    assert [(row, placed[row].place, placed[row].values[0]) for row in rows] == [
        (1, 1, 30), (2, 2, 28), (3, 3, 23), (4, 4, 30), (5, 5, 29), (6, 6, 28), (7, 7, 27), (8, 8, 25), (9, 9, 21),
    ]  # fmt: skip
    assert tuple(placed[row].values[1] for row in (1, 2, 3)) == (25, 22, 18)


RING = {1: [(2, WON), (3, LOST), (4, WON)], 2: [(3, WON), (1, LOST), (4, LOST)], 3: [(1, WON), (2, LOST), (4, DREW)],
        4: [(1, LOST), (2, WON), (3, DREW)]}  # fmt: skip
"""All play all. Scores: 1 has 2, 3 and 4 have 1½, 2 has 1."""
SCORES = {1: 2.0, 2: 1.0, 3: 1.5, 4: 1.5}


@pytest.mark.parametrize(
    ("tie_break", "values"),
    [
        # opponents of 1 have 1, 1½, 1½; of 2: 2, 1½, 1½; of 3: 2, 1, 1½; of 4: 2, 1, 1½
        (TieBreak.SOS, {1: 4, 2: 5, 3: 4.5, 4: 4.5}),
        (TieBreak.SOS_CUT, {1: 3, 2: 3.5, 3: 3.5, 4: 3.5}),
        (TieBreak.SOS_MEDIAN, {1: 1.5, 2: 1.5, 3: 1.5, 4: 1.5}),
        (TieBreak.SOSOS, {1: 14, 2: 13, 3: 13.5, 4: 13.5}),
        (TieBreak.SODOS, {1: 2.5, 2: 1.5, 3: 2.75, 4: 1.75}),
        (TieBreak.WINS, {1: 2, 2: 1, 3: 1, 4: 1}),
    ],
)
def test_tie_break_is_computed_from_scores_and_games(tie_break, values):
    placed = compute_placings(SCORES, RING, [tie_break])
    assert {number: placing.values for number, placing in placed.items()} == {
        number: (value,) for number, value in values.items()
    }


def test_order_of_tie_breaks_decides():
    """3 and 4 are equal by SOS; by SODOS 3 is ahead, as it beat the winner."""
    placed = compute_placings(SCORES, RING, SUMS)
    assert [placed[number].place for number in (1, 2, 3, 4)] == [1, 4, 2, 3]


def test_without_tie_breaks_equal_points_share_the_place():
    assert compute_placings(SCORES, RING, ()) == {
        1: Placing(1, shared=False), 3: Placing(2, shared=True), 4: Placing(2, shared=True), 2: Placing(4, shared=False)
    }  # fmt: skip


def test_points_against_each_other_decide_where_all_tied_players_have_met():
    """1 and 2 have two points each, and 1 beat 2. 3 and 4 have one each and never met."""
    games = {1: [(2, WON), (3, WON)], 2: [(1, LOST), (4, WON)], 3: [(1, LOST)], 4: [(2, LOST)]}
    assert compute_placings({1: 2, 2: 2, 3: 1, 4: 1}, games, [TieBreak.DIRECT]) == {
        1: Placing(1, shared=False, values=(1,)), 2: Placing(2, shared=False, values=(0,)),
        3: Placing(3, shared=True, values=(None,)), 4: Placing(3, shared=True, values=(None,)),
    }  # fmt: skip


def test_official_places_are_shared_by_equal_numbers():
    assert use_official_places({7: 2, 8: 1, 9: 2}) == {
        7: Placing(2, shared=True), 8: Placing(1, shared=False), 9: Placing(2, shared=True)
    }  # fmt: skip


def test_statement_is_parsed_in_order():
    assert parse_tie_breaks("sodos,sos") == (TieBreak.SODOS, TieBreak.SOS)
    assert (parse_tie_breaks("points"), parse_tie_breaks("")) == ((), None)


@pytest.mark.parametrize("statement", ["sos,sos", "sos,", "buchholz", "points,sos", "sos,sodos,wins,direct,sosos"])
def test_invalid_statement_is_refused(statement):
    with pytest.raises(ValueError, match=r"."):
        parse_tie_breaks(statement)
