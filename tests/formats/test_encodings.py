import datetime as dt

import pytest

from ratings.formats.encodings import decode_text, repair_text
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
NOTE_15 = "the file is in ISO-8859-15, not ISO-8859-1; it was read so"
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
        (WINDOWS.encode("iso8859-15"), WINDOWS, [NOTE_15]),
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


@pytest.mark.parametrize(
    "text",
    ["Šimon Žofia", "ŠIMON Žofia", "Œuvre Ÿves", "Žádný", "Tomáš", "TOMÁŠ", "Križan", "BOŽENA", "Škoda", "škoda", "žena",
     "Cœur", "CŒUR", "œuvre", "LAŸES", "komi 6,5; 10€", "Šimon O\xa3 Novák"],
)  # fmt: skip
def test_words_with_letters_of_iso_8859_15_are_read(text):
    assert decode_text(f"1 {text} é".encode("iso8859-15")) == (f"1 {text} é", "iso8859-15")


@pytest.mark.parametrize(
    "text",
    ["D´Angelo", "D´ANGELO", "O´NEILL", "Dell´Acqua", "DELL´ACQUA", "´t Hooft", "´s-Hertogenbosch", "´Löwe´", "José´s",
     "2½ pts", "2½h", "½min", "½ Dan", "¼final", "7½, 3¾", "a ¦ b", "Muster¦Anna¦DE", "Franc¸ois", "± 3 ¨", "André 5 ´"],
)  # fmt: skip
def test_signs_of_latin_1_stay(text):
    assert decode_text(f"1 {text} é".encode("latin-1")) == (f"1 {text} é", "latin-1")


def test_windows_1252_is_known_by_bytes_that_no_other_encoding_has():
    text = "Šimon – 2½ pts · O´Neill"
    assert decode_text(text.encode("cp1252")) == (text, "cp1252")
    assert decode_text(b"\x81 \xa6imon") == ("\x81 ¦imon", "latin-1")  # 0x81 is nothing in Windows-1252


H9_ROWS = """; EV[Coupe Cœur]
; DT[2024-05-04]
   1 Šimon Žofia   5D CZ xxxx    1    0    0    0    2+
   2 Žádný Ÿves    3D FR xxxx    0    0    0    0    1-
"""
TOU_ROWS = """;name=Coupe Cœur\r
;date=04/05/2024\r
;Num Nom Prenom               Niv Licence Club\r
   1 ŠIMON Žofia               5D ------- CZ        2+\r
   2 ŽÁDNÝ Ÿves                3D ------- xxxx      1-\r
"""


@pytest.mark.parametrize(("text", "format"), [(H9_ROWS, "h9"), (TOU_ROWS, "tou")])
def test_results_of_opengotha_are_read_in_iso_8859_15(text, format):
    result, messages = read(text.encode("iso8859-15"))
    assert (result.format, messages) == (format, [NOTE_15])
    assert (result.table.name, [row.name for row in result.table.rows]) == (
        "Coupe Cœur",
        ["Šimon Žofia", "Žádný Ÿves"],
    )
    utf_8, messages = read(text.encode())
    assert (messages, utf_8.table.rows) == ([], result.table.rows)
