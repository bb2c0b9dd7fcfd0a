"""Rating lists as files. The columns of the fixed layouts are counted here by hand."""

import csv
import datetime as dt
import io
import json
import re

import openpyxl
import pytest

from ratings.formats.egf.rating_list import EgfDetails, write_egf_list
from ratings.formats.list_rows import WORKBOOK_AT_MOST, ListRow, write_list_csv, write_list_json, write_list_workbook
from ratings.formats.people.rating_sheet import read_rating_sheet

ANNA = ListRow(
    1, "BCD2345", "Łoś", "Anna", "PL", "Go Łódź", "3 Dan", 1834.4, 57, "established", dt.date(2024, 3, 1), 85.6
)
FORMULA = ListRow(2, "BCD2346", "=1+1", "", "", "", "", -300, 0, "unrated")


def test_csv_has_titles_and_guards_formulas():
    assert write_list_csv([ANNA, FORMULA], 0) == (
        "Rank,ID,Last name,First name,Country,Club,Grade,Rating,Games,Category,Last played,Deviation\n"
        "1,BCD2345,Łoś,Anna,PL,Go Łódź,3 Dan,1834,57,established,2024-03-01,86\n"
        "2,BCD2346,'=1+1,,,,,-300,0,unrated,,\n"
    )


def test_csv_is_read_again():
    parsed, problems = read_rating_sheet(write_list_csv([ANNA], 1).encode())
    (player,) = parsed.players
    assert (player.family, player.given, player.country, player.grade, player.rating, player.games, player.id) == (
        "Łoś", "Anna", "PL", "3 Dan", 1834.4, 57, "BCD2345",
    )  # fmt: skip
    assert not problems.fatal


def test_json_has_head_and_players():
    assert json.loads(write_list_json({"list": "fesa"}, [ANNA, FORMULA], 1)) == {
        "list": "fesa",
        "players": [
            {"rank": 1, "id": "BCD2345", "last_name": "Łoś", "first_name": "Anna", "country": "PL", "club": "Go Łódź",
             "grade": "3 Dan", "rating": 1834.4, "games": 57, "category": "established", "last_played": "2024-03-01",
             "deviation": 85.6},
            {"rank": 2, "id": "BCD2346", "last_name": "=1+1", "first_name": "", "country": "", "club": "", "grade": "",
             "rating": -300, "games": 0, "category": "unrated", "last_played": "", "deviation": None},
        ],
    }  # fmt: skip


def test_workbook_has_the_cells_and_no_formulas():
    sheet = openpyxl.load_workbook(io.BytesIO(write_list_workbook([ANNA, FORMULA], 0))).active
    lines = [[cell.value for cell in line] for line in sheet.iter_rows()]
    assert lines[1:] == [
        [1, "BCD2345", "Łoś", "Anna", "PL", "Go Łódź", "3 Dan", 1834, 57, "established", "2024-03-01", 86],
        [2, "BCD2346", "=1+1", None, None, None, None, -300, 0, "unrated", None, None],
    ]
    assert sheet["C3"].data_type == "s"
    assert next(csv.reader([write_list_csv([], 0)])) == lines[0]


def test_workbook_limits_the_number_of_lines():
    with pytest.raises(ValueError, match="more than 10,000 players"):
        write_list_workbook([ANNA] * (WORKBOOK_AT_MOST + 1), 0)


# the example of ../shared/formats/go.md, section 1, which pairgoth's pattern and OpenGotha's columns read
EGF_SAMPLE = """\
(01 Nov 2026)
 10000017  Muster Anna                           DE  Ber     3d   --   2312    41  E261003A
 10000025  Van_Beispiel Jan                      NL  Ams     4k   --   1688    12  T260919B
 10000033  Beispiel                              FR  xxxx   30k   --   -900     1  T260919B
"""
EGF_ROWS = (
    (ANNA._replace(id="A", family="Muster", country="DE", club="Ber", rating=262), EgfDetails(1, "10000017", 41, dt.date(2026, 10, 3))),
    (ANNA._replace(id="B", family="Van Beispiel", given="Jan", country="NL", club="Ams", grade="4 Kyu", rating=-362),
     EgfDetails(2, "10000025", 12, dt.date(2026, 9, 19))),
    (ANNA._replace(id="C", family="Beispiel", given="", country="FR", club="", grade="", rating=-2950),
     EgfDetails(3, "10000033", 1, dt.date(2026, 9, 19))),
)  # fmt: skip
# pairgoth's line, in words: PIN, name, first name, country, club, grade, proposed grade, GoR, tournaments, last code
PAIRGOTH_LINE = re.compile(
    r"\s+\d{8}\s+[A-Za-z\-._`'()]+(\s+[A-Za-z0-9\-._`'()]+)?\s+[A-Z]{2}\s+\S{1,4}\s+\d{1,2}[dkp]\s+(--|\d{1,2}[dkp])"
    r"\s+-?\d{1,4}\s+\d+\s+[A-Z]\d{6}[A-Z]?"
)


def write_egf(*rows, zero=2050):
    return write_egf_list(
        dt.date(2026, 11, 1), [row for row, _details in rows], {row.id: details for row, details in rows}, zero
    )


def test_egf_list_is_the_example_but_for_codes_that_the_portal_does_not_know():
    expected = re.sub(r"[ET](\d{6})[AB]$", r"T\1", EGF_SAMPLE, flags=re.MULTILINE)
    assert write_egf(*EGF_ROWS) == expected
    line = expected.splitlines()[2]
    assert (line[1:9], line[11:48].rstrip(), line[49:51], line[53:57], line[60:63], line[65:68], line[71:75], line[77:81],
            line[83:]) == ("10000025", "Van_Beispiel Jan", "NL", "Ams ", " 4k", " --", "1688", "  12", "T260919")  # fmt: skip


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"country": "GB"}, (49, 51, "UK")),
        ({"country": ""}, (49, 51, "XX")),
        ({"club": "Go Łódź"}, (53, 57, "GoLo")),
        ({"family": "O’Brien-Łoś", "given": "Zoë 2"}, (11, 29, "O'Brien-Los Zoe_2 ")),
        ({"family": "=1+1", "given": ""}, (11, 14, "_  ")),
        ({"grade": "", "rating": 0}, (60, 63, " 1d")),
        ({"grade": "", "rating": -1}, (60, 63, " 1k")),
        ({"grade": "", "rating": 1500}, (60, 63, " 9d")),
        ({"rating": -2950.4}, (71, 75, "-900")),
    ],
)
def test_egf_list_has_every_word_of_a_line_for_pairgoth(changes, part):
    row, details = EGF_ROWS[0]
    line = write_egf((row._replace(**changes), details)).splitlines()[1]
    first, last, text = part
    assert (line[first:last], bool(PAIRGOTH_LINE.fullmatch(line))) == (text, True)


def test_players_without_a_pin_have_numbers_of_their_own():
    row, _details = EGF_ROWS[0]
    rows = [(row._replace(id=f"{number}"), EgfDetails(number)) for number in (7, 12)]
    lines = write_egf(*rows).splitlines()[1:]
    assert [(line[1:9], line[77:]) for line in lines] == [("90000007", "   0  T000000"), ("90000012", "   0  T000000")]
    assert all(map(PAIRGOTH_LINE.fullmatch, lines))
