"""Results in the XML of chess-results.com: the names and values of ../shared/formats/chess-renju.md, section 4."""

import datetime as dt
from dataclasses import replace

import pytest
from defusedxml import ElementTree
from hypothesis import given, settings

from ratings.formats.chess_results.written import write_chess_results
from ratings.formats.lossless import lossless_formats
from ratings.formats.parsed import Cell, ParsedRow, ParsedTable
from tests.formats.tables import change_table, colours, tables
from tests.thorough import share


def make_table():
    rows = [
        ParsedRow(
            1, 0, "Muster", "Anna", "DE", rating=2101, place=1, sex="w", title="WFM", outside={"fide": "1234567"}
        ),
        ParsedRow(2, 0, "van Beispiel", "Jan", "NL", rating=1655, national_rating=1700, place=2),
        ParsedRow(3, 0, "Novák", "Petra", "CZ", place=3),
        ParsedRow(4, 0, 'O"Dupont & Co', "", place=4),
    ]
    rows[0].cells = [Cell(3, 1, black=False), Cell(2, 0.5, black=True), Cell(4, 0, black=False), Cell(0, 1)]
    rows[1].cells = [
        Cell(0, 1, forfeit=4, paired_black=False), Cell(1, 0.5, black=False), Cell(0, 0, forfeit=3, paired_black=True),
        Cell(0, 0.5),
    ]  # fmt: skip
    rows[2].cells = [
        Cell(1, 0, black=True), Cell(0, 0), Cell(0, 0, forfeit=2, paired_black=False), Cell(4, 1, black=False),
    ]  # fmt: skip
    rows[3].cells = [
        Cell(0, 0, forfeit=2, paired_black=True), Cell(0, 1), Cell(1, 1, black=True), Cell(3, 0, black=True),
    ]  # fmt: skip
    return ParsedTable("Spring Cup", dt.date(2026, 3, 7), dt.date(2026, 3, 8), rows, "Sampletown", code="DE")


WRITTEN = """\
<?xml version="1.0" encoding="UTF-8"?>
<chessresults>
<tournamentdata>
<tournament currentround="4" federation="GER" from="07.03.2026" name="Spring Cup" rankinground="4" rounds="4" to="08.03.2026" type="1"/>
</tournamentdata>
<players>
<player fed="GER" fideid="1234567" firstname="Anna" lastname="Muster" no="1" pts="2,5" rank="1" rtg="2101" sex="w" title="WFM"/>
<player fed="NED" firstname="Jan" lastname="van Beispiel" no="2" pts="2" rank="2" rtg="1655" rtgnat="1700"/>
<player fed="CZE" firstname="Petra" lastname="Novák" no="3" pts="1" rank="3"/>
<player firstname="" lastname="O&quot;Dupont &amp; Co" no="4" pts="2" rank="4"/>
</players>
<pairings>
<pairing blackno="3" pairing="1" resblack="0" reswhite="1" round="1" whiteno="1"/>
<pairing blackno="4" forfeit="K" pairing="2" resblack="0" reswhite="1" round="1" whiteno="2"/>
<pairing blackno="1" pairing="1" resblack="0,5" reswhite="0,5" round="2" whiteno="2"/>
<pairing blackno="-2" pairing="2" resblack="0" reswhite="0" round="2" whiteno="3"/>
<pairing blackno="-1" pairing="3" resblack="0" reswhite="1" round="2" whiteno="4"/>
<pairing blackno="4" pairing="1" resblack="1" reswhite="0" round="3" whiteno="1"/>
<pairing blackno="2" forfeit="D" pairing="2" resblack="0" reswhite="0" round="3" whiteno="3"/>
<pairing blackno="4" pairing="1" resblack="0" reswhite="1" round="4" whiteno="3"/>
<pairing blackno="-1" pairing="2" resblack="0" reswhite="1" round="4" whiteno="1"/>
<pairing blackno="-2" pairing="3" resblack="0" reswhite="0,5" round="4" whiteno="2"/>
</pairings>
</chessresults>
"""


def test_file_has_the_documented_names_and_values():
    assert write_chess_results(make_table()) == WRITTEN


def test_several_full_points_without_a_game_are_not_pairing_allocated_byes():
    table = make_table()
    table.rows[1].cells[3] = Cell(0, 1)
    root = ElementTree.fromstring(write_chess_results(table))
    free = [pairing.attrib for pairing in root.iter("pairing") if pairing.get("round") == "4"][1:]
    assert [(each["whiteno"], each["blackno"], each["reswhite"]) for each in free] == [
        ("1", "-2", "1"),
        ("2", "-2", "1"),
    ]


