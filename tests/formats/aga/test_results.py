"""Result files of the American Go Association: what is read of them."""

import datetime as dt
from pathlib import Path

import pytest

from ratings.formats.aga.results import read_aga
from ratings.formats.event_head import Head
from ratings.formats.parsed import Cell
from tests.formats.tables import TODAY, errors

HEAD = Head("Cup of the portal", TODAY, TODAY)
SAMPLES = Path(__file__).parents[1] / "samples" / "aga"


def read(name="good.txt"):
    table, problems = read_aga((SAMPLES / name).read_bytes(), HEAD, TODAY)
    assert errors(problems) == []
    return table


def test_good_file_is_read_whole():
    table = read()
    days = (dt.date(2026, 3, 7), dt.date(2026, 3, 8))
    assert (table.name, table.first_day, table.last_day, table.place) == ("Spring Cup", *days, "Princeton, NJ")
    assert [(row.name, row.grade, row.outside) for row in table.rows] == [
        ("Muster Anna", "5 Dan", {"aga": "489"}),
        ("van Beispiel Jan", "3 Dan", {"aga": "3199"}),
        ("Novák Petra", "10 Kyu", {"aga": "77"}),
        ("Dupont Luc", "12 Kyu", {}),  # OpenGotha's number for a player without an id
    ]
    assert [row.cells for row in table.rows] == [
        [Cell(3, 1, stones=9, black=False), Cell(2, 1, stones=2, black=False), Cell(4, 1, black=True)],
        [Cell(4, 1, stones=9, black=False), Cell(1, 0, stones=2, black=True), Cell(3, 0, black=False)],
        [Cell(1, 0, stones=9, black=True), Cell(4, 0, stones=1, black=False), Cell(2, 1, black=True)],
        [Cell(2, 0, stones=9, black=True), Cell(3, 1, stones=1, black=True), Cell(1, 0, black=False)],
    ]


@pytest.mark.parametrize("name", ["without-rounds.txt", "good-tabs.txt", "good-latin-1.txt", "good-small-letters.txt"])
def test_other_ways_to_write_it_are_the_same_table(name):
    assert [row.cells for row in read(name).rows] == [row.cells for row in read().rows]


def test_sample_of_the_association_is_read():
    """The example of the association's page for tournament directors, with other names."""
    text = (
        "TOURNEY Example Club Rated Games, Princeton, NJ\n\tstart=6/15/2026\n\tfinish=6/30/2026\n"
        "\tlocation='Princeton, NJ'\n\trules=AGA\nPLAYERS\n 489 Muster, Anna  4k\n3199 Dupont, Luc   1d\n"
        "GAMES\n489 3199 b 0 7\n3199 489 W 2 0\n"
    )
    table, problems = read_aga(text.encode(), HEAD, TODAY)
    assert errors(problems) == []
    assert (table.name, table.last_day) == ("Example Club Rated Games, Princeton, NJ", dt.date(2026, 6, 30))
    assert table.rows[0].cells == [Cell(2, 0, black=False), Cell(2, 0, stones=2, black=True)]


def test_games_without_result_keep_their_opponents():
    assert [row.cells[2].paired for row in read("no-result-yet.txt").rows] == [0, 3, 2, 0]
