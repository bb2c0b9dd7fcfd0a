"""Reports for US Chess, read again with the package dbf."""

import datetime as dt
import io
import zipfile
from dataclasses import replace
from pathlib import Path

import dbf
import pytest
from hypothesis import HealthCheck, given, settings

from ratings.formats.lossless import lossless_formats
from ratings.formats.parsed import Cell, ParsedRow, ParsedTable
from ratings.formats.us_chess.dbf import write_dbf
from ratings.formats.us_chess.report import BYES, FORFEITS, LETTERS, holds_report, write_report
from tests.formats.tables import change_table, colours, tables, words
from tests.thorough import share

DAY = dt.date(2026, 3, 8)


def make_table():
    rows = [
        ParsedRow(1, 0, "Muster", "Anna", "US", rating=2101, outside={"uscf": "12345678"}),
        ParsedRow(2, 0, "Beispiel", "Jan", "NL", rating=-5),
        ParsedRow(3, 0, "Novak", "", "CZ"),
    ]
    rows[0].cells = [Cell(2, 1, black=False), Cell(3, 0.5, black=True), Cell(0, 1, forfeit=2)]
    rows[1].cells = [Cell(1, 0, black=True), Cell(0, 0.5), Cell(0, 0, forfeit=1)]
    rows[2].cells = [Cell(0, 1), Cell(1, 0.5, black=False), Cell(0, 0)]
    return ParsedTable("Spring Cup", dt.date(2026, 3, 7), DAY, rows, "Springfield", "United States of America", code="US",
                       minutes=60, increment=30)  # fmt: skip


def unpack(table):
    with zipfile.ZipFile(io.BytesIO(write_report(table))) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def read_by_dbf(table, folder):
    """Return the records of the three tables, without blank fields, as the package reads them."""
    read = {}
    for name, data in unpack(table).items():
        file = Path(folder) / name
        file.write_bytes(data)
        with dbf.Table(str(file)) as opened:
            fields = [str(field) for field in opened.field_names]
            records = [{field: str(record[field]).strip() for field in fields} for record in opened]
            read[name] = [{key: text for key, text in record.items() if text} for record in records]
    return read


def test_dbf_reads_event_section_and_players(tmp_path):
    read = read_by_dbf(make_table(), tmp_path)
    assert read == {
        "THEXPORT.DBF": [{"H_FORMAT": "2C", "H_NAME": "Spring Cup", "H_TOT_SECT": "1", "H_BEG_DATE": "20260307",
                          "H_END_DATE": "20260308", "H_CITY": "Springfield", "H_COUNTRY": "USA"}],
        "TSEXPORT.DBF": [{"S_SEC_NUM": "1", "S_SEC_NAME": "Spring Cup", "S_R_SYSTEM": "R", "S_TIMECTL": "G/60;+30",
                          "S_TRN_TYPE": "S", "S_TOT_RNDS": "3", "S_LST_PAIR": "3", "S_BEG_DATE": "20260307",
                          "S_END_DATE": "20260308"}],
        "TDEXPORT.DBF": [
            {"D_SEC_NUM": "1", "D_PAIR_NUM": "1", "D_MEM_ID": "12345678", "D_NAME": "MUSTER, ANNA", "D_RATING": "2101",
             "D_RND01": "W2W", "D_RND02": "D3B", "D_RND03": "X0"},
            {"D_SEC_NUM": "1", "D_PAIR_NUM": "2", "D_NAME": "BEISPIEL, JAN",
             "D_RND01": "L1B", "D_RND02": "H0", "D_RND03": "F0"},
            {"D_SEC_NUM": "1", "D_PAIR_NUM": "3", "D_NAME": "NOVAK", "D_RND01": "B0", "D_RND02": "D1W", "D_RND03": "U0"},
        ],
    }  # fmt: skip


POINTS = {text[0]: points for codes in (BYES, FORFEITS) for points, text in codes.items()}


def read_cell(text):
    """Return a round's field as a cell without the opponents of games won by default."""
    if text.endswith("0"):
        return Cell(0, POINTS[text[0]])
    return Cell(int(text[1:-1]), {letter: points for points, letter in LETTERS.items()}[text[0]], black=text[-1] == "B")


plain = words("abcdeABCDE").map(str.title)


