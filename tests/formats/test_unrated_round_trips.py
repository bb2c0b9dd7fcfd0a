"""Round trips of games that are not rated: by default, without rating, and full points that are not the pairing's bye."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.domain.results.crosstable_input import TypedRow, read_crosstable
from ratings.formats.event_head import Head
from ratings.formats.h9.table import write_h9
from ratings.formats.lossless import lossless_formats
from ratings.formats.opengotha.written import write_opengotha
from ratings.formats.parsed import ParsedTable
from ratings.formats.recognise import read_results_file
from ratings.formats.sheet_content import content_from_table
from ratings.formats.spreadsheet.table import write_csv, write_xlsx
from ratings.formats.trf.table import write_trf
from tests.thorough import share

from .tables import TODAY, colours, errors, even, tables

HEAD = Head("another", TODAY, TODAY)
FULL_BYES = ["", "full bye"]
UNPLAYED = st.sampled_from([None, "unrated", (0, 0), (1, 1), (1, 0), (0.5, 0.5)])
"""Kinds of games that are not rated: None leaves a game as it is, points are those of both by default."""


@st.composite
def unrated_tables(draw):
    """Tables of which some games were won by default or played without rating."""
    table = draw(tables(conditions=even | colours))
    for row in table.rows:
        for index, cell in enumerate(row.cells):
            if row.number < cell.opponent and (kind := draw(UNPLAYED)):
                change_game(table, row, index, kind)
            elif not cell.opponent and cell.points == 1 and not cell.forfeit:
                row.cells[index] = replace(cell, kind=draw(st.sampled_from(FULL_BYES)))
    for row in table.rows:
        row.points = sum(cell.points for cell in row.cells)
    return table


def change_game(table, row, index, kind):
    cell = row.cells[index]
    other = table.rows[cell.opponent - 1]
    points = (cell.points, 1 - cell.points) if kind == "unrated" else kind
    changes = {"opponent": 0, "black": None, "kind": kind if kind == "unrated" else ""}
    mirrored, black = other.cells[index], None if cell.black is None else not cell.black
    row.cells[index] = replace(cell, points=points[0], forfeit=other.number, paired_black=cell.black, **changes)
    other.cells[index] = replace(mirrored, points=points[1], forfeit=row.number, paired_black=black, **changes)


def list_cells(rows, *, with_byes=True):
    """Return the cells as people type them, perhaps without the kind of full points without an opponent."""
    cells = [[cell.typed for cell in row.cells] for row in rows]
    return cells if with_byes else [[text.removesuffix("f") for text in row] for row in cells]


WRITERS = {"trf": write_trf, "h9": write_h9, "opengotha": write_opengotha, "csv": write_csv, "xlsx": write_xlsx}


@pytest.mark.parametrize("form", WRITERS)
@settings(max_examples=share(80, 20), deadline=None)
@given(table=unrated_tables())
def test_table_written_and_read_again_is_the_same(form, table):
    if form not in lossless_formats(table):
        return
    written = WRITERS[form](table)
    found = read_results_file(written.encode() if isinstance(written, str) else written, HEAD, TODAY)
    assert errors(found.problems) == []
    if form == "trf":  # the only full point of a round is the bye of the pairing, several are none
        assert write_trf(found.table) == written
    assert list_cells(found.table.rows, with_byes=form != "trf") == list_cells(table.rows, with_byes=form != "trf")


def make_table(*cells):
    """Return a table of four players with one round, whose results are typed."""
    typed = [TypedRow(number, None, "", (text,), f"Player{number}, Ann") for number, text in enumerate(cells, 1)]
    read = read_crosstable(typed)
    assert errors(read.problems) == []
    for row in read.rows:
        row.family, row.given, row.country, row.points = f"Player{row.number}", "Ann", "FR", row.cells[0].points
    return ParsedTable("Cup", TODAY, TODAY, read.rows, place="Lyon", country="France", code="FR")


UNMARKED = {"trf", "csv", "xlsx", "grid", "published", "h9", "opengotha"}


@pytest.mark.parametrize(
    ("cells", "formats"),
    [
        (("2+", "1-", "0+", "0-"), UNMARKED),
        (("2+!", "1-!", "0+", "0-"), UNMARKED - {"grid", "published"}),
        (("2+!/w", "1-!/b", "0+", "0-"), UNMARKED - {"grid", "published", "h9"}),
        (("2+", "1-", "0+f", "0-"), {"trf", "csv", "xlsx"}),
        (("2+u", "1-u", "0+", "0-"), {"trf", "csv", "xlsx"}),
    ],
)
def test_formats_that_would_lose_a_result_are_not_offered(cells, formats):
    assert UNMARKED & set(lossless_formats(make_table(*cells))) == formats


@settings(max_examples=share(80, 20), deadline=None)
@given(table=unrated_tables())
def test_results_page_keeps_these_games(table):
    content = content_from_table(table)
    typed = [TypedRow(number, None, "", tuple(row.cells), row.name) for number, row in enumerate(content.rows, 1)]
    read = read_crosstable(typed)
    assert (errors(read.problems), read.missing) == ([], [])
    assert list_cells(read.rows) == list_cells(table.rows)
