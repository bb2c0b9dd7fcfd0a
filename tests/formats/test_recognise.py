import datetime as dt
import io
import json
import zipfile

import pytest

from ratings.formats.parsed import Cell
from ratings.formats.recognise import detect_format, read_results_file
from ratings.formats.spreadsheet.templates import template_xlsx
from tests.formats.test_samples import HEAD, SAMPLES, TODAY

GAMES = [
    {"round": 1, "a": "p1", "b": "p2", "score": 1, "handicap": "r", "giver": "a"},
    {"round": 1, "a": "p3", "b": None, "score": 1, "played": False},
    {"round": 2, "a": "p3", "b": "p1", "score": 0.5},
    {"round": 2, "a": "p2", "b": "p3", "score": 0, "played": False},
]
PLAYERS = [{"id": "p1", "name": "Muster, Anna", "country": "DE"}, {"id": "p2", "name": "Novák, Petra"}, {"id": "p3"}]


def history(games=GAMES[:3], players=PLAYERS, tables=1, **more):
    table = {"id": "t", "event": "Spring Cup", "date": "2026-03-07", "end_date": "2026-03-08",
             "players": [player["id"] for player in players], "games": games} | more  # fmt: skip
    document = {"format": "ratings-history/1", "system": "fesa-2016", "players": players,
                "tables": [table | {"id": f"t{n}"} for n in range(tables)]}  # fmt: skip
    return json.dumps(document).encode()


def zipped(*names):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name in names:
            archive.writestr(name, "x")
    return stream.getvalue()


def problems(data):
    return [str(problem) for problem in read_results_file(data, HEAD, TODAY).problems.all]


@pytest.mark.parametrize(
    ("data", "form"),
    [(history(), "history"), (b"\xef\xbb\xbf {", "history"), (template_xlsx(), "xlsx"), (b"", "unknown"),
     (b"Hello", "unknown"), (b"x" * 2_000_001, "unknown")]
    + [((SAMPLES / form / file).read_bytes(), form.split("-")[0]) for form, file in
       [("grid", "good.txt"), ("published", "good.txt"), ("trf", "good.trf"), ("h9", "good.h9"),
        ("csv-crosstable", "good.csv"), ("csv-games", "good.csv")]],
)  # fmt: skip
def test_forms_are_recognised(data, form):
    assert detect_format(data) == form
    assert read_results_file(data, HEAD, TODAY).format == form


SAVE = "save it as .xlsx or CSV"
PICTURE = "error: this is a picture; type the results into the template or the portal's crosstable"


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "error: the file is empty"),
        (b" \n ", "error: the file is empty"),
        (b"x" * 2_000_001, "error: the file has 2,000,001 bytes or more; at most 2,000,000 are read"),
        (b"Dear all, here are the results", "error: unknown format: expected American Grid, a published FESA table,"
         " TRF, .h9, .tou, OpenGotha, MacMahon, .rif, AGA results, a crosstable or a list of games as CSV or .xlsx, or ratings-history/1"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", f"error: this is an old Excel or Word file; open it and {SAVE}"),
        (b"%PDF-1.7", f"error: this is a PDF, from which no table can be read; take the file it was made from and {SAVE}"),
        (b"\x89PNG\r\n", PICTURE),
        (b"\xff\xd8\xff\xe0", PICTURE),
        (b"GIF89a", PICTURE),
        (b"{\\rtf1", "error: this is a text document; save it as plain text"),
        (b"<!DOCTYPE html>", "error: this is a web page; copy its table into a spreadsheet and save that as .xlsx or CSV"),
        (zipped("a.txt"), f"error: this is a zip archive without a workbook; unpack it and upload the results file in it, or {SAVE}"),
        (zipped("content.xml"), f"error: this is an OpenDocument file; open it and {SAVE}"),
        (zipped("word/document.xml"), f"error: this is a Word document; copy its table into a spreadsheet and {SAVE}"),
        (b"PK\x03\x04", f"error: this is a damaged workbook or archive; save it again, or {SAVE}"),
    ],
)  # fmt: skip
def test_files_without_results_explain_what_to_do(data, message):
    assert read_results_file(data, HEAD, TODAY).table is None
    assert problems(data) == [message]


