from ratings.formats.changes import Difference, find_differences
from ratings.formats.sheet_content import SheetContent, SheetRow


def content(*rows):
    return SheetContent(
        2, [SheetRow(name, player=key, macmahon=mm, cells=cells.split(",")) for key, name, mm, cells in rows]
    )


BEFORE = content(("A", "Ada", "1", "2+,3=(-2p)"), ("B", "Ben", "", "1-,0+"), ("C", "Cleo", "", "0-,1=(+2p)"))


def test_same_results_in_another_order_change_nothing():
    after = content(("C", "Cleo", "", "0-,2=(+2p)"), ("A", "Ada", "1", "3+,1=(-2p)"), ("B", "Ben", "", "2-,0+"))
    assert find_differences(BEFORE, after) == []


def test_every_difference_is_reported_once_by_rounds():
    after = content(("A", "Ada", "2", "2-,3=(-r)"), ("B", "Ben", "", "1+,0-"), ("C", "Cleo", "", "0-,1=(+r)"))
    assert find_differences(BEFORE, after) == [
        Difference(0, "Ada", "✓ 1", "✓ 2"),
        Difference(1, "Ada – Ben", "1–0", "0–1"),
        Difference(2, "Ada – Cleo", "½–½ (-2p)", "½–½ (-r)"),
        Difference(2, "Ben", "0+", "0-"),
    ]


def test_replaced_player_counts_as_removed_and_added():
    after = content(("A", "Ada", "1", "2+,3=(-2p)"), ("D", "Dora", "", "1-,0+"), ("C", "Cleo", "", "0-,1=(+2p)"))
    assert find_differences(BEFORE, after) == [
        Difference(0, "Ben", "✓", ""),
        Difference(0, "Dora", "", "✓"),
        Difference(1, "Ada – Ben", "1–0", ""),
        Difference(1, "Ada – Dora", "", "1–0"),
        Difference(2, "Ben", "0+", ""),
        Difference(2, "Dora", "", "0+"),
    ]


def test_unreadable_value_is_shown_unchanged():
    after = content(("A", "Ada", "1", "2+,9=x"), ("B", "Ben", "", "1-,0+"), ("C", "Cleo", "", "0-,"))
    assert find_differences(BEFORE, after) == [
        Difference(2, "Ada – Cleo", "½–½ (-2p)", ""),
        Difference(2, "Ada", "", "9=x"),
    ]


def test_game_that_is_not_rated_is_reported_with_its_marks_once():
    before = content(("A", "Ada", "", "2+!(-r)"), ("B", "Ben", "", "1-!(+r)"))
    after = content(("A", "Ada", "", "2-!/w"), ("B", "Ben", "", "1-!/b"))
    assert find_differences(before, after) == [Difference(1, "Ada – Ben", "1–0! (-r)", "0–0! /w")]
    played = content(("A", "Ada", "", "2=u/w"), ("B", "Ben", "", "1=u/b"))
    assert find_differences(after, played) == [Difference(1, "Ada – Ben", "0–0! /w", "½–½u /w")]
