import datetime as dt

import pytest

from ratings.formats.fesa.grid import looks_like_grid, read_grid, write_grid
from ratings.formats.parsed import Cell

TODAY = dt.date(2026, 11, 21)

GOOD = """[3. Example Cup, Sampletown, Germany, 2026-03-07 to 2026-03-08]
[2026-03-08]
[Time control: 30min + 30sec]
Nr Name Nat 1 2 3 Pts
; comment line, ignored
1 [Muster][Anna] DE [3+ 2+ 0+] 3
2 [van Beispiel][Jan] NL [4+ 1- 3=] 3/2
3 N [Novák][Petra] CZ [1- 4+ 2=] 3/2
4 [Dupont][Luc] FR [2- 3- 0-] 0
"""
HANDICAP = """[Cup, Town, France, 2026-03-08]
[2026-03-08]
[Time control: 30min + 30sec]
1 [Muster][Anna] DE [2+ 3+(-r)][2] 4
2 [van Beispiel][Jan] NL [1- 4=][1] 3/2
3 [Novak][Petra] CZ [4+ 1-(+R)][0] 1
4 [Dupont][Luc] FR [3- 2=][0] 1/2
"""


def read(text, encoding="latin-1"):
    table, problems = read_grid(text.encode(encoding), TODAY)
    return table, [str(problem) for problem in problems.sorted_by_position()]


def test_good_grid_is_read_whole():
    table, problems = read(GOOD)
    assert problems == []
    assert (table.name, table.place, table.country) == ("3. Example Cup", "Sampletown", "Germany")
    assert (table.first_day, table.last_day) == (dt.date(2026, 3, 7), dt.date(2026, 3, 8))
    assert table.time_control == "30min + 30sec"
    assert [(r.number, r.new, r.family, r.given, r.country, r.points, r.macmahon) for r in table.rows] == [
        (1, False, "Muster", "Anna", "DE", 3, None),
        (2, False, "van Beispiel", "Jan", "NL", 1.5, None),
        (3, True, "Novák", "Petra", "CZ", 1.5, None),
        (4, False, "Dupont", "Luc", "FR", 0, None),
    ]
    assert [row.cells for row in table.rows] == [
        [Cell(3, 1), Cell(2, 1), Cell(0, 1)],
        [Cell(4, 1), Cell(1, 0), Cell(3, 0.5)],
        [Cell(1, 0), Cell(4, 1), Cell(2, 0.5)],
        [Cell(2, 0), Cell(3, 0), Cell(0, 0)],
    ]


def test_macmahon_and_handicap_are_read():
    table, problems = read(HANDICAP)
    assert problems == []
    assert [row.macmahon for row in table.rows] == [2, 1, 0, 0]
    assert table.rows[0].cells[1] == Cell(3, 1, "r", gave=True)
    assert table.rows[2].cells[1] == Cell(1, 0, "r", gave=False)


def test_simultaneous_giver_has_no_rounds_of_their_own():
    table, problems = read(
        "[Simul, Town, JP, 2026-03-08]\n[2026-03-08]\n[Time control: 30min + 30sec]\n"
        "1 [Gast][Meister] JP [&]\n2 [A][B] DE [1-(+2p)]\n3 [C][D] DE [1+(+2p)]\n"
    )
    assert problems == []
    assert (table.rows[0].simultaneous, table.rows[0].cells) == (True, [])


@pytest.mark.parametrize("text", [GOOD, HANDICAP])
def test_written_grid_reads_the_same(text):
    table, _ = read(text)
    again, problems = read(write_grid(table))
    assert problems == []
    for row in (*table.rows, *again.rows):
        row.line = 0
    assert again == table


def test_name_with_commas_survives_writing_without_a_place():
    table, _ = read(GOOD)
    table.name, table.place, table.country = "Cup, men, and women", "", ""
    again, _ = read(write_grid(table))
    assert (again.name, again.place, again.country) == ("Cup, men, and women", "", "")


def test_table_of_more_than_a_hundred_rows_is_read_and_written():
    rows = [f"{n} [F{n}] [G] FR [{121 - n}{'+' if n < 61 else '-'}(-2p)] {int(n < 61)}" for n in range(1, 121)]
    rows = [row.replace("(-", "(+") if int(row.split()[0]) > 60 else row for row in rows]
    text = "[Cup, Town, France, 2026-03-08]\n[2026-03-08]\n[Time control: 30min + 30sec]\n" + "\n".join(rows) + "\n"
    table, problems = read(text)
    assert (problems, len(table.rows), table.rows[0].cells) == ([], 120, [Cell(120, 1, "2p", gave=True)])
    assert read(write_grid(table))[1] == []