def test_history_of_one_table_is_read_whole():
    found = read_results_file(history(GAMES), HEAD, TODAY)
    assert problems(history(GAMES)) == [
        "error: p3 has several games in this round".replace("error: ", "error: row 3, round 2: ")]  # fmt: skip
    found = read_results_file(history(minutes=60), HEAD, TODAY)
    assert found.problems.all == []
    assert (found.table.name, found.table.first_day, found.table.last_day, found.table.time_control) == (
        "Spring Cup", dt.date(2026, 3, 7), dt.date(2026, 3, 8), "60 minutes")  # fmt: skip
    assert [(r.number, r.family, r.given, r.country) for r in found.table.rows] == [
        (1, "Muster", "Anna", "DE"), (2, "Novák", "Petra", ""), (3, "p3", "", "")]  # fmt: skip
    assert [row.cells for row in found.table.rows] == [
        [Cell(2, 1, "r", gave=True), Cell(3, 0.5)],
        [Cell(1, 0, "r"), Cell(0, 0)],
        [Cell(0, 1), Cell(1, 0.5)],
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (history(tables=2), ["error: the history has 2 tables; a results file has exactly one: write one file per table"]),
        (history(tables=0), ["error: the history has 0 tables; a results file has exactly one: write one file per table"]),
        (history([{}] * 40_000), ["error: its lists have 40,007 entries; a results file has at most 40,000"]),
        (history(event="a" * 1_001), ["error: a name has more than 1,000 letters"]),
        (history([{}] * 5_001), ["error: 10,002 keys and values are missing or wrong; is this ratings-history/1 at all?"]),
        (b"{", ["error: not JSON in UTF-8: Expecting property name enclosed in double quotes: line 1 column 2 (char 1)"]),
        (history([], [], date="2027-03-07", end_date=None), ["error: the last day 2027-03-07 is in the future",
         "error: the table has no players"]),
        (history([{"round": 31, "a": "p1", "b": "p2", "score": 1}]), ["error: round 31 is not one of 1 to 30"]),
        (history([{"round": 1, "a": "p1", "b": "p2", "score": 1, "board": 13}], PLAYERS[:2], under_21=["p1"]), [
         "warning: fixed ratings, ages, overtime, board sizes, online and correspondence games have no place in a"
         " crosstable and were not read"]),
        (history([{"round": 1, "a": "p1", "b": "p2", "score": 1}], [{"id": "p1", "name": "Anna van Muster"},
         {"id": "p2", "name": "Solo"}]), ["warning: 1 names have no comma between last and first name: the last word was"
         " read as the first name"]),
    ],
)  # fmt: skip
def test_histories_report_what_a_crosstable_cannot_hold(data, expected):
    assert problems(data) == expected


def test_number_of_reported_problems_is_limited():
    text = "Nr,Name,1\n" + "x,A,0-\n" * 600
    actual = problems(text.encode())
    assert (len(actual), actual[-1]) == (501, "error: and 100 more; correct these first")


def test_problems_beyond_the_limit_are_counted():
    text = "Round,Player,Opponent,Result\n" + "x,A,B,1\n" * 20_000
    actual = problems(text.encode())
    assert (len(actual), actual[-1]) == (501, "error: and 19,500 more; correct these first")


def test_too_many_lines_are_refused():
    assert problems(b"Nr,Name,1\n" + b"\n" * 50_000) == ["error: the file has 50,002 lines; at most 50,000 are read"]


def test_places_of_some_players_only_are_left_out():
    """FIDE's column 86 to 89 has the place."""
    lines = [
        f"001 {number:>4}      {name:<33} 1500 GER {'':11} {'':10} {points:>4} {place:>4}  {other:>4} w {sign}"
        for number, name, points, place, other, sign in (
            (1, "A, B", "1.0", "1", 2, "1"),
            (2, "C, D", "0.0", "", 1, "0"),
        )
    ]
    found = read_results_file("\n".join(lines).encode(), HEAD, TODAY)
    assert [row.place for row in found.table.rows] == [None, None]
    assert "some players have no place in the file, so its places were ignored" in [
        problem.message for problem in found.problems.all
    ]
