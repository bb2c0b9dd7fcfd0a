"""Result files of the American Go Association: what is read of them."""

import datetime as dt
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ratings.formats.aga.results import looks_like_aga, read_aga
from ratings.formats.aga.written import holds_games, write_aga
from ratings.formats.event_head import Head
from ratings.formats.lossless import lossless_formats
from ratings.formats.parsed import Cell
from tests.formats.tables import TODAY, colours, errors, stones, tables, without_lines, words
from tests.thorough import share

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


def test_written_file_has_the_form_of_the_association():
    assert write_aga(read()).splitlines() == [
        "TOURNEY Spring Cup",
        "\tstart=3/7/2026",
        "\tfinish=3/8/2026",
        "\tlocation='Princeton, NJ'",
        "\trules=AGA",
        "PLAYERS",
        "  489 Muster, Anna 5d",
        " 3199 van Beispiel, Jan 3d",
        "   77 Novák, Petra 10k",
        "99999 Dupont, Luc 12k",
        "GAMES 1",
        "489 77 W 9 0",
        "3199 99999 W 9 0",
        "GAMES 2",
        "489 3199 W 2 0",
        "77 99999 B 0 0",
        "GAMES 3",
        "3199 77 B 0 7",
        "99999 489 B 0 7",
        "END",
    ]


def drop_draws_and_byes(table):
    """Return a table as the association has them: draws are won by Black, and who does not play has no point."""
    for row in table.rows:
        row.cells = [
            replace(cell, points=float(cell.black)) if cell.opponent and cell.points == 0.5
            else cell if cell.opponent else Cell(0, 0)
            for cell in row.cells
        ]  # fmt: skip
        row.points, row.country = None, ""
    return table


heads = st.tuples(words(), st.just(""), st.just(""))


@settings(max_examples=share(60, 20))
@given(tables(conditions=colours | stones, optional=("grade",), heads=heads), st.data())
def test_written_tables_are_read_again(table, data):
    table = drop_draws_and_byes(table)
    assume(any(row.cells[-1].opponent for row in table.rows))
    ids = iter(data.draw(st.lists(st.integers(1, 50_000), unique=True, min_size=len(table.rows))))
    for row in table.rows:
        row.outside = {"aga": str(next(ids))} if data.draw(st.booleans()) else {}
    text = write_aga(table).encode()
    again, problems = read_aga(text, HEAD, TODAY)
    for row in again.rows:
        row.points = None
    assert (holds_games(table), looks_like_aga(text), errors(problems), without_lines(again)) == (True, True, [], table)


def change(place="Princeton, NJ", **changes):
    table = read()
    table.place = place
    table.rows[0] = replace(table.rows[0], **changes)
    return table


@pytest.mark.parametrize(
    "table",
    [change("'Princeton'"), change(family=""), change(family="Muster, Anna"), change(given="5d"), change(given="Anna 5 K"),
     change(number=9), change(macmahon=1.0), change(simultaneous=True), change(cells=[Cell(0, 1)] * 3),
     change(cells=[Cell(0, 0, forfeit=2)] * 3), change(cells=[Cell(2, 0.5, black=True)] * 3), change(cells=[Cell(2, 1)] * 3)],
)  # fmt: skip
def test_tables_that_would_lose_data_are_not_offered(table):
    assert "aga" in lossless_formats(read())
    assert "aga" not in lossless_formats(table)