@pytest.mark.parametrize(
    ("text", "encoding", "warning"),
    [
        (GOOD, "latin-1", []),
        (GOOD, "utf-8", ["warning: the file is in UTF-8; the federation's own program reads ISO-8859-1 only"]),
        (GOOD.replace("\n", "\r\n"), "latin-1", []),
        ("\ufeff" + GOOD.replace("á", "a"), "utf-8", []),
        (GOOD.replace("van Beispiel", "van\xa0Beispiel"), "latin-1", ["warning: no-break spaces were read as spaces"]),
        (GOOD.replace("á", "a\u0301"), "utf-8", [
            "warning: the file is in UTF-8; the federation's own program reads ISO-8859-1 only",
            "warning: accents are written as separate characters; they were composed",
        ]),
        (GOOD.replace("[4+ 1- 3=]", "[ 4 + 1- 3 =]").replace("[Muster][Anna]", "[Muster] [Anna]"), "latin-1", []),
        ("\n; first a comment\n\n" + GOOD, "latin-1", []),
    ],
)  # fmt: skip
def test_encodings_line_ends_and_free_spaces_are_accepted(text, encoding, warning):
    table, problems = read(text, encoding)
    assert [row.name for row in table.rows][1] == "van Beispiel Jan"
    assert problems == warning


def replaced(old, new):
    assert old in GOOD
    return GOOD.replace(old, new)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["error: the file is empty"]),
        ("\n \n", ["error: the file is empty"]),
        ("\0\0", ["error: this is not a text file; save it as plain text in Latin-1 or UTF-8"]),
        (replaced("[2026-03-08]\n", ""), ["line 2: error: “Time control: 30min + 30sec” is not the last day;"
         " write it as [2026-03-08]"]),
        (replaced("[2026-03-08]\n[Time control: 30min + 30sec]\n", ""), [
            "line 1: error: no date line: the second line is the last day, as [2026-03-08]"]),
        (replaced("[2026-03-08]", "[2026-02-30]"), ["line 2: error: “2026-02-30” is not the last day;"
         " write it as [2026-03-08]"]),
        (replaced("[2026-03-08]", "[08.03.2026]"), ["line 2: error: “08.03.2026” is not the last day;"
         " write it as [2026-03-08]"]),
        (GOOD.replace("2026", "2027"), ["line 2: error: the last day 2027-03-08 is in the future"]),
        (GOOD[GOOD.index("1 [Muster") :], [
            "error: no name line: the file begins with [Name, City, Country, date]"]),
        (GOOD[: GOOD.index("1 [Muster")], [
            "error: no player rows: a row looks like 1 [Last][First] FR [2+ 3-] 1"]),
        (replaced("4 [Dupont]", "5 [Dupont]"), [
            "line 9: error: row 5: row 4 of the table has the number 5; opponents are counted by rows, so number"
            " them 1, 2, 3 … in order"]),
        (replaced("[4+ 1- 3=]", "[4+ 1- 3="), ["line 7: error: row 2: unmatched brackets: expected place [Last][First]"
         " nationality [results] [MacMahon] points"]),
        (replaced("[Dupont][Luc]", "[][Luc]"), ["line 9: error: row 4: the last name is missing"]),
        (replaced("[2- 3- 0-]", "[2- 3- 0#x]"), ["line 9: error: row 4, round 3: “0#x” is not a result. Write the"
         " opponent’s row and + − or =, for example 7+"]),
        (replaced("[2- 3- 0-]", "[2- 3- 0-(+zz)]"), ["line 9: error: row 4, round 3: handicap “zz” is not one of"
         " s l b r rl 2p 4p 5p 6p"]),
        (replaced("[2- 3- 0-]", "[2- 3- 0-(+r]"), ["line 9: error: row 4, round 3: “0-(+r” is not a result. Write the"
         " opponent’s row and + − or =, for example 7+"]),
        (replaced("[2- 3- 0-]", "[2- 3-]"), ["line 9: error: row 4: 2 rounds where the other rows have 3"]),
        (replaced("[2- 3- 0-]", "[2- 3- 9-]"), ["line 9: error: row 4, round 3: Dupont Luc: opponent 9 does not exist;"
         " the table has 4 rows"]),
        (replaced("[2- 3- 0-]", "[2- 3- 4-]"), ["line 9: error: row 4, round 3: Dupont Luc plays against themselves"]),
        (replaced("[2- 3- 0-]", "[2- 3- 1-]"), ["line 9: error: row 4, round 3: Dupont Luc has Muster Anna as opponent,"
         " but Muster Anna has no game in this round"]),
        (replaced("[4+ 1- 3=]", "[4+ 1+ 3=]"), ["line 6: error: row 1, round 2: Muster Anna and van Beispiel Jan both"
         " won", "line 7: warning: row 2: points 3/2, but MacMahon and results give 5/2"]),
        (HANDICAP.replace("1-(+R)", "1-"), ["line 4: error: row 1, round 2: Muster Anna has (-r), but Novak Petra has no"
         " handicap: both need the same handicap, one given (-) and one received (+)"]),
        (HANDICAP.replace("1-(+R)", "1-(-R)"), ["line 4: error: row 1, round 2: Muster Anna has (-r), but Novak Petra has (-r):"
         " both need the same handicap, one given (-) and one received (+)"]),
        (HANDICAP.replace("[Dupont][Luc] FR [3- 2=][0]", "[Dupont][Luc] FR [3- 2=][x]"), [
            "line 7: error: row 4: MacMahon points “x” cannot be read as a number"]),
        (GOOD + "Thanks to all\n5 [Late][Er] FR [0- 0- 0-] 0\n", [
            "line 10: warning: text after the table was left out: “Thanks to all”",
            "line 11: error: a player row after the end of the table; move it up or delete the text between",
            "line 11: warning: row 5: Late Er has no game"]),
    ],
)  # fmt: skip
def test_errors_are_reported_all_at_once_with_their_places(text, expected):
    _, problems = read(text)
    assert sorted(problems) == sorted(expected)
    assert any("error: " in problem for problem in problems)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (replaced("[2- 3- 0-] 0", "[2- 3- 0-] 1"), [
            "line 9: warning: row 4: points 1, but MacMahon and results give 0"]),
        (replaced("03-07 to 2026-03-08", "01-06 to 2026-01-07"), [
            "line 2: warning: the last day 2026-03-08 is not inside 2026-01-06 to 2026-01-07 of the name line"]),
        (replaced("[2- 3- 0-]", "[2- 3- 0-(+6p)]"), [
            "line 9: warning: row 4, round 3: a handicap without an opponent was left out"]),
        (replaced("[2- 3- 0-]", "[2- 3- 0#]"), ["line 9: hint: row 4, round 3: 0# was read as an absence (0-)"]),
        (replaced("[4+ 1- 3=]", "[4+^ 1- 3=]"), [
            "line 7: hint: row 2, round 1: a pairing program's floater mark was left out"]),
        (HANDICAP.replace("1-(+R)", "1- (+ r )"), [
            "line 6: hint: row 3, round 2: the handicap is separate from its result; it was attached"]),
        (replaced("[Time control: 30min + 30sec]\n", ""), [
            "line 3: warning: no time control given; write [Time control: 30min + 30sec]"]),
        (replaced("30min + 30sec", "15min + 10sec"), [
            "line 4: warning: the time control is below 30min + 30sec and 20min + 40sec"]),
        (replaced("[Novák][Petra] CZ", "[Novák][Petra] "), [
            "line 8: warning: row 3: a new player needs a nationality of two letters"]),
        (replaced("[Novák][Petra] CZ", "[Novák][Petra] cz"), ["line 8: warning: row 3: nationality “cz” in lower case"]),
        (replaced("[2- 3- 0-] 0", "[2- 3- 0-] x"), ["line 9: warning: row 4: points “x” cannot be read as a number"]),
        (replaced("[1- 4+ 2=] 3/2\n4 [Dupont][Luc] FR [2- 3- 0-] 0", "[1- 0+ 2=] 3/2\n4 [Dupont][Luc] FR [0- 0- 0-] 0")
         .replace("[4+ 1- 3=]", "[0+ 1- 3=]"), ["line 9: warning: row 4: Dupont Luc has no game"]),
        (GOOD + "See you in 2027 - bring a friend\n", [
            "line 10: warning: text after the table was left out: “See you in 2027 - bring a friend”"]),
        (GOOD.replace("[3+ 2+ 0+] 3", "[3+ 2+ 3+] 3").replace("[1- 4+ 2=] 3/2", "[1- 4+ 1-] 1")
         .replace("[4+ 1- 3=] 3/2", "[4+ 1- 0-] 1"), [
            "line 6: warning: row 1, round 3: Muster Anna and Novák Petra meet a second time"]),
    ],
)  # fmt: skip
def test_warnings_let_the_table_through(text, expected):
    table, problems = read(text)
    assert problems == expected
    assert len(table.rows) == 4


