import datetime as dt

import pytest

from ratings.formats.people.new_players import NewPlayer, read_new_players
from ratings.formats.people.people_sheet import ChosenColumns
from ratings.formats.spreadsheet.workbook import write_workbook

NOVAK = NewPlayer("Novák", "Petra", "CZ", "3 Kyu", 2)


@pytest.mark.parametrize(
    "data",
    [
        "last_name,first_name,country,prior_grade\nNovák,Petra,CZ,3 Kyu\n".encode(),
        "Nachname;Vorname;Land;Früherer Grad\nNovák;Petra;CZ;3k\n".encode(),
        "Prior grade\tCountry\tSurname\tGiven name\n3 kyu\tCZ\tNovák\tPetra\n".encode(),
        write_workbook([["Last name", "First name", "Country", "Prior grade"], ["Novák", "Petra", "CZ", "3 Kyu"]]),
    ],
)
def test_new_players_are_read_with_the_columns_of_rating_lists(data):
    players, problems = read_new_players(data)
    assert (players, problems.all) == ([NOVAK], [])


def test_chosen_columns_and_memberships_are_read():
    data = 'Wer,Bis\n"Novák, Petra",31.12.2026\n"Adler, Zoë",soon\n'.encode()
    players, problems = read_new_players(data, ChosenColumns(("full_name", "member_until")))
    assert players == [NewPlayer("Novák", "Petra", "", "", 2, dt.date(2026, 12, 31))]
    assert [(problem.line, "soon" in problem.message) for problem in problems.all] == [(3, True)]


def test_ids_in_other_registries_are_read():
    data = "Last name;First name;EGD PIN;FIDE id\nNovák;Petra;1234 5678;\nAdler;Zoë;;abc\n".encode()
    players, problems = read_new_players(data)
    assert players == [NewPlayer("Novák", "Petra", "", "", 2, outside={"egd": "12345678"})]
    assert [(problem.line, "abc" in problem.message) for problem in problems.all] == [(3, True)]


def test_national_ids_are_read_behind_their_country():
    data = 'Last name;National id\nNovák;cz 12\nAdler;12\n"Berg";"FR A-1; DE 7"\nCzar;"FR 1, FR 2"\n'.encode()
    players, problems = read_new_players(data)
    assert [player.outside for player in players] == [{"CZ": "12"}, {"FR": "A-1", "DE": "7"}]
    expected = "is not one id for each country, behind its code of two letters, for example FR 2600001; DE 345"
    assert [str(problem) for problem in problems.all] == [
        f"line 3: error: national ids “12” {expected}",
        f"line 5: error: national ids “FR 1, FR 2” {expected}",
    ]
