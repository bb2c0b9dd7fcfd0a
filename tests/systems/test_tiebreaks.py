from ratings.systems.tiebreaks import Placing, compute_placings

WON, DREW, LOST = 1.0, 0.5, 0.0


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
    assert compute_placings({1: 2, 2: 1.5, 3: 0.5, 4: 2}, games) == {
        4: Placing(1, shared=False, sos=4, sodos=2.5),
        1: Placing(2, shared=False, sos=4, sodos=2),
        2: Placing(3, shared=False, sos=4.5, sodos=2.25),
        3: Placing(4, shared=False, sos=5.5, sodos=0.75),
    }


def test_equal_players_share_a_place_and_the_next_place_is_skipped():
    """A ring of three with a win and a loss each, and one who only sat there."""
    games = {1: [(2, WON), (3, LOST)], 2: [(3, WON), (1, LOST)], 3: [(1, WON), (2, LOST)]}
    equal = Placing(1, shared=True, sos=2, sodos=1)
    assert compute_placings({1: 1, 2: 1, 3: 1, 4: 0}, games) == {
        1: equal, 2: equal, 3: equal, 4: Placing(4, shared=False, sos=0, sodos=0),
    }  # fmt: skip


def test_round_without_a_game_adds_its_points_and_no_opponent():
    """1 and 2 have a point each: 1 for a bye, 2 for beating 3. Only 2 has met somebody."""
    assert compute_placings({1: 1, 2: 1, 3: 0}, {2: [(3, WON)], 3: [(2, LOST)]}) == {
        2: Placing(1, shared=True, sos=0, sodos=0),
        1: Placing(1, shared=True, sos=0, sodos=0),
        3: Placing(3, shared=False, sos=1, sodos=0),
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
    placed = compute_placings(scores, games)
    assert [(row, placed[row].place, placed[row].sos) for row in rows] == [
        (1, 1, 30), (2, 2, 28), (3, 3, 23), (4, 4, 30), (5, 5, 29), (6, 6, 28), (7, 7, 27), (8, 8, 25), (9, 9, 21),
    ]  # fmt: skip
    assert (placed[1].sodos, placed[2].sodos, placed[3].sodos) == (25, 22, 18)
