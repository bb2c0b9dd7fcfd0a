"""OpenGotha's XML: what is read of it, what is written, and that the organiser's IP address never stays."""

import datetime as dt
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.event_head import Head
from ratings.formats.lossless import lossless_formats
from ratings.formats.opengotha.table import make_key, read_opengotha
from ratings.formats.opengotha.written import holds_table, write_opengotha
from ratings.formats.parsed import Cell, ParsedRow, ParsedTable
from ratings.formats.recognise import detect_format, remove_private_data
from tests.formats.tables import TODAY, colours, errors, even, stones, tables, without_lines, words
from tests.thorough import share

HEAD = Head("another", TODAY, TODAY)
SAMPLES = Path(__file__).parents[1] / "samples" / "opengotha"
few = settings(max_examples=share(60, 20))


def read(name="good.xml"):
    table, problems = read_opengotha((SAMPLES / name).read_bytes(), HEAD, TODAY)
    return table, errors(problems)


def test_good_file_is_read_whole():
    table, wrong = read()
    assert (wrong, table.place, table.time_control) == ([], "Sampletown", "60min, byo-yomi 30sec")
    assert [(row.name, row.grade, row.country, row.outside) for row in table.rows] == [
        ("Muster Anna", "5 Dan", "DE", {"egd": "10000017"}),
        ("van Beispiel Jan", "3 Dan", "NL", {}),
        ("Novák Petra", "10 Kyu", "CZ", {}),
        ("Dupont Luc", "12 Kyu", "GB", {}),  # written UK
    ]
    assert [row.cells for row in table.rows] == [
        [Cell(3, 1, stones=9, black=False), Cell(2, 1, stones=2, black=False), Cell(0, 1)],
        [Cell(4, 1, stones=9, black=False), Cell(1, 0, stones=2, black=True), Cell(3, 0.5, black=False)],
        [Cell(1, 0, stones=9, black=True), Cell(4, 0), Cell(2, 0.5, black=True)],
        [Cell(2, 0, stones=9, black=True), Cell(3, 1), Cell(0, 0)],
    ]


def test_games_by_default_keep_their_opponents():
    table, wrong = read("by-default.xml")
    assert wrong == []
    assert [(row.number, row.cells[1].points, row.cells[1].forfeit) for row in table.rows[2:]] == [(3, 0, 4), (4, 1, 3)]
    assert [(row.cells[2].points, row.cells[2].forfeit) for row in table.rows[1:3]] == [(0, 3), (0, 2)]


def test_games_without_result_keep_their_opponents():
    table, _wrong = read("no-result-yet.xml")
    assert [(row.cells[2].paired, row.cells[2].paired_black) for row in table.rows[1:3]] == [(3, False), (2, True)]


def test_half_points_follow_the_parameters():
    data = (SAMPLES / "good.xml").read_bytes()
    table, _problems = read_opengotha(data.replace(b'ValueAbsent="0"', b'ValueAbsent="1"'), HEAD, TODAY)
    assert table.rows[3].cells[2] == Cell(0, 0.5)
    table, _problems = read_opengotha(data.replace(b'ValueBye="2"', b'ValueBye="1"'), HEAD, TODAY)
    assert table.rows[0].cells[2] == Cell(0, 0.5)


@pytest.mark.parametrize(
    ("parameters", "text"),
    [('complementaryTimeSystem="FISCHER" fischerTime="10"', "60min + 10sec"), ('complementaryTimeSystem="SUDDENDEATH"', "60min"),
     ('complementaryTimeSystem="CANBYOYOMI" canByoYomiTime="300" nbMovesCanTime="15"', "60min, 15 moves in 300sec")],
)  # fmt: skip
def test_time_control_is_read(parameters, text):
    data = (SAMPLES / "good.xml").read_text("utf-8").replace('complementaryTimeSystem="STDBYOYOMI"', parameters)
    table, _problems = read_opengotha(data.encode(), HEAD, TODAY)
    assert table.time_control == text


def test_guessed_aga_ids_are_not_read():
    data = (
        (SAMPLES / "good.xml")
        .read_text("utf-8")
        .replace('agaId=""', 'agaId="99999"', 1)
        .replace('agaId=""', 'agaId="489"', 1)
    )
    table, _problems = read_opengotha(data.encode(), HEAD, TODAY)
    assert [row.outside for row in table.rows[:2]] == [{"egd": "10000017"}, {"aga": "489"}]


@pytest.mark.parametrize(("names", "key"), [(("Nemo", "André"), "NEMOANDRÉ"), (("van der  Aa", "Jo"), "VANDERAAJO")])
def test_keys_have_no_blanks_and_keep_accents(names, key):
    assert make_key(*names) == key


def test_keys_without_accents_name_the_only_player_who_has_them():
    """Old files have `NEMOANDRE` for `Némo André`."""
    table, wrong = read("good-ascii-keys.xml")
    good, _wrong = read()
    assert (wrong, without_lines(table)) == ([], without_lines(good))


