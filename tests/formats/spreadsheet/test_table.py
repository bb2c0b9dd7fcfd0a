import datetime as dt
import io
import zipfile

import openpyxl
import pytest

from ratings.formats.fesa.grid import read_grid
from ratings.formats.parsed import Cell
from ratings.formats.spreadsheet.table import (
    looks_like_csv,
    looks_like_xlsx,
    read_csv,
    read_xlsx,
    write_csv,
    write_xlsx,
)
from ratings.formats.spreadsheet.templates import template_csv, template_xlsx
from tests.formats.fesa.test_grid import GOOD
from tests.formats.tables import errors, without_lines
from tests.formats.test_samples import EXPECTED, HEAD, SAMPLES, TODAY, list_problems
from tests.limits import Costs
from tests.mutations import packed, parts_of

GAMES = (SAMPLES / "csv-games" / "good.csv").read_bytes()
TITLES = ["Nr", "Last name", "First name", "1", "Points"]


def book(*lines, more=()):
    made = openpyxl.Workbook()
    for line in lines:
        made.active.append(line)
    for title in more:
        made.create_sheet(title).append(["x"])
    stream = io.BytesIO()
    made.save(stream)
    return stream.getvalue()


def zipped(members):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text)
    return stream.getvalue()


def as_book(file, folder):
    """A CSV sample as a workbook of texts."""
    text = (SAMPLES / folder / file).read_bytes().decode("utf-8-sig")
    delimiter = ";" if folder == "csv-games" and "Turnier;" in text else ","
    return book(*[line.split(delimiter) for line in text.split("\n")])


PLAIN = [
    (form, file) for form, file in EXPECTED
    if form.startswith("csv") and not file.startswith(("good", "quotation", "accents", "no-break", "empty", "template"))
]  # fmt: skip


@pytest.mark.parametrize(("form", "file"), PLAIN)
def test_workbooks_give_the_problems_of_the_same_sheet_as_csv(form, file):
    _, problems = read_xlsx(as_book(file, form), HEAD, TODAY)
    assert list_problems(problems) == sorted(EXPECTED[form, file], key=str)


def test_list_of_games_is_read_whole():
    table, problems = read_csv(GAMES, HEAD, TODAY)
    assert problems.all == []
    assert [(r.number, r.family, r.given, r.line) for r in table.rows] == [
        (1, "Muster", "Anna", 5),
        (2, "Novák", "Petra", 5),
        (3, "van Beispiel", "Jan", 6),
        (4, "Dupont", "Luc", 6),
    ]
    assert [row.cells for row in table.rows] == [
        [Cell(2, 1), Cell(3, 1, "r", gave=True), Cell(0, 1)],
        [Cell(1, 0), Cell(4, 1), Cell(3, 0.5)],
        [Cell(4, 1), Cell(1, 0, "r"), Cell(2, 0.5)],
        [Cell(3, 0), Cell(2, 0), Cell(0, 0)],
    ]


def test_numbers_of_a_workbook_are_whole_and_formulas_are_what_was_stored():
    data = book(["Nr", "Last name", "First name", 1, "Points"], [1.0, "A", "B", "2+", 1.0], [2, "C", "D", "1-", "=1-1"])
    table, problems = read_xlsx(data, HEAD, TODAY)
    assert (errors(problems), [(row.number, row.points) for row in table.rows]) == ([], [(1, 1), (2, None)])


def test_result_that_became_a_date_is_reported():
    _, problems = read_xlsx(book(TITLES, [1, "A", "B", dt.date(2026, 2, 1), 0]), HEAD, TODAY)
    assert errors(problems) == [
        "line 2: error: row 1, round 1: the spreadsheet turned a result into the date “2026-02-01”; format the column as"
        " text and type the result again"
    ]


def test_texts_that_look_like_formulas_stay_texts():
    table, _ = read_grid(GOOD.encode("latin-1"), TODAY)
    table.rows[0].family, table.rows[1].given, table.name = "=1+1", "@SUM(A1)", "-cmd"
    text = write_csv(table)
    assert "'=1+1" in text
    assert "'@SUM(A1)" in text
    assert text.startswith("Event,'-cmd\n")
    sheet = openpyxl.load_workbook(io.BytesIO(write_xlsx(table))).active
    assert {cell.data_type for row in sheet.iter_rows() for cell in row} <= {"s", "n"}
    for again, _ in (read_csv(text.encode(), HEAD, TODAY), read_xlsx(write_xlsx(table), HEAD, TODAY)):
        assert without_lines(again) == without_lines(table)


