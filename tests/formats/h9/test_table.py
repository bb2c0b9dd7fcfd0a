import pytest

from ratings.formats.event_head import Head
from ratings.formats.fesa.grid import read_grid
from ratings.formats.h9.table import extension_of, looks_like_h9, read_h9, write_h9
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
        "; EV[3. Example Cup]\n; PC[DE,Sampletown]\n; DT[2026-03-07,2026-03-08]\n; HA[h9]\n; TM[60]\n;\n"
        "; Pl Name                            Rk Co Club  Pts\n"
        "   1 Muster Anna                    10K DE xxxx    3    0    0    0     3+       2+       0+\n"
        "   2 van_Beispiel Jan                 - NL xxxx  1.5    0    0    0     4+       1-       3=\n"
        "   3 Novák Petra                      - CZ xxxx  1.5    0    0    0     1-       4+       2=\n"
        "   4 Dupont Luc                       - FR xxxx    0    0    0    0     2-       3-       0-\n"
    )


# the sample of ../shared/formats/go.md, section 3, whose points (NBW) are corrected
PAIRGOTH = """\
; CL[B]
; EV[Example Cup]
; PC[DE,Sampletown]
; DT[2026-03-07,2026-03-08]
; HA[h1]
; KM[7.5]
; TM[60]
; CM[Fischer 40 minutes + 10 seconds]
;
; Pl Name                            Rk Co Club   MMS  SOS SOSO  NBW
   1 Muster Anna                     3D DE  Ber   36  128  503    2     2+/w0    0=       3+/w1 |10000017
   2 Van_Beispiel Jan                4K NL  Ams   31  120  482    1     1-/b0    3+/w2    0=    |10000025
   3 Dupont Luc                      7K UK xxxx   28  112  433    0     0=       2-/b2    1-/b1
"""


def test_wall_list_of_pairgoth_is_read():
    table, problems = read_h9(PAIRGOTH.encode(), HEAD, TODAY)
    assert problems.all == []
    assert [(row.country, row.grade, row.points, row.outside) for row in table.rows] == [
        ("DE", "3 Dan", 2, {"egd": "10000017"}), ("NL", "4 Kyu", 1, {"egd": "10000025"}), ("GB", "7 Kyu", 0, {}),
    ]  # fmt: skip
    assert [row.place for row in table.rows] == [1, 2, 3]
    assert [row.cells for row in table.rows] == [  # 0= is no half point here: the points would not agree
        [Cell(2, 1, black=False), Cell(0, 0), Cell(3, 1, stones=1, black=False)],
        [Cell(1, 0, black=True), Cell(3, 1, stones=2, black=False), Cell(0, 0)],
        [Cell(0, 0), Cell(2, 0, stones=2, black=True), Cell(1, 0, stones=1, black=True)],
    ]


def test_rows_are_written_in_the_columns_of_pairgoth():
    table, _problems = read_h9(PAIRGOTH.encode(), HEAD, TODAY)
    written = [line for line in write_h9(table).splitlines() if not line.startswith(";")]
    for line, of_pairgoth in zip(written, PAIRGOTH.splitlines()[-3:], strict=True):
        assert line[:42] == of_pairgoth[:42]
        assert line[67:82].replace("0-", "0=") == of_pairgoth[67:82]
        assert line.partition("|")[1:] == of_pairgoth.partition("|")[1:]


RANKS = "1 A A 3d DE C {}\n2 B B 4k NL C {}\n3 C C 1d NL C {}\n"


def read_ranks(head, first, second, third, file_name=""):
    table, problems = read_h9(
        (head + RANKS.format(first, second, third)).encode(), Head("E", TODAY, TODAY, file_name), TODAY
    )
    return [[(cell.stones, cell.black) for cell in row.cells] for row in table.rows], [
        str(problem) for problem in problems.all
    ]


@pytest.mark.parametrize(
    ("head", "file_name", "stones"),
    [("; HA[h0]\n", "", 6), ("; HA[h1]\n", "", 5), ("; HA[h1]\n", "cup.h3", 5), ("", "cup.h2", 4), ("", "CUP.H8", 0)],
)
def test_stones_follow_from_ranks_and_the_number_by_which_they_are_reduced(head, file_name, stones):
    cells, _problems = read_ranks(head, "2+ 0+", "1- 3+/b", "0- 2-/w", file_name)
    assert cells[0][0] == ((stones, False) if stones else (0, None))
    assert cells[1][0] == ((stones, True) if stones else (0, None))


def test_even_games_stay_even():
    cells, _problems = read_ranks("; HA[h9]\n", "2+", "1-", "0-", "cup.h1")
    assert (cells[0], cells[1]) == ([(0, None)], [(0, None)])


def test_stones_of_the_results_count_if_there_are_any():
    cells, problems = read_ranks("; HA[h1]\n", "2+/w3 3+", "1-/b3 0-", "0- 1-")
    assert cells == [[(3, False), (0, None)], [(3, True), (0, None)], [(0, None), (0, None)]]
    assert problems == []


