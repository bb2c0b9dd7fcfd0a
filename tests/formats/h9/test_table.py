import pytest

from ratings.formats.fesa.grid import read_grid
from ratings.formats.h9.table import looks_like_h9, read_h9, write_h9
from ratings.formats.parsed import Cell
from tests.formats.fesa.test_grid import GOOD
from tests.formats.test_samples import HEAD, SAMPLES, TODAY

FILE = (SAMPLES / "h9" / "good.h9").read_bytes()


def test_good_file_is_read_whole():
    table, problems = read_h9(FILE, HEAD, TODAY)
    assert problems.all == []
    assert (table.name, table.place, table.country, table.time_control) == (
        "Spring Cup", "Sampletown", "DE", "60 minutes")  # fmt: skip
    assert [(r.number, r.family, r.given, r.country, r.grade, r.points, r.macmahon) for r in table.rows] == [
        (1, "Muster", "Anna", "DE", "5 Dan", 3, None),
        (2, "van Beispiel", "Jan", "NL", "3 Dan", 1.5, None),
        (3, "Novák", "Petra", "CZ", "10 Kyu", 1.5, None),
        (4, "Dupont", "Luc", "FR", "12 Kyu", 0, None),
    ]
    assert [row.cells for row in table.rows] == [
        [Cell(3, 1, black=False), Cell(2, 1, stones=2, black=False), Cell(0, 1)],
        [Cell(4, 1, black=True), Cell(1, 0, stones=2, black=True), Cell(3, 0.5, black=False)],
        [Cell(1, 0, black=True), Cell(4, 1, black=False), Cell(2, 0.5, black=True)],
        [Cell(2, 0, black=False), Cell(3, 0, black=True), Cell(0, 0)],
    ]


@pytest.mark.parametrize("column", [0, 1, 2])
def test_points_are_the_score_that_agrees_with_the_results(column):
    scores = [["35", "36", "37"], ["33", "34", "32"]]
    scores[0][column], scores[1][column] = "1", "0"
    text = "".join(
        f"{n} A{n} B 5d DE C {' '.join(own)} {3 - n}{sign}\n" for n, own, sign in zip((1, 2), scores, "+-", strict=True)
    )
    table, problems = read_h9(text.encode(), HEAD, TODAY)
    assert (problems.all, [row.points for row in table.rows]) == ([], [1, 0])


def test_britain_is_uk_in_the_file_and_gb_in_the_portal():
    text = "; PC[uk, London]\n1 A B 5d uk C 2+\n2 C D 4d GB C 1-\n"
    table, problems = read_h9(text.encode(), HEAD, TODAY)
    assert (problems.all, table.country, table.place, [row.country for row in table.rows]) == (
        [], "GB", "London", ["GB", "GB"])  # fmt: skip


def test_written_file_is_a_wall_list():
    table, _ = read_grid(GOOD.encode("latin-1"), TODAY)
    table.rows[0].grade, table.country, table.time_control = "10 Kyu", "DE", "60 minutes"
    assert write_h9(table) == (
        "; EV[3. Example Cup]\n; PC[DE, Sampletown]\n; DT[2026-03-07,2026-03-08]\n; HA[h9]\n; TM[60]\n"
        "1 Muster Anna 10k DE - 3 3+ 2+ 0+\n"
        "2 van_Beispiel Jan - NL - 1.5 4+ 1- 3=\n"
        "3 Novák Petra - CZ - 1.5 1- 4+ 2=\n"
        "4 Dupont Luc - FR - 0 2- 3- 0-\n"
    )


def test_file_is_recognised():
    assert looks_like_h9(FILE)
    assert looks_like_h9(FILE[FILE.index(b"1 Muster") :])
    assert not looks_like_h9(GOOD.encode())
    assert not looks_like_h9((SAMPLES / "published" / "good.txt").read_bytes())
