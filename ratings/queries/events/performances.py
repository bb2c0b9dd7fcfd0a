"""Performances in a table where the rules of a list reckon none: as those of a player's years are reckoned."""

from __future__ import annotations

from typing import Any

from ratings.systems.performance import performance, rated_results
from ratings.systems.protocol import System

from .crosstables import Crosstable, CrosstableRow


def performances(crosstable: Crosstable, system: System[Any]) -> dict[int, float | None]:
    """By table number, in rating points; None where no rating would have made one expect the score."""
    if system.reckons_performance:
        return {row.entry.number: row.change.performance if row.change else None for row in crosstable.rows}
    before = {row.entry.number: row.change.before if row.change else None for row in crosstable.rows}
    return {row.entry.number: _performance(row, before, system) for row in crosstable.rows}


def _performance(row: CrosstableRow, before: dict[int, float | None], system: System[Any]) -> float | None:
    """Of one row; `before` are the ratings that all of the table brought to it."""
    if row.change is None or not row.change.games:
        return None
    cells = [cell for several in row.rounds for cell in several if cell.opponent is not None and cell.played]
    played = ((row.change.before, before.get(cell.cell.opponent), cell.cell.game(1, cell.board)) for cell in cells)
    return performance(system, rated_results(system, played))
