"""Tournament files of MacMahon: what is read of them."""

from pathlib import Path

from ratings.formats.event_head import Head
from ratings.formats.macmahon.table import read_macmahon
from ratings.formats.parsed import Cell
from tests.formats.tables import TODAY, errors

HEAD = Head("Cup of the portal", TODAY, TODAY)
SAMPLES = Path(__file__).parents[1] / "samples" / "macmahon"


def read(name="good.xml"):
    table, problems = read_macmahon((SAMPLES / name).read_bytes(), HEAD, TODAY)
    assert errors(problems) == []
    return table


def test_good_file_is_read_whole():
    table = read()
    assert (table.name, table.first_day, table.last_day) == ("Spring Cup", TODAY, TODAY)
    assert [(row.number, row.name, row.grade, row.country, row.outside) for row in table.rows] == [
        (1, "Muster Anna", "5 Dan", "DE", {"egd": "10000017"}),
        (2, "van Beispiel Jan", "3 Dan", "NL", {}),
        (3, "Novák Petra", "10 Kyu", "CZ", {}),
        (4, "Dupont Luc", "12 Kyu", "FR", {}),
    ]
    assert [row.cells for row in table.rows] == [
        [Cell(3, 1, stones=9, black=False), Cell(2, 1, stones=2, black=False), Cell(0, 1)],
        [Cell(4, 1, stones=9, black=False), Cell(1, 0, stones=2, black=True), Cell(3, 0.5, black=False)],
        [Cell(1, 0, stones=9, black=True), Cell(4, 1, black=True), Cell(2, 0.5, black=True)],
        [Cell(2, 0, stones=9, black=True), Cell(3, 0, black=False), Cell(0, 0)],
    ]


def test_results_by_the_referee_are_games_by_default():
    first = read("by-referee.xml").rows[0].cells[0]
    assert (first.opponent, first.points, first.forfeit, first.paired_black) == (0, 1, 3, False)


def test_games_without_result_keep_their_opponents():
    rows = read("no-result-yet.xml").rows
    assert [(row.cells[2].paired, row.cells[2].paired_black) for row in rows[1:3]] == [(3, False), (2, True)]


def test_players_who_were_only_registered_are_left_out():
    assert [row.family for row in read("only-registered.xml").rows] == ["Muster", "van Beispiel", "Novák", "Dupont"]


def test_file_without_name_has_that_of_the_event():
    data = (SAMPLES / "good.xml").read_bytes().replace(b"<Name>Spring Cup</Name>", b"")
    assert read_macmahon(data, HEAD, TODAY)[0].name == "Cup of the portal"
