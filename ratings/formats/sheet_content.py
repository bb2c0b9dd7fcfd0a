"""A results sheet as people edit it: texts as they were typed, whether they can be read or not."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from .parsed import Cell, ParsedRow, ParsedTable, points_text

UNREAD = "?"
"""Stands in a cell that the file had and nobody could read."""


@dataclass(slots=True)
class SheetRow:
    """A player's line. `player` is the public id of whom it is; `new` that he is to be made from what stands here."""

    family: str = ""
    given: str = ""
    country: str = ""
    player: str = ""
    new: bool = False
    birth_year: int | None = None
    start_year: int | None = None
    prior_grade: str = ""
    evidence: str = ""
    fixed_rating: float | None = None
    macmahon: str = ""
    points: str = ""  # as the file gave them, to be compared
    cells: list[str] = field(default_factory=list)
    line: int | None = None

    @property
    def name(self) -> str:
        return f"{self.family} {self.given}".strip()

    @property
    def empty(self) -> bool:
        """Nothing was entered here."""
        return not (self.name or self.player or self.macmahon or any(cell.strip() for cell in self.cells))


@dataclass(slots=True)
class Remark:
    """What was said while a file was read and cannot be seen in the sheet any more."""

    level: str
    message: str
    line: int | None = None
    row: int | None = None
    round: int | None = None


@dataclass(slots=True)
class SheetContent:
    """All rows; `confirmed` has a word for each warning that somebody accepts knowingly, by its key.

    `details` holds what only some systems ask for, of the table (tournament, minutes, overtime_moves,
    overtime_seconds, increment) and of all its games (board, online, correspondence), by its name.
    """

    rounds: int
    rows: list[SheetRow]
    confirmed: dict[str, str] = field(default_factory=dict)
    remarks: list[Remark] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)

    def written(self) -> dict[str, Any]:
        """Plain JSON."""
        return asdict(self)


def content_of(written: Mapping[str, Any]) -> SheetContent:
    """The inverse of `written`."""
    rows = [SheetRow(**row) for row in written.get("rows", [])]
    remarks = [Remark(**remark) for remark in written.get("remarks", [])]
    confirmed, details = dict(written.get("confirmed", {})), dict(written.get("details", {}))
    return SheetContent(written.get("rounds", 0), rows, confirmed, remarks, details)


def blank(players: int, rounds: int) -> SheetContent:
    """An empty sheet to type into."""
    return SheetContent(rounds, [SheetRow(cells=[""] * rounds) for _ in range(players)])


def sheet_of(table: ParsedTable) -> SheetContent:
    """A sheet from what a file gave; its rows count from 1, whatever numbers the file had."""
    places = {row.number: place for place, row in enumerate(table.rows, 1)}
    return SheetContent(table.rounds, [_row(row, table.rounds, places) for row in table.rows])


def _row(row: ParsedRow, rounds: int, places: Mapping[int, int]) -> SheetRow:
    cells = ["&"] if row.simultaneous else [_text(cell, places) for cell in row.cells]
    cells += [UNREAD if row.broken else ""] * (rounds - len(cells))
    macmahon = "" if row.macmahon is None else points_text(row.macmahon)
    family = "" if row.broken else row.family
    points = "" if row.points is None else points_text(row.points)
    return SheetRow(
        family, row.given, row.country, new=row.new, macmahon=macmahon, points=points, cells=cells, line=row.line
    )


def _text(cell: Cell, places: Mapping[int, int]) -> str:
    known = replace(cell, opponent=places.get(cell.opponent, cell.opponent))
    return known.token() + known.mark
