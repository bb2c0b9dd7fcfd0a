"""Rating lists as files. The columns of the fixed layouts are counted here by hand."""

import csv
import datetime as dt
import io
import json

import openpyxl
import pytest

from ratings.formats.egf.rating_list import write_egf_list
from ratings.formats.fide.rating_list import write_fide_list
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


def test_egf_list_has_its_columns():
    # 2050 = the Belgian zero on the database's scale: 1 dan begins at 2000 there (GoR 2100 is Belgian 50)
    strong = ANNA._replace(family="De Łoś", rating=250)
    line = " 00000000  De_Los Anna                           PL  Go L    3d        2300\n"
    assert write_egf_list([strong], 2050) == line
    assert write_egf_list([strong._replace(rating=2300)], 0) == line
    assert (line[1:9], line[11:48].rstrip(), line[49:51], line[53:57], line[60:63], line[71:75]) == (
        "00000000", "De_Los Anna", "PL", "Go L", " 3d", "2300",
    )  # fmt: skip
    assert [len(line) for line in write_egf_list([FORMULA, ANNA._replace(rating=-2100)], 2050).splitlines()] == [75, 75]


def test_fide_list_has_its_columns():
    title, anna, formula = write_fide_list(dt.date(2024, 3, 5), [ANNA, FORMULA]).splitlines()
    at = {
        name: title.index(name) + 1
        for name in ("ID Number", "Name", "Fed", "Sex", "Tit", "FOA", "MAR24", "Gms", "K ", "B-day", "Flag")
    }
    assert at == {"ID Number": 1, "Name": 16, "Fed": 77, "Sex": 81, "Tit": 85, "FOA": 110, "MAR24": 114, "Gms": 120,
                  "K ": 124, "B-day": 127, "Flag": 133}  # fmt: skip
    assert anna == f"{'BCD2345':15}{'Los, Anna':61}{'POL':37}{'1834':6}57"
    assert formula == f"{'BCD2346':15}{'=1+1':61}{'':37}{'-300':6}0"