@settings(max_examples=share(60, 20), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(tables(names=plain, conditions=colours))
def test_all_results_are_read_again(tmp_path, table):
    assert holds_report(table)
    players = read_by_dbf(table, tmp_path)["TDEXPORT.DBF"]
    assert [(int(p["D_PAIR_NUM"]), p["D_NAME"].title()) for p in players] == [
        (row.number, f"{row.family}, {row.given}".removesuffix(", ")) for row in table.rows
    ]
    assert [[read_cell(text) for key, text in p.items() if key.startswith("D_RND")] for p in players] == [
        row.cells for row in table.rows
    ]


def test_bytes_are_those_of_dbase_iii():
    data = write_dbf({"A": 2, "LONG_NAME": 3}, [{"A": "x"}, {"A": "xyz", "LONG_NAME": "1"}], DAY)
    head = b"\x03\x7e\x03\x08" + b"\x02\0\0\0" + b"\x61\0" + b"\x06\0" + b"\0" * 20
    fields = (
        b"A".ljust(11, b"\0")
        + b"C\0\0\0\0\x02\0"
        + b"\0" * 14
        + b"LONG_NAME".ljust(11, b"\0")
        + b"C\0\0\0\0\x03\0"
        + b"\0" * 14
    )
    assert data == head + fields + b"\r" + b" x    " + b" xy1  " + b"\x1a"


@pytest.mark.parametrize(
    ("minutes", "increment", "system", "control"),
    [(None, None, "", None), (90, 30, "R", "G/90;+30"), (60, 5, "D", "G/60;+5"), (60, None, "D", None), (25, 5, "D", "G/25;+5"),
     (10, 2, "Q", "G/10;+2"), (5, 3, "D", "G/5;+3"), (1, None, "", None)],
)  # fmt: skip
def test_rating_system_follows_from_the_time_control(minutes, increment, system, control, tmp_path):
    table = make_table()
    table.minutes, table.increment = minutes, increment
    section = read_by_dbf(table, tmp_path)["TSEXPORT.DBF"][0]
    assert (section.get("S_R_SYSTEM", ""), section.get("S_TIMECTL")) == (system, control)


def test_all_against_all_is_a_round_robin(tmp_path):
    table = make_table()
    table.rows[0].cells[2] = Cell(0, 0)
    table.rows[1].cells[2], table.rows[2].cells[2] = Cell(3, 0, black=True), Cell(2, 1, black=False)
    assert read_by_dbf(table, tmp_path)["TSEXPORT.DBF"][0]["S_TRN_TYPE"] == "R"


def change(**changes):
    return change_table(make_table(), **changes)


@pytest.mark.parametrize(
    "table",
    [change(family="Łoś"), change(family="de Muster"), change(family="Muster, Anna"), change(given="A" + "a" * 30), change(family=""),
     change(macmahon=1.0), change(simultaneous=True), change(cells=[Cell(2, 1)] * 3), change(last_day=dt.date(1899, 1, 1)),
     change(cells=[Cell(2, 1, black=True, stones=2)] * 3)],
)  # fmt: skip
def test_tables_that_would_lose_data_are_not_offered(table):
    assert "uschess" in lossless_formats(make_table())
    assert "uschess" not in lossless_formats(table)


@pytest.mark.parametrize(
    ("name", "place", "section"),
    [("a" * 30, "b" * 21, "a" * 30), ("a" * 35, "", ""), ("Łódź", "Köln", "Lodz")],
)  # fmt: skip
def test_names_of_event_and_place_are_written_whole(name, place, section, tmp_path):
    table = replace(make_table(), name=name, place=place)
    assert holds_report(table)
    files = read_by_dbf(table, tmp_path)
    assert files["TSEXPORT.DBF"][0].get("S_SEC_NAME", "") == section
    assert files["THEXPORT.DBF"][0]["H_NAME"] == name.replace("Łódź", "Lodz")
    assert files["THEXPORT.DBF"][0].get("H_CITY", "") == place.replace("ö", "o")


@pytest.mark.parametrize("changes", [{"name": "a" * 36}, {"place": "b" * 22}, {"name": "Щ" * 18}])
def test_report_is_not_offered_where_a_name_would_be_cut(changes):
    assert not holds_report(replace(make_table(), **changes))