def test_players_who_did_not_all_meet_play_a_swiss_tournament():
    table = make_table()
    table.rows[2].cells[3], table.rows[3].cells[3] = Cell(0, 0), Cell(0, 0)
    assert 'to="08.03.2026" type="0"/>' in write_chess_results(table)


def read_table(text):
    """Return names, nationalities' codes and cells of the file by the number of the player."""
    root = ElementTree.fromstring(text)
    cells = {}
    for pairing in root.findall("pairings/pairing"):
        white, black = int(pairing.get("whiteno")), int(pairing.get("blackno"))
        points = [float(pairing.get(side).replace(",", ".")) for side in ("reswhite", "resblack")]
        games = [(white, max(black, 0), points[0], False)] + ([(black, white, points[1], True)] if black > 0 else [])
        for number, opponent, result, is_black in games:
            by_default = pairing.get("forfeit") in ("K", "D")
            cell = Cell(
                0 if by_default else opponent, result, black=is_black if opponent and not by_default else None,
                forfeit=opponent if by_default else 0, paired_black=is_black if by_default else None,
            )  # fmt: skip
            assert cells.setdefault((number, int(pairing.get("round"))), cell) is cell
    rounds = int(root.find("tournamentdata/tournament").get("rounds"))
    return [
        (
            (player.get("lastname"), player.get("firstname"), float(player.get("pts").replace(",", "."))),
            [cells[int(player.get("no")), round_] for round_ in range(1, rounds + 1)],
        )
        for player in root.findall("players/player")
    ]


def list_players(table):
    return [((row.family, row.given, sum(cell.points for cell in row.cells)), row.cells) for row in table.rows]


def list_forfeits(players):
    return [[(cell.forfeit, cell.paired_black) for cell in cells] for _person, cells in players]


def test_sample_is_read_again():
    read = read_table(write_chess_results(make_table()))
    assert (read, list_forfeits(read)) == (list_players(make_table()), list_forfeits(list_players(make_table())))


@settings(max_examples=share(100, 25))
@given(tables(conditions=colours))
def test_all_results_are_read_again(table):
    assert "chessresults" in lossless_formats(table)
    assert read_table(write_chess_results(table)) == list_players(table)


def change_cell(round_, cell):
    table = make_table()
    table.rows[0].cells[round_ - 1] = cell
    return table


def change(**changes):
    return change_table(make_table(), **changes)


@pytest.mark.parametrize(
    "table",
    [change(family=""), change(family="M" * 33), change(given="A" * 31), change(family="\x01"), change(country="QQ"),
     change(name="E" * 161), change(macmahon=1.0), change(simultaneous=True), change(cells=[Cell(0, 0)] * 3),
     change_cell(1, Cell(3, 1)), change_cell(1, Cell(3, 1, black=True)), change_cell(1, Cell(3, 1, black=False, stones=2)),
     change_cell(4, Cell(2, 1, black=False)), change_cell(4, Cell(9, 1, black=False)), change_cell(4, Cell(1, 1, black=False)),
     change_cell(1, Cell(0, 1, forfeit=3, paired_black=False)), replace(make_table(), rows=[])],
)  # fmt: skip
def test_tables_that_would_lose_data_are_not_offered(table):
    assert "chessresults" in lossless_formats(make_table())
    assert "chessresults" not in lossless_formats(table)


def test_games_by_default_need_colours_and_a_possible_result():
    table = make_table()
    for cell in (Cell(0, 1, forfeit=4), Cell(0, 0.5, forfeit=4, paired_black=False)):
        table.rows[1].cells[0] = cell
        assert "chessresults" not in lossless_formats(table)


def test_game_played_without_rating_is_marked():
    table = make_table()
    table.rows[0].cells[1] = Cell(0, 0.5, forfeit=2, paired_black=True, kind="unrated")
    table.rows[1].cells[1] = Cell(0, 0.5, forfeit=1, paired_black=False, kind="unrated")
    assert "chessresults" in lossless_formats(table)
    line = '<pairing blackno="1" forfeit="U" pairing="1" resblack="0,5" reswhite="0,5" round="2" whiteno="2"/>'
    assert line in write_chess_results(table).splitlines()
