"""Formats that can hold all data of a table."""

import datetime as dt

import pytest

from ratings.formats.lossless import lossless_formats
from ratings.formats.parsed import Cell, ParsedRow, ParsedTable

DAY = dt.date(2024, 1, 6)


def make_table(places):
    cells = [Cell(2, 1.0), Cell(1, 0.0)]
    rows = [
        ParsedRow(number, number, family, "X", country="DE", cells=[cell], place=place)
        for number, family, cell, place in zip((1, 2), ("Lind", "Brand"), cells, places, strict=True)
    ]
    return ParsedTable("Cup", DAY, DAY, rows, "Bonn", "DE", "")


@pytest.mark.parametrize(
    ("places", "offered"), [((None, None), True), ((1, 2), True), ((2, 1), False), ((1, 1), False)]
)
def test_files_of_go_are_offered_unless_official_places_are_other_ones_than_their_rows(places, offered):
    formats = lossless_formats(make_table(places))
    assert {form: form in formats for form in ("h9", "tou", "csv")} == {"h9": offered, "tou": offered, "csv": True}
