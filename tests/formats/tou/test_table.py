"""Results in .tou: columns and sample of ../shared/formats/go.md, section 4."""

import datetime as dt
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.formats.event_head import Head
from ratings.formats.lossless import lossless_formats
from ratings.formats.parsed import Cell
from ratings.formats.tou.table import looks_like_tou, read_tou, write_tou
from tests.formats.tables import colours, errors, even, stones, tables, without_lines
from tests.formats.test_samples import HEAD, SAMPLES, TODAY
from tests.thorough import share

FILE = (SAMPLES / "tou" / "good.tou").read_bytes()
ONE_DAY = Head("Event", dt.date(2026, 3, 7), dt.date(2026, 3, 7))


def test_good_file_is_read_whole():
    table, _problems = read_tou(FILE, HEAD, TODAY)
    assert (table.name, table.place, table.time_control, table.first_day, table.last_day) == (
        "Spring Cup", "Sampletown", "60+b", dt.date(2026, 3, 7), dt.date(2026, 3, 8),
    )  # fmt: skip
    assert [(r.number, r.line, r.family, r.given, r.country, r.grade, r.points) for r in table.rows] == [
        (1, 11, "Muster", "Anna", "DE", "5 Dan", None),
        (2, 12, "Van Beispiel", "Jan", "NL", "3 Dan", None),
        (3, 13, "Novák", "Petra", "CZ", "10 Kyu", None),
        (4, 14, "Dupont", "Luc", "FR", "12 Kyu", None),
    ]
    assert [row.outside for row in table.rows] == [{}, {}, {}, {"FR": "2600001"}]
    assert [row.cells for row in table.rows] == [
        [Cell(3, 1, black=False), Cell(2, 1, stones=2, black=False), Cell(0, 1)],
        [Cell(4, 1, black=True), Cell(1, 0, stones=2, black=True), Cell(3, 0.5, black=False)],
        [Cell(1, 0, black=True), Cell(4, 1, black=False), Cell(2, 0.5, black=True)],
        [Cell(2, 0, black=False), Cell(3, 0, black=True), Cell(0, 0)],
    ]


@pytest.mark.parametrize("result", ["0=", "0=0", "0=w0"])
def test_round_not_played_gives_no_points(result):
    """The file has no scores from which half points could be known."""
    data = FILE.replace(b"      0-", f"{result:>8}".encode())
    table, problems = read_tou(data, HEAD, TODAY)
    assert (table.rows[3].cells[2], errors(problems)) == (Cell(0, 0), [])
    assert problems.all == []
    assert table.rows[1].cells[2] == Cell(3, 0.5, black=False)  # a draw stays one


def test_table_with_half_points_without_a_game_is_not_offered():
    table, _problems = read_tou(FILE, ONE_DAY, TODAY)
    table.rows[3].cells[2] = Cell(0, 0.5)
    assert "tou" not in lossless_formats(table)


def test_file_is_written_in_its_columns():
    table, _problems = read_tou(FILE, ONE_DAY, TODAY)
    table.rows[3].national, table.adjusted_minutes = {"FRA": "2600001"}, 82.0
    lines = FILE.decode("latin-1").replace("75Pa", "xxxx").split("\r\n")
    kept = [line for line in lines if not line.startswith((";comm", ";prog", ";size", ";komi"))]
    assert write_tou(table).encode("latin-1").decode("latin-1").split("\r\n") == kept


@pytest.mark.parametrize(
    ("field", "value"),
    [("family", "van Beispiel"), ("family", "A_B"), ("family", "McNovak"), ("given", "山本"), ("given", "x;y"), ("country", ""),
     ("family", "Abcdefghijklmnopqrstuvw")],
)  # fmt: skip
def test_rows_that_the_format_cannot_hold_are_not_offered(field, value):
    table, _problems = read_tou(FILE, ONE_DAY, TODAY)
    assert "tou" in lossless_formats(table)
    setattr(table.rows[0], field, value)
    assert "tou" not in lossless_formats(table)


def test_table_of_several_days_is_not_offered():
    table, _problems = read_tou(FILE, HEAD, TODAY)
    assert "tou" not in lossless_formats(table)


names = st.text("abcdeéüøñ", min_size=1, max_size=5).map(str.title)


@settings(max_examples=share(100, 25))
@given(
    tables(
        names=names,
        conditions=even | colours | stones,
        optional=("grade",),
        heads=st.tuples(names, st.just(""), st.just("60 min")),
    )
)
def test_table_survives_a_round_trip(table):
    table.last_day = table.first_day
    for row in table.rows:
        row.points = None
        row.cells = [cell if cell.opponent else replace(cell, points=round(cell.points)) for cell in row.cells]
    data = write_tou(table).encode("latin-1")
    again, problems = read_tou(data, Head("E", table.first_day, table.first_day), TODAY)
    assert (errors(problems), without_lines(again), looks_like_tou(data)) == ([], table, True)