def test_five_megabytes_are_refused_before_parsing():
    table, problems = read_grid(b"[x]" * 1_700_000, TODAY)
    assert [str(p) for p in problems.all] == ["error: the file has 5,100,000 bytes or more; at most 2,000,000 are read"]
    assert table is None


def test_grid_is_recognised():
    assert looks_like_grid(GOOD.encode())
    assert not looks_like_grid(b"Cup : 2024-04-20/21\nNr Name  Nat  Grade  ELO    1  Pts   +/-\n")


def test_grid_that_was_cut_off_says_so_once():
    """Organisers' finding 10: half a grid."""
    wins = [f"{number} [Name{number}] [A] DE [{9 - number}+] 1" for number in range(1, 5)]
    losses = [f"{number} [Name{number}] [A] DE [{9 - number}-] 0" for number in range(5, 9)]
    head = "[Cup, Lyon, France, 2024-05-04]\n[2024-05-04]\n[Time control: 30min + 30sec]"
    message = "error: the file seems cut off after player 4: opponents 5–8 are missing"
    for rows, first in (
        (8, None),
        (6, "line 4: error: row 1, round 1: Name1 A: opponent 8 does not exist"),
        (4, message),
    ):
        _table, problems = read("\n".join([head, *(wins + losses)[:rows], ""]))
        assert (problems or [None])[0] == first or problems[0].startswith(first)
    assert problems == [message]