def test_simultaneous_display_survives_a_round_trip():
    table, _ = read_csv((SAMPLES / "csv-crosstable" / "good-simultaneous.csv").read_bytes(), HEAD, TODAY)
    again, problems = read_xlsx(write_xlsx(table), HEAD, TODAY)
    assert (problems.all, without_lines(again)) == ([], without_lines(table))


@pytest.mark.parametrize("data", [template_csv().encode(), template_xlsx()])
def test_unchanged_template_is_refused_and_a_filled_one_is_read(data):
    read = read_xlsx if looks_like_xlsx(data) else read_csv
    assert errors(read(data, HEAD, TODAY)[1]) == [
        "error: no player rows: write one row per player below the header row; if this is the template, fill it in (lines"
        " that begin with # are not read)"
    ]
    if read is read_csv:
        filled = data + b"1,A,B,DE,,,2+,0-,0-,0-,0-,1\n2,C,D,DE,N,,1-,0-,0-,0-,0-,0\n"
        assert errors(read(filled, HEAD, TODAY)[1]) == []


def test_first_sheet_with_lines_is_read():
    _, problems = read_xlsx(book(TITLES, [1, "A", "B", "2+"], [2, "C", "D", "1-"], more=["other"]), HEAD, TODAY)
    assert [str(p) for p in problems.all] == [
        "warning: the workbook has several sheets; the first one with a table was read"
    ]


BROKEN = "error: the workbook cannot be read; open it in a spreadsheet program and save it again as .xlsx, or as CSV"
LAUGHS = (
    '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><workbook xmlns="http://schemas.'
    'openxmlformats.org/spreadsheetml/2006/main"><sheets>&b;</sheets></workbook>'
)


def changed(part, before, more):
    """A sound workbook with something more in one of its parts."""
    parts = parts_of(book(TITLES, [1, "A", "B", "0-"]))
    parts[part] = parts[part].replace(before, more + before, 1)
    return packed(parts)


def lying():
    """A workbook whose formats are far larger than they tell."""
    parts = parts_of(book(TITLES, [1, "A", "B", "0-"]))
    size = len(parts["xl/styles.xml"])
    return packed(
        parts | {"xl/styles.xml": parts["xl/styles.xml"] + b" " * 250_000_000}, stated_sizes={"xl/styles.xml": size}
    )


def test_workbook_part_with_a_wrong_size_is_not_unpacked():
    data = lying()
    with Costs() as costs:
        table, problems = read_xlsx(data, HEAD, TODAY)
    assert (errors(problems), len(table.rows), costs.beyond) == ([], 1, "")


def entities():
    """A sound workbook whose sheet declares entities."""
    with zipfile.ZipFile(io.BytesIO(book(TITLES))) as archive:
        parts = {name: archive.read(name).decode() for name in archive.namelist()}
    sheet = parts["xl/worksheets/sheet1.xml"]
    parts["xl/worksheets/sheet1.xml"] = f'<!DOCTYPE x [<!ENTITY a "ha">]>{sheet.replace("Points", "&a;")}'
    return zipped(parts)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "error: this is not a workbook; save it as .xlsx or as CSV"),
        (b"PK\x03\x04", "error: this is not a workbook; save it as .xlsx or as CSV"),
        (zipped({"a.txt": "x"}), "error: this is not a workbook; save it as .xlsx or as CSV"),
        (zipped({"xl/workbook.xml": "x"}), BROKEN),
        (zipped({"xl/workbook.xml": LAUGHS}), BROKEN),
        (entities(), BROKEN),
        (zipped({"xl/workbook.xml": "x" * 21_000_000}),
         "error: the workbook is larger than 5,000,000 bytes when unpacked; copy the table to a new one"),
        (zipped({"xl/workbook.xml": "x" * 2_000_000}),
         "error: the workbook is packed more tightly than any table is; copy the table to a new one"),
        (zipped({"xl/workbook.xml": "x"} | {f"{n}": "" for n in range(200)}),
         "error: the workbook has 201 parts, at most 200 are read; copy the table to a new one"),
        (b"PK" + b"\0" * 2_000_000, "error: the file has 2,000,002 bytes or more; at most 2,000,000 are read"),
        (packed(parts_of(book(TITLES)), zipfile.ZIP_BZIP2), BROKEN),
        (changed("xl/workbook.xml", b"</sheets>", b'<sheet name="x" sheetId="9" state="visible" r:id="rId1"/>'), BROKEN),
        (changed("xl/workbook.xml", b"</sheets>", b"<sheet/>" * 2_000),
         "error: the workbook has more texts, formats or names than any table needs; copy the table to a new one"),
        (changed("xl/styles.xml", b"</cellXfs>", b"<xf/>" * 20_000),
         "error: the workbook has more texts, formats or names than any table needs; copy the table to a new one"),
        (changed("xl/worksheets/sheet1.xml", b"</sheetData>", b"".join(b"<c>%d</c>" % n for n in range(210_000))),
         "error: the workbook's sheets are larger than any table; copy the table to a new one"),
        (book(TITLES, [1, "A" * 999, "B"]), "line 2: error: the line has more than 1,000 characters; shorten its texts"),
        (book(), "error: the workbook is empty"),
        (book(["x"] * 61), "line 1: error: more than 60 columns; delete what does not belong to the table"),
        (book(*[["x"]] * 1_021), "error: more than 1,020 lines; at most 1,000 players are read"),
        (book(["a", "b"]), "error: no header row: a crosstable has the columns Nr, Last name, First name, Country, 1, 2, 3"
         " …, Points; a list of games Round, Player, Opponent, Result"),
    ],
)  # fmt: skip
def test_workbooks_that_cannot_or_must_not_be_read_are_refused(data, message):
    table, problems = read_xlsx(data, HEAD, TODAY)
    assert (table, errors(problems)) == (None, [message])


