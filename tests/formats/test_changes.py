from ratings.formats.changes import Changed, changes
from ratings.formats.entered import SheetContent, SheetRow


def content(*rows):
    return SheetContent(
        2, [SheetRow(name, player=key, macmahon=mm, cells=cells.split(",")) for key, name, mm, cells in rows]
    )


BEFORE = content(("A", "Ada", "1", "2+,3=(-2p)"), ("B", "Ben", "", "1-,0+"), ("C", "Cleo", "", "0-,1=(+2p)"))


def test_same_results_in_another_order_change_nothing():
    after = content(("C", "Cleo", "", "0-,2=(+2p)"), ("A", "Ada", "1", "3+,1=(-2p)"), ("B", "Ben", "", "2-,0+"))
    assert changes(BEFORE, after) == []


def test_every_difference_is_told_once_by_rounds():
    after = content(("A", "Ada", "2", "2-,3=(-r)"), ("B", "Ben", "", "1+,0-"), ("C", "Cleo", "", "0-,1=(+r)"))
    assert changes(BEFORE, after) == [
        Changed(0, "Ada", "✓ 1", "✓ 2"),
        Changed(1, "Ada – Ben", "1–0", "0–1"),
        Changed(2, "Ada – Cleo", "½–½ (-2p)", "½–½ (-r)"),
        Changed(2, "Ben", "0+", "0-"),
    ]


def test_somebody_else_in_a_seat_is_one_who_goes_and_one_who_comes():
    after = content(("A", "Ada", "1", "2+,3=(-2p)"), ("D", "Dora", "", "1-,0+"), ("C", "Cleo", "", "0-,1=(+2p)"))
    assert changes(BEFORE, after) == [
        Changed(0, "Ben", "✓", ""),
        Changed(0, "Dora", "", "✓"),
        Changed(1, "Ada – Ben", "1–0", ""),
        Changed(1, "Ada – Dora", "", "1–0"),
        Changed(2, "Ben", "0+", ""),
        Changed(2, "Dora", "", "0+"),
    ]


def test_what_cannot_be_read_is_shown_as_it_stands():
    after = content(("A", "Ada", "1", "2+,9=x"), ("B", "Ben", "", "1-,0+"), ("C", "Cleo", "", "0-,"))
    assert changes(BEFORE, after) == [
        Changed(2, "Ada – Cleo", "½–½ (-2p)", ""),
        Changed(2, "Ada", "", "9=x"),
    ]