def test_stones_that_cannot_be_known_are_named():
    cells, problems = read_ranks("; HA[h1]\n", "2+/b 3+", "1-/w 0-", "0- 1-")
    assert cells == [[(0, True), (1, False)], [(0, False), (0, None)], [(0, None), (1, True)]]
    assert problems == [
        "line 1: hint: handicap h1: the stones of 1 games follow from the grades",
        "line 1: warning: handicap h1: the stones of 1 games are not known, as a grade is missing or the weaker player "
        "has White; they were read as even",
    ]


@pytest.mark.parametrize(
    ("stones", "extension", "written"),
    [((0, None), "h9", "; HA[h9]"), ((6, True), "h0", "; HA[h0]"), ((5, True), "h1", "; HA[h1]"), ((9, True), "h9", ""),
     ((5, False), "h9", "")],
)  # fmt: skip
def test_extension_and_policy_say_how_stones_follow_from_ranks(stones, extension, written):
    table, _problems = read_h9(RANKS.format("2+", "1-", "0-").encode(), HEAD, TODAY)
    number, black = stones
    table.rows[1].cells[0] = Cell(1, 0, stones=number, black=black)
    table.rows[0].cells[0] = table.rows[1].cells[0].mirrored(2)
    lines = write_h9(table).splitlines()
    assert (extension_of(table), [line for line in lines if line.startswith("; HA")]) == (
        extension,
        [written] if written else [],
    )


def test_game_won_by_default_is_not_played_and_names_the_opponent():
    table, problems = read_h9(RANKS.format("2+! 3+ 2+", "1-! 0+ 1-", "0- 1- 0-").encode(), HEAD, TODAY)
    assert [(cell.opponent, cell.points, cell.forfeit) for cell in (table.rows[0].cells[0], table.rows[1].cells[0])] == [
        (0, 1, 2), (0, 0, 1),
    ]  # fmt: skip
    assert [str(problem) for problem in problems.all] == [
        "hint: games won or lost by default (+ -): 1; their points count, they are not rated",
        "warning: round 1: nobody has a game in round 1",
    ]
    again, _problems = read_h9(write_h9(table).encode(), HEAD, TODAY)
    assert [[(cell, cell.forfeit) for cell in row.cells] for row in again.rows] == [
        [(cell, cell.forfeit) for cell in row.cells] for row in table.rows
    ]


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [("2+!", "0-", "line 1: error: row 1, round 1: A A has B B as opponent, but B B has no game in this round"),
     ("1+!", "0-", "line 1: error: row 1, round 1: A A plays against themselves"),
     ("9+!", "0-", "line 1: error: row 1, round 1: A A: opponent 9 does not exist; the table has 3 rows")],
)  # fmt: skip
def test_both_players_of_a_game_won_by_default_name_each_other(first, second, message):
    _table, problems = read_h9(RANKS.format(first, second, "0-").encode(), HEAD, TODAY)
    assert message in [str(problem) for problem in problems.all]


def test_unknown_country_is_none():
    table, problems = read_h9(b"1 A B 5d XX C 2+\n2 C D 4d -- C 1-\n", HEAD, TODAY)
    assert (problems.all, [row.country for row in table.rows]) == ([], ["", ""])


def test_file_is_recognised():
    assert looks_like_h9(FILE)
    assert looks_like_h9(FILE[FILE.index(b"1 Muster") :])
    assert not looks_like_h9(GOOD.encode())
    assert not looks_like_h9((SAMPLES / "published" / "good.txt").read_bytes())


# the pin at the end of a row: ../shared/formats/h9.md; 00000000 is what programs write without one
@pytest.mark.parametrize(
    ("end", "outside"),
    [("|12345678", {"egd": "12345678"}), (" | 12345678 ", {"egd": "12345678"}), ("|00000000", {}), ("|123", {}),
     ("|", {}), ("", {})],
)  # fmt: skip
def test_pin_at_the_end_of_a_row_is_an_id_of_the_european_go_database(end, outside):
    table, problems = read_h9(f"1 A B 5d DE C 2+{end}\n2 C D 4d GB C 1-\n".encode(), HEAD, TODAY)
    assert (problems.all, [row.outside for row in table.rows]) == ([], [outside, {}])


def test_pin_is_written_after_the_results():
    table, _ = read_h9(FILE, HEAD, TODAY)
    for row in table.rows:
        row.outside = {}
    table.rows[3].outside = {"egd": "10000017", "fide": "1503014"}
    lines = write_h9(table).splitlines()
    assert [line.partition("|")[1:] for line in lines[-4:]] == [("", ""), ("", ""), ("", ""), ("|", "10000017")]
    back, problems = read_h9(write_h9(table).encode(), HEAD, TODAY)
    assert (problems.fatal, back.rows[3].outside, back.rows[3].cells) == (
        False,
        {"egd": "10000017"},
        table.rows[3].cells,
    )


def test_numbers_of_rows_in_another_order_are_no_places():
    """No score falls from row to row, as in a file written before the last round."""
    lines = PAIRGOTH.replace("36  128  503    2", "28  112  433    2").replace("28  112  433    0", "36  128  503    0")
    lines = lines.replace("  433    2     2+", "  433    0     2+").replace("  503    0     0=", "  503    2     0=")
    table, _problems = read_h9(lines.encode(), HEAD, TODAY)
    assert [row.place for row in table.rows] == [None, None, None]
