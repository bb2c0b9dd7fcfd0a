import datetime as dt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.fesa.rating_list_reader import ParsedList, ParsedPlayer
from ratings.formats.people.people_sheet import ChosenColumns
from ratings.formats.people.rating_sheet import (
    looks_like_rating_sheet,
    looks_like_table,
    read_rating_sheet,
    read_titles,
)
from ratings.formats.spreadsheet.workbook import write_workbook
from tests.thorough import share

TITLES = ["Last name", "First name", "Country", "Rating", "Games", "Grade", "Prior grade", "Birth year", "Gender", "id"]
ANNA = ["Muster", "Anna", "de", "1600", "40", "1 Kyu", "2 Dan", "1980", "F", "A77"]
READ = ParsedPlayer(2, "Muster", "Anna", "DE", "1 Kyu", "2 Dan", 1600, 40, 1980, "A77", "female")


def errors(text):
    return [str(problem) for problem in read_rating_sheet(text.encode())[1].sorted_by_position()]


@pytest.mark.parametrize("delimiter", [";", ",", "\t"])
def test_csv_is_read_with_any_delimiter(delimiter):
    text = "\n".join(delimiter.join(row) for row in (TITLES, ANNA))
    parsed, problems = read_rating_sheet(text.encode())
    assert parsed == ParsedList(None, (READ,))
    assert problems.all == []


def test_columns_are_in_any_order_and_may_be_missing():
    parsed, problems = read_rating_sheet(b"ELO;Surname\n\n1600;Muster\n")
    assert parsed.players == (ParsedPlayer(3, "Muster", "", "", None, None, 1600, None),)
    assert problems.all == []


@pytest.mark.parametrize(
    ("written", "rating"),
    [
        ("1600", 1600),
        ("-320", -320),
        ("1600.5", 1600.5),
        ("1600,5", 1600.5),
        ("1600.0", 1600),
        ("2,144", 2144),
        ("1.987", 1987),
        ("−1,250", -1250),
        ("1500.125", 1500.125),
    ],
)
def test_ratings_are_read_as_numbers(written, rating):
    assert read_rating_sheet(f"Surname;Elo\nMuster;{written}".encode())[0].players[0].rating == rating


@pytest.mark.parametrize(("written", "grade"), [("5 kyu", "5 Kyu"), ("5K", "5 Kyu"), ("1d", "1 Dan"), ("10 Dan", "10 Dan"), ("", None)])  # fmt: skip
def test_grades_are_read_as_systems_write_them(written, grade):
    assert read_rating_sheet(f"Surname;Elo;Grade\nMuster;1;{written}".encode())[0].players[0].grade == grade


@pytest.mark.parametrize(
    ("written", "gender"),
    [("female", "female"), ("Male", "male"), ("OTHER", "other"), ("f", "female"), ("W", "female"), ("M", "male"),
     ("x", "other"), ("d", "other"), ("", "")],
)  # fmt: skip
def test_genders_are_read_as_words_or_letters(written, gender):
    assert read_rating_sheet(f"Surname;Elo;Sex\nMuster;1;{written}".encode())[0].players[0].gender == gender


def test_quoted_cells_and_byte_order_mark_are_understood():
    parsed, problems = read_rating_sheet(b'\xef\xbb\xbf"Last name","Rating"\n"Muster, the elder","1600"\n')
    assert ([(p.family, p.rating) for p in parsed.players], problems.all) == ([("Muster, the elder", 1600)], [])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["error: the file is empty"]),
        ("First name;Games\n", ["line 1: error: the first line names the columns; “Last name” or “Family name” is missing",
                                "line 1: error: the first line names the columns; “Rating” or “Elo” is missing"]),
        ("Surname;Elo\n", ["error: no players below the titles"]),
        ("Surname;Elo;Rating\n", ["line 1: error: there are two columns “Rating”; remove one"]),
        ("Surname;Elo;Club\nMuster;1;x", ["line 1: warning: the column “Club” was not read"]),
        ("Surname;Elo\n;\nMuster;", ["line 3: error: the rating is missing"]),
        ("Surname;Elo\n;1033*", ["line 2: error: the last name is missing", "line 2: error: rating “1033*” is not a number (leave out players without a rating)"]),
        ("Surname;Elo;Games;Grade;Born;id\nA;1;-1;NC;;1\nB;1;;;;a-b", ["line 1: warning: the column “Born” was not read", "line 2: error: games “-1” is not a number from 0 to 9999",
         "line 2: error: grade “NC” is not a grade, for example 5 Kyu or 1 Dan", "line 3: error: id “a-b” is not up to 12 letters and digits"]),
        ("Surname;Elo;Birth year\nA;1;80", ["line 2: error: birth year “80” is not a year of four digits"]),
        ("Surname;Elo;Gender\nA;1;woman\nB;1;0", ["line 2: error: gender “woman” is not female, male or other", "line 3: error: gender “0” is not female, male or other"]),
        ("Surname;Elo\nA;1;;5", ["line 2: error: 4 values below 2 titles"]),
        ('Surname;Elo\nA;1\n"B;1\nC;1\nD"x;2', ["line 3: error: invalid CSV from here on: ';' expected after '\"'; look for a quote that is not closed"]),
        ('Surname;Elo\nA;1\n"B\nC";1\nD;2', ['line 3: error: the quote (") opened here ends in line 4; close it']),
    ],
)  # fmt: skip
def test_bad_csv_is_reported_with_its_lines(text, expected):
    assert errors(text) == expected


