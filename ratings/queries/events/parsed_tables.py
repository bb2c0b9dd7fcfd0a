"""Stored tables as files contain them."""

from __future__ import annotations

from django.utils.translation import override

from ratings.formats.parsed import Cell, ParsedRow, ParsedTable
from ratings.queries.players.outside_ids import read_public_ids

from .crosstables import Crosstable, CrosstableRow


def parsed_table(crosstable: Crosstable, *, published: bool, graded: bool = False) -> ParsedTable:
    """Return a table as files contain it.

    `published` adds ratings and grades, `graded` only the grades held before the table.
    """
    table, event = crosstable.table, crosstable.table.event
    rows = [_build_row(row, published=published) for row in crosstable.rows]
    for row, parsed in zip(crosstable.rows, rows, strict=True) if graded else ():
        parsed.grade = (row.change.grade_before or None) if row.change else None
    with override("en"):  # files are the same for all visitors
        country = str(event.country.name) if event.country else ""
    name = f"{event.name} – {table.name}" if table.name else event.name
    return ParsedTable(
        name,
        table.first_day,
        table.last_day,
        rows,
        event.place,
        country,
        event.time_control,
        published=published,
        code=str(event.country),
    )


def add_outside_ids(parsed: ParsedTable, crosstable: Crosstable, registry: str) -> None:
    """Add the players' public ids in a registry to the rows of a table as files contain it."""
    ids = read_public_ids([row.entry.player_id for row in crosstable.rows], registry)
    for row, written in zip(crosstable.rows, parsed.rows, strict=True):
        if row.entry.player_id in ids:
            written.outside[registry] = ids[row.entry.player_id]


def _build_row(row: CrosstableRow, *, published: bool) -> ParsedRow:
    player, change = row.entry.player, row.change
    parsed = ParsedRow(row.entry.number, 0, player.public_family, player.public_given, str(player.country))
    parsed.cells = [cells[0].cell if cells else Cell(0, 0) for cells in row.rounds]
    parsed.simultaneous = row.entry.guest
    parsed.macmahon = None if row.entry.macmahon is None else float(row.entry.macmahon)
    parsed.points, parsed.place = row.points, row.entry.place
    if published and change is not None:
        parsed.grade = change.grade_before or None
        parsed.rating = None if row.rating is None else round(row.rating)
        parsed.starred = row.is_new_rating
        parsed.change = None if row.is_new_rating or change.change is None else round(change.change)
        parsed.promoted = row.new_grade.grade if row.new_grade and not row.new_grade.needs_approval else None
    return parsed