def test_too_many_players_are_refused():
    text = "Nr,Name,1\n" + "".join(f"{n},A{n},0-\n" for n in range(1, 1_002))
    assert errors(read_csv(text.encode(), HEAD, TODAY)[1]) == ["error: 1,001 rows; at most 1,000 players"]


def test_sheets_are_recognised():
    assert looks_like_csv(GAMES)
    assert looks_like_csv(template_csv().encode())
    assert not looks_like_csv(GOOD.encode())
    assert looks_like_xlsx(template_xlsx())
    assert not looks_like_xlsx(zipped({"a.txt": "x"}))


@pytest.mark.parametrize(
    ("filled", "rounds", "hints"),
    [
        (2, 2, ["rounds 3 to 5 are empty and are left out"]),
        (4, 4, ["round 5 is empty and is left out"]),
        (5, 5, []),
    ],
)
def test_unused_rounds_of_a_filled_template_are_left_out_with_one_hint(filled, rounds, hints):
    """Organisers' finding 14: a tournament of three rounds in a template of five."""
    empty = "," * (5 - filled)
    rows = [("1,Adler,Anna,DE,,", "2+"), ("2,Bach,Ben,DE,,", "1-")]
    lines = [f"{start},{','.join([cell] * filled)}{empty}," for start, cell in rows]
    table, problems = read_csv((template_csv() + "\n".join(lines)).encode(), HEAD, TODAY)
    assert (table.rounds, [p.message for p in problems.all if p.level == "hint"]) == (rounds, hints)
    assert not [p for p in problems.all if "nobody has a game" in p.message or "nothing stands" in p.message]


def test_column_of_places_beside_the_numbers_holds_official_places():
    """Without a column of numbers, that of the places numbers the rows, as before."""
    lines = (["Rank", "Nr", "Last name", "1"], ["2.", 1, "Adler", "2+"], ["1", 2, "Berg", "1-"])
    table, problems = read_xlsx(book(*lines), HEAD, TODAY)
    assert ([row.place for row in table.rows], problems.fatal) == ([2, 1], False)
    written, _problems = read_csv(write_csv(table).encode(), HEAD, TODAY)
    assert [(row.number, row.place) for row in written.rows] == [(1, 2), (2, 1)]
    table, _problems = read_xlsx(book(*([row[0], *row[2:]] for row in lines[:1] + lines[:0:-1])), HEAD, TODAY)
    assert [(row.number, row.place) for row in table.rows] == [(1, None), (2, None)]


def test_column_of_places_with_another_text_is_shown_as_it_stands():
    lines = (["Nr", "Last name", "1", "Place"], [1, "Adler", "2+", "winner"], [2, "Berg", "1-", "2"])
    table, problems = read_xlsx(book(*lines), HEAD, TODAY)
    assert table.rows[0].texts == {"place": "winner"}
    assert "invalid official place “winner”: expected a whole number from 1" in [
        problem.message for problem in problems.all
    ]