@pytest.mark.parametrize(
    ("data", "looks"),
    [(b"\nSurname;Elo\n", True), (b"\xef\xbb\xbfRating,Last_Name", True), (b"last_name,first_name,country", False), (b"", False)],
)  # fmt: skip
def test_rating_csv_is_recognised(data, looks):
    assert looks_like_rating_sheet(data) is looks


pieces = st.lists(
    st.sampled_from([*TITLES, *ANNA, ";", ",", "\t", "\n", '"', "²", "٣", "-", "\x1c", "\x85"]), max_size=40
)


@settings(max_examples=share(300, 75))
@given(st.one_of(st.binary(max_size=400), pieces.map(lambda parts: ("Surname;Elo\n" + "".join(parts)).encode())))
def test_any_bytes_give_problems_and_no_exception(data):
    looks_like_rating_sheet(data)
    parsed, problems = read_rating_sheet(data)
    assert problems.fatal or (parsed is not None and parsed.players)


def test_long_open_quote_is_reported():
    text = 'Surname;Elo\n"' + "A;1\n" * 45_000
    assert errors(text) == [
        "line 2: error: invalid CSV from here on: field larger than field limit (131072); look for a quote that is not closed"
    ]


def test_workbook_is_read_like_csv():
    data = write_workbook([TITLES, [*ANNA[:3], 1600, 40, *ANNA[5:7], 1980, *ANNA[8:]]])
    assert looks_like_rating_sheet(data)
    assert read_rating_sheet(data)[0] == ParsedList(None, (READ,))


def test_workbook_of_a_large_federation_is_read_whole():
    data = write_workbook([["Name", "Rating"], *([f"P{number}", 1500] for number in range(3000))])
    parsed, problems = read_rating_sheet(data)
    assert (len(parsed.players), problems.all) == (3000, [])


@pytest.mark.parametrize(
    ("titles", "row"),
    [
        ("Nachname;Vorname;Land;GoR;Geburtsjahr;Geschlecht", "Muster;Anna;DE;1600;1980;w"),
        ("Nom;Prénom;Pays;Classement;Année de naissance;Sexe", "Muster;Anna;DE;1600;1980;F"),
        ("Name;Federation;Elo;Year-of-birth;Sex", "Muster, Anna;DE;1600;1980;f"),
    ],
)
def test_titles_in_several_languages_name_the_columns(titles, row):
    parsed, problems = read_rating_sheet(f"{titles}\n{row}\n".encode())
    read = ParsedPlayer(2, "Muster", "Anna", "DE", None, None, 1600, None, 1980, "", "female")
    assert (parsed.players, problems.all) == ((read,), [])


def test_titles_of_a_sheet_are_shown_with_their_meaning():
    sheet = read_titles(b"Name;Vorname;GoR;Seit\nEgger;Nora;2,144;2014\n")
    assert (sheet.titles, sheet.columns) == (["Name", "Vorname", "GoR", "Seit"], ["family", "given", "rating", None])
    assert read_titles(b"Elo list for 2026-06-01\n") is None


def test_chosen_columns_replace_those_of_the_titles():
    data = b"Who;Score;Rating\nMuster, Anna;1860;x\nSolo;1700;y\n"
    parsed, problems = read_rating_sheet(data, ChosenColumns(("full_name", "rating", "unknown", "games")))
    assert [(player.family, player.given, player.rating) for player in parsed.players] == [
        ("Muster", "Anna", 1860), ("Solo", "", 1700),
    ]  # fmt: skip
    assert problems.all == []
    sheet = read_titles(data.partition(b"\n")[2], ChosenColumns(("family",), has_titles=False))
    assert (sheet.titles, sheet.columns, len(sheet.lines)) == (["", "", ""], ["family", None, None], 2)


@pytest.mark.parametrize(
    ("data", "looks"),
    [
        (b"a;b\nc;d", True),
        (b"\n\na\tb\n\nc\td\n", True),
        (b"a;b", False),
        (b"a;b\nc", False),
        (b"one\ntwo", False),
        (b"%PDF-1.7", False),
        (write_workbook([["a", "b"]], (9, 9), "List"), True),
    ],
)
def test_table_is_recognised_by_equal_lines(data, looks):
    assert looks_like_table(data) is looks


@pytest.mark.parametrize("written", ["2026-12-31", "31.12.2026", "2026/12/31"])
def test_day_of_membership_is_read(written):
    parsed, _ = read_rating_sheet(f"Surname;Elo;Mitglied bis\nMuster;1;{written}".encode())
    assert parsed.players[0].member_until == dt.date(2026, 12, 31)
    problem = "line 2: error: member until “soon” is not a day, for example 2026-12-31"
    assert problem in errors("Surname;Elo;Member until\nMuster;1;soon")


def test_ids_of_other_registries_are_columns():
    text = "Name,First name,Rating,PIN,Fide-ID,US Chess ID\nMuster,Anna,1500,1000 0017,1503014,\n"
    parsed, problems = read_rating_sheet(text.encode())
    assert (problems.all, parsed.players[0].outside) == ([], {"egd": "10000017", "fide": "1503014"})


def test_id_in_another_form_is_an_error_of_its_line():
    _parsed, problems = read_rating_sheet(b"Name,Rating,EGD PIN\nMuster,1500,123\n")
    assert [str(problem) for problem in problems.all] == [
        "line 2: error: egd pin “123” is not an id in the form of this registry"
    ]