def test_keys_without_accents_of_two_players_are_reported():
    text = (
        (SAMPLES / "good-ascii-keys.xml").read_text("utf-8").replace('"Dupont"', '"Nóvak"').replace('"Luc"', '"Petra"')
    )
    _table, problems = read_opengotha(text.encode(), HEAD, TODAY)
    assert any("no player “NOVAKPETRA”" in problem for problem in errors(problems))


def test_key_with_its_accents_is_preferred():
    text = (SAMPLES / "good.xml").read_text("utf-8").replace('"Dupont"', '"Novak"').replace('"Luc"', '"Petra"')
    table, problems = read_opengotha(text.replace("DUPONTLUC", "NOVAKPETRA").encode(), HEAD, TODAY)
    good, _wrong = read()
    assert (errors(problems), [row.cells for row in table.rows]) == ([], [row.cells for row in good.rows])


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("quote", ['"', "'"])
def test_ip_address_is_removed(quote, encoding):
    text = (SAMPLES / "good.xml").read_text("utf-8").replace('"192.0.2.77"', f"{quote}192.0.2.77{quote}")
    text = text.replace('encoding="UTF-8" ', "")
    cleaned = remove_private_data(text.encode(encoding))
    assert b"192.0.2.77" not in cleaned
    assert b'externalIPAddress=""' in cleaned
    assert detect_format(cleaned) == "opengotha"
    table, problems = read_opengotha(cleaned, HEAD, TODAY)
    assert (len(table.rows), errors(problems)) == (4, [])


@pytest.mark.parametrize("file", ["h9/good.h9", "csv-crosstable/good.csv", "xlsx/good.xlsx"])
def test_other_files_stay_to_the_byte(file):
    data = (SAMPLES.parent / file).read_bytes()
    assert remove_private_data(data) is data
    about = b'<Tournament externalIPAddress="192.0.2.77"/>'  # of another program
    assert remove_private_data(about) is about


def test_table_is_written_as_programs_read_it():
    rows = [
        ParsedRow(1, 0, "Muster", "Anna", "GB", cells=[Cell(2, 1, stones=2, black=False), Cell(0, 1)], grade="3 Dan",
                  outside={"egd": "10000017"}),
        ParsedRow(2, 0, "D'Oh & <Co>", 'Jo"', "", cells=[Cell(1, 0, stones=2, black=True), Cell(0, 0)]),
    ]  # fmt: skip
    table = ParsedTable(
        "Cup & Co", dt.date(2026, 3, 7), dt.date(2026, 3, 8), rows, "Gent", time_control="60min + 30sec"
    )
    lines = write_opengotha(table).splitlines()
    assert lines[:2] == [
        '<?xml version="1.0" encoding="UTF-8" standalone="no"?>',
        '<Tournament dataVersion="201" fullVersionNumber="3.51" runningMode="SAL" saveDT="20260308000000">',
    ]
    assert lines[3:5] == [
        '<Player agaExpirationDate="" agaId="" club="xxxx" country="UK" egfPin="10000017" ffgLicence="" ffgLicenceStatus="" '
        'firstName="Anna" grade="3D" name="Muster" participating="11111111111111111111" rank="3D" rating="2300" '
        'ratingOrigin="INI" registeringStatus="FIN" smmsCorrection="0"/>',
        '<Player agaExpirationDate="" agaId="" club="xxxx" country="" egfPin="" ffgLicence="" ffgLicenceStatus="" '
        'firstName="Jo&quot;" grade="30K" name="D\'Oh &amp; &lt;Co&gt;" participating="10111111111111111111" rank="30K" '
        'rating="-900" ratingOrigin="INI" registeringStatus="FIN" smmsCorrection="0"/>',
    ]  # fmt: skip
    assert lines[7:8] == [
        '<Game blackPlayer="D\'OH&amp;&lt;CO&gt;JO&quot;" handicap="2" knownColor="true" result="RESULT_WHITEWINS" '
        'roundNumber="1" tableNumber="1" whitePlayer="MUSTERANNA"/>'
    ]
    assert '<ByePlayer player="MUSTERANNA" roundNumber="2"/>' in lines
    (general,) = [line for line in lines if line.startswith("<GeneralParameterSet")]
    assert 'basicTime="60" beginDate="2026-03-07" complementaryTimeSystem="FISCHER"' in general
    assert "externalIPAddress" not in "".join(lines)


