"""Pairings as pairing programs export them, with White and Black in columns."""

import pytest

from ratings.formats.spreadsheet.table import looks_like_csv, read_csv, read_xlsx, write_xlsx
from tests.formats.spreadsheet.test_table import book
from tests.formats.test_samples import HEAD, TODAY


def read(*lines):
    table, problems = read_csv("\n".join(lines).encode(), HEAD, TODAY)
    return table, [str(problem) for problem in problems.all if "twice" not in problem.message]


def cells(table):
    return {row.family: [cell.typed for cell in row.cells] for row in table.rows}


@pytest.mark.parametrize(
    ("result", "won", "lost"),
    [
        ("1-0", "2+/w", "1-/b"), ("0 - 1", "2-/w", "1+/b"), ("½-½", "2=/w", "1=/b"), ("0,5:0,5", "2=/w", "1=/b"), ("1", "2+/w", "1-/b"),
        ("B+R", "2-/w", "1+/b"), ("W+3.5", "2+/w", "1-/b"), ("white", "2+/w", "1-/b"), ("Jigo", "2=/w", "1=/b"),
        ("+ - -", "2+!/w", "1-!/b"), ("- - +", "2-!/w", "1+!/b"), ("+:-", "2+!/w", "1-!/b"), ("---", "2-!/w", "1-!/b"),
    ],
)  # fmt: skip
def test_results_are_from_left_to_right_or_name_the_winner(result, won, lost):
    table, problems = read("Round;White;Result;Black", f"1;Adler;{result};Brand")
    assert (cells(table), [problem for problem in problems if "error" in problem]) == (
        {"Adler": [won], "Brand": [lost]}, [],
    )  # fmt: skip


def test_black_on_the_left_is_the_player_of_the_result():
    table, problems = read("Round,Black,White,Result", "1,Adler,Brand,1-0", "2,Brand,Adler,W+R")
    assert (cells(table), problems) == (
        {"Adler": ["2+/b", "2+/w"], "Brand": ["1-/w", "1-/b"]},
        ["line 2: warning: row 1, round 2: Adler and Brand meet a second time"],
    )


def test_bye_in_either_column_has_no_opponent():
    table, problems = read(
        "Round\tWhite\tBlack\tResult", "1\tAdler\tBrand\t1-0", "1\tCapek\tbye\t1", "2\tspielfrei\tAdler\t0-1",
        "2\tBrand\tCapek\t1-0",
    )  # fmt: skip
    assert (cells(table), problems) == (
        {"Adler": ["2+/w", "0+"], "Brand": ["1-/b", "3+/w"], "Capek": ["0+", "2-/b"]}, [],
    )  # fmt: skip


def test_repeated_header_rows_and_round_lines_are_no_games():
    table, problems = read(
        "Round 1", "Bo.,White,Result,Black", "1,Adler,1-0,Brand", "Round 2 on 2026-03-08", "Bo.,White,Result,Black",
        "1,Brand,½-½,Adler",
    )  # fmt: skip
    assert (cells(table), problems) == (
        {"Adler": ["2+/w", "2=/b"], "Brand": ["1-/b", "1=/w"]},
        ["line 3: warning: row 1, round 2: Adler and Brand meet a second time"],
    )


def test_columns_that_programs_add_are_ignored_and_others_named():
    _table, problems = read("Bo.,Round,No.,White,Rtg,Pts,Result,Pts,Black,Rtg,Mood", "1,1,1,Adler,,,1-0,,Brand,,good")
    assert problems == ["line 1: warning: the column “Mood” was not read"]


def test_invalid_result_keeps_its_text_and_position():
    table, problems = read("Round;White;Result;Black", "1;Adler;1-0;Brand", "2;Brand;x;Adler")
    assert [problem for problem in problems if "error" in problem] == [
        "line 3: error: round 2: “x” is not a result; write 1, 0 or ½, or 1-0, 0-1, ½-½, from the player's side"
    ]
    assert [row.cells[1].text for row in table.rows if not row.cells[1].readable] == ["1 x"]


def test_workbook_with_white_and_black_is_read():
    data = book(["Round 1"], ["White", "Result", "Black"], ["Adler, Ina", "1-0", "Brand, Leo"])
    table, problems = read_xlsx(data, HEAD, TODAY)
    assert ([(row.family, row.given) for row in table.rows], problems.all) == ([("Adler", "Ina"), ("Brand", "Leo")], [])
    again, _problems = read_xlsx(write_xlsx(table), HEAD, TODAY)
    assert cells(again) == {"Adler": ["2+/w"], "Brand": ["1-/b"]}


def test_sheet_with_white_and_black_but_no_result_is_no_pairing():
    assert not looks_like_csv(b"White,Black\nAdler,Brand\n")
