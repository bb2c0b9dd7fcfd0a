import datetime as dt
from pathlib import Path

import pytest

from ratings.formats.fesa.published import days_text, looks_like_published, read_published, write_published
from ratings.formats.parsed import Cell

TODAY = dt.date(2026, 11, 21)
REAL = Path(__file__).resolve().parents[4] / "shared" / "real"

# the name columns are as wide as the longest names, 17 and 10; Nat stands at 17 + 10 + 5
PLAIN = (
    "2026 Sample Open : 2026-03-07/08\n"
    "Nr Name                         Nat  Grade  ELO    1   2   3  Pts   +/-\n"
    " 1 Muster            Anna       DE   2 Dan  1887   3+  2=  0+  5/2    -3\n"
    " 2 Le Grand Beispiel Jan Pieter NL  10 Kyu   801   0-  1=  3+  3/2  +150\n"
    " 3 Novák             Petra      CZ          1045*  1-  0=  2-  1/2  \n"
    "\n"
    "Promoting Le Grand Beispiel Jan Pieter to 9 Kyu\n"
)
HANDICAP = """Cup : 2026-03-08
Nr Name         Nat  Grade  ELO    1        2      MMS Pts   +/-
 1 Muster Anna  DE   2 Dan  1887   2+(-r )  3+       2  4    +7
 2 Novak  Petra CZ   1 Kyu  1601   1-(+r )  0-       1  1   -12
 3 Dupont Luc   FR          1045*  0-       1-       0  0  
"""


def read(text, encoding="utf-8"):
    table, problems = read_published(text.encode(encoding), TODAY)
    return table, [str(problem) for problem in problems.sorted_by_position()]


@pytest.mark.parametrize("encoding", ["utf-8", "latin-1"])
def test_plain_table_is_read_whole(encoding):
    table, problems = read(PLAIN, encoding)
    assert problems == []
    assert (table.name, table.first_day, table.last_day, table.published) == (
        "2026 Sample Open",
        dt.date(2026, 3, 7),
        dt.date(2026, 3, 8),
        True,
    )
    assert [
        (r.number, r.family, r.given, r.country, r.grade, r.rating, r.starred, r.points, r.change, r.promoted)
        for r in table.rows
    ] == [
        (1, "Muster", "Anna", "DE", "2 Dan", 1887, False, 2.5, -3, None),
        (2, "Le Grand Beispiel", "Jan Pieter", "NL", "10 Kyu", 801, False, 1.5, 150, "9 Kyu"),
        (3, "Novák", "Petra", "CZ", None, 1045, True, 0.5, None, None),
    ]
    assert table.rows[0].cells == [Cell(3, 1), Cell(2, 0.5), Cell(0, 1)]


def test_handicaps_and_macmahon_are_read():
    table, problems = read(HANDICAP)
    assert problems == []
    assert [row.macmahon for row in table.rows] == [2, 1, 0]
    assert table.rows[0].cells == [Cell(2, 1, "r", gave=True), Cell(3, 1)]
    assert [row.change for row in table.rows] == [7, -12, None]


@pytest.mark.parametrize("text", [PLAIN, HANDICAP])
def test_written_table_is_the_same_byte_for_byte(text):
    table, _ = read(text)
    assert write_published(table) == text


@pytest.mark.skipif(not REAL.is_dir(), reason="the real tables are not beside this checkout")
@pytest.mark.parametrize("name", ["published-2024a.txt", "published-2025.txt"])
def test_real_tables_are_written_byte_for_byte(name):
    data = (REAL / name).read_bytes()
    table, problems = read_published(data, TODAY)
    assert problems.all == []
    assert write_published(table).encode() == data


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        (" : 2026-03-07/08", "", ["line 1: error: the title has no date; it ends in “ : 2024-04-20/21” or"
         " “, 2024-04-20 to 2024-04-21”"]),
        ("2026-03-07/08", "2027-03-07/08", ["line 1: error: the last day 2027-03-08 is in the future"]),
        (" -3\n", "\n", ["line 3: error: row 1: after the results come MMS (if any), Pts and +/-; a row with * has no"
         " +/-"]),
        ("1887 ", "188x ", ["line 3: error: not a row of a published table: “1 Muster            Anna       DE   2 Dan  188x   ”"]),
        ("Promoting Le Grand Beispiel", "Promoting Somebody", ["line 7: error: Promoting Somebody Jan Pieter: this name"
         " is in no row of the table"]),
        ("\n 2 Le", "\n 1 Le", ["line 4: error: row 1: the number 1 is used twice"]),
    ],
)  # fmt: skip
def test_errors_name_line_and_row(old, new, expected):
    assert old in PLAIN
    _, problems = read(PLAIN.replace(old, new))
    assert [p for p in sorted(problems) if "error" in p] == sorted(expected)


@pytest.mark.parametrize(
    ("first", "last", "text"),
    [
        ("2024-04-20", "2024-04-20", "2024-04-20"),
        ("2024-04-20", "2024-04-21", "2024-04-20/21"),
        ("2024-04-30", "2024-05-01", "2024-04-30/05-01"),
        ("2024-12-31", "2025-01-01", "2024-12-31/2025-01-01"),
    ],
)
def test_days_are_written_with_what_differs(first, last, text):
    assert days_text(dt.date.fromisoformat(first), dt.date.fromisoformat(last)) == text


def test_published_table_is_recognised():
    assert looks_like_published(PLAIN.encode())
    assert not looks_like_published(b"[Cup, Town, France, 2026-03-08]\n[2026-03-08]\n1 [A][B] FR [0+] 1\n")
    assert not looks_like_published(b"")