@pytest.mark.parametrize(
    ("text", "attributes", "read_again"),
    [
        ("60min, byo-yomi 30sec", 'basicTime="60" complementaryTimeSystem="STDBYOYOMI" stdByoYomiTime="30"', None),
        ("40min + 30sec byo-yomi", 'basicTime="40" complementaryTimeSystem="STDBYOYOMI" stdByoYomiTime="30"',
         "40min, byo-yomi 30sec"),
        ("90 min + 30 sec", 'basicTime="90" complementaryTimeSystem="FISCHER" fischerTime="30"', "90min + 30sec"),
        ("90min + 30sec", 'basicTime="90" complementaryTimeSystem="FISCHER" fischerTime="30"', None),
        ("60 minutes", 'basicTime="60" complementaryTimeSystem="SUDDENDEATH"', "60min"),
        ("60min", 'basicTime="60" complementaryTimeSystem="SUDDENDEATH"', None),
        ("60min + 0sec", 'basicTime="60" complementaryTimeSystem="SUDDENDEATH"', "60min"),
        ("60min, 15 moves in 300sec",
         'basicTime="60" canByoYomiTime="300" complementaryTimeSystem="CANBYOYOMI" nbMovesCanTime="15"', None),
        ("60min + 20/5min", 'basicTime="60" canByoYomiTime="300" complementaryTimeSystem="CANBYOYOMI" nbMovesCanTime="20"',
         "60min, 20 moves in 300sec"),
        ("", "", ""), ("60+b", "", ""), ("one hour", "", ""), ("0min", "", ""), ("60min, 3x30sec", "", ""),
    ],
)  # fmt: skip
def test_time_control_is_written_and_read_again(text, attributes, read_again):
    rows = [ParsedRow(1, 0, "A", "", cells=[Cell(2, 1)]), ParsedRow(2, 0, "B", "", cells=[Cell(1, 0)])]
    data = write_opengotha(ParsedTable("Cup", TODAY, TODAY, rows, time_control=text))
    (general,) = [line for line in data.splitlines() if line.startswith("<GeneralParameterSet")]
    found = re.findall(r'\w*(?:Time|TimeSystem)="\w+"', general)
    assert found == re.findall(r'\S+="\w+"', attributes)
    again, _problems = read_opengotha(data.encode(), HEAD, TODAY)
    assert again.time_control == (text if read_again is None else read_again)


@few
@given(
    tables(
        names=words("abcdeABCDEéüøñß<>&\"'"),
        conditions=even | colours | stones,
        optional=("grade",),
        heads=st.tuples(
            words(),
            st.just(""),
            st.sampled_from(["", "60min", "30min + 30sec", "60min, byo-yomi 30sec", "60min, 15 moves in 300sec"]),
        ),
    )
)
def test_table_comes_back_where_the_format_holds_it(table):
    assert ("opengotha" in lossless_formats(table)) == holds_table(table)
    if not holds_table(table):
        return
    data = write_opengotha(table).encode()
    again, problems = read_opengotha(data, HEAD, TODAY)
    assert (errors(problems), detect_format(data)) == ([], "opengotha")
    for row in table.rows:  # points follow from the games; OpenGotha has no unknown rank
        row.points, row.grade = None, row.grade or "30 Kyu"
    assert without_lines(again) == table


@pytest.mark.parametrize(
    "cells",
    [[[Cell(0, 1)], [Cell(0, 1)]], [[Cell(0, 0.5)], [Cell(0, 0)]], [[Cell(2, 1, stones=2)], [Cell(1, 0, stones=2)]],
     [[Cell(2, 1)] * 21, [Cell(1, 0)] * 21], [[Cell(0, 0.5, forfeit=2)], [Cell(0, 0, forfeit=1)]],
     [[Cell(2, 1), Cell(0, 0)], [Cell(1, 0), Cell(0, 0)]]],
)  # fmt: skip
def test_tables_that_the_format_cannot_hold_are_not_offered(cells):
    rows = [
        ParsedRow(number, 0, name, "", cells=row) for number, (name, row) in enumerate(zip("AB", cells, strict=True), 1)
    ]
    assert not holds_table(ParsedTable("Cup", TODAY, TODAY, rows))


def test_namesakes_are_not_offered():
    rows = [ParsedRow(1, 0, "De La", "Rue", cells=[Cell(2, 1)]), ParsedRow(2, 0, "Dela", "Rue", cells=[Cell(1, 0)])]
    assert not holds_table(ParsedTable("Cup", TODAY, TODAY, rows))


def test_games_by_default_are_written_and_read():
    cells = [
        [Cell(0, 1, forfeit=2, paired_black=True), Cell(0, 0, forfeit=2)],
        [Cell(0, 0, forfeit=1, paired_black=False), Cell(0, 0, forfeit=1)],
    ]
    rows = [
        ParsedRow(number, 0, name, "", cells=row) for number, (name, row) in enumerate(zip("AB", cells, strict=True), 1)
    ]
    table = ParsedTable("Cup", TODAY, TODAY, rows)
    assert holds_table(table)
    text = write_opengotha(table)
    assert [part in text for part in ("RESULT_BLACKWINS_BYDEF", "RESULT_BOTHLOSE_BYDEF")] == [True, True]
    again, _problems = read_opengotha(text.encode(), HEAD, TODAY)
    assert [[(cell.points, cell.forfeit) for cell in row.cells] for row in again.rows] == [
        [(1, 2), (0, 2)],
        [(0, 1), (0, 1)],
    ]
