import datetime as dt

import pytest

from ratings.formats.encodings import repair_text
from ratings.formats.event_head import Head
from ratings.formats.recognise import read_results_file
from ratings.formats.spreadsheet.workbook import write_workbook

GRID = """[Cup, Malmö, Sweden, 2024-05-04]
[2024-05-04]
[Time control: 30min + 30sec]
1 [Šimůnek][Søren] CZ [2+] 1
2 [Ångström][Zoë] SE [1-] 0
"""
LATIN = GRID.replace("Šimůnek", "Simunek")
WINDOWS = GRID.replace("Šimůnek", "Šimunek")
NOTE = "the file is in Windows-1252, not ISO-8859-1; it was read so"
UTF_16 = "the file is in UTF-16, as Notepad's “Unicode”; it was read so"
HEAD = Head("Cup", dt.date(2024, 5, 4), dt.date(2024, 5, 4))


def read(data):
    result = read_results_file(data, HEAD, dt.date(2026, 11, 24))
    return result, [problem.message for problem in result.problems.all]


@pytest.mark.parametrize(
    ("data", "text", "notes"),
    [
        (GRID.encode("utf-16"), GRID, [UTF_16]),
        (GRID.encode("utf-16-le"), GRID, [UTF_16]),
        (GRID.encode("utf-16-be"), GRID, [UTF_16]),
        (LATIN.encode("latin-1"), LATIN, []),
        (WINDOWS.encode("cp1252"), WINDOWS, [NOTE]),
    ],
)
def test_file_is_read_in_its_encoding(data, text, notes):
    result, messages = read(data)
    assert (result.format, messages) == ("grid", notes)
    assert [f"[{row.family}][{row.given}]" in text for row in result.table.rows] == [True, True]


def test_utf_16_is_read_in_spreadsheet_files():
    text = "Nr;Last name;First name;Country;1;Points\r\n1;Ångström;Zoë;SE;2+;1\r\n2;Bauer;Max;DE;1-;0\r\n"
    result, messages = read(text.encode("utf-16"))
    assert (result.format, [row.family for row in result.table.rows]) == ("csv", ["Ångström", "Bauer"])
    assert UTF_16 in messages


def test_wrongly_decoded_names_are_named_and_repaired():
    """Organisers' finding 21: “SÃ¶ren”."""
    data = LATIN.encode().decode("cp1252").encode()
    result, messages = read(data)
    assert [row.name for row in result.table.rows] == ["Simunek Søren", "Ångström Zoë"]
    assert "the file said “SÃ¸ren”; read as “Søren”" in messages
    lines = [problem.line for problem in result.problems.all if problem.message.startswith("the file said")]
    assert lines == [1, 4, 5, 5]


def test_wrongly_decoded_names_of_a_workbook_are_repaired():
    rows = [["Nr", "Last name", "First name", "Country", "1", "Points"],
            [1, "Ã…ngstrÃ¶m", "Ada", "SE", "2+", 1], [2, "Bauer", "Max", "DE", "1-", 0]]  # fmt: skip
    result, messages = read(write_workbook(rows, (5, 5, 5)))
    assert [row.family for row in result.table.rows] == ["Ångström", "Bauer"]
    assert "the file said “Ã…ngstrÃ¶m”; read as “Ångström”" in messages


@pytest.mark.parametrize("name", ["Søren", "Šimůnek", "Łukasz", "Иван", "山田太郎", "Ștefan", "Bogdán-Őry", "Ωmega Ψ"])
@pytest.mark.parametrize("codec", ["cp1252", "latin-1"])
def test_name_decoded_wrongly_is_repaired(name, codec):
    wrong = "".join(
        bytes([byte]).decode(codec, "ignore") or chr(byte) for byte in name.encode()
    )  # as browsers do for undefined bytes
    if name != "Ωmega Ψ":  # single letters of other scripts are left as they are
        assert repair_text(wrong) == name
    assert repair_text(name) == name


@pytest.mark.parametrize("text", ["Weiß’ “Groß”", "CAFÉ – BAR", "Málaga ± 3", "São Tomé…", "Çelik Ñandú"])
def test_correct_text_stays(text):
    assert repair_text(text) == text


def test_letters_decoded_wrongly_twice_are_repaired():
    assert repair_text("Sören".encode().decode("cp1252").encode().decode("cp1252")) == "Sören"
