import pytest

from ratings.formats.people.new_players import NewPlayer, read_new_players
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
