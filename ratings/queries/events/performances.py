"""Performances in a table: by the rules of the list, or computed as for a player's years if the rules have none."""

from __future__ import annotations

from typing import Any

from ratings.models import RatedTable, TableFacts
from ratings.systems.performance import compute_performance, list_rated_games
from ratings.systems.protocol import System

from .crosstables import Crosstable, CrosstableRow


def stored_facts(rated: RatedTable | None) -> TableFacts | None:
    """Return the stored facts of a rated table; None until a worker has computed them."""
    return getattr(rated, "facts", None)


def performances(crosstable: Crosstable, system: System[Any]) -> dict[int, float | None]:
    """Return performances by table number, in rating points, as stored with the facts of the table, else computed."""
    facts = stored_facts(crosstable.rated)
    if facts is None:
        return compute_performances(crosstable, system)
    return {row.entry.number: facts.player_facts(row.entry.player_id).get("performance") for row in crosstable.rows}


def compute_performances(crosstable: Crosstable, system: System[Any]) -> dict[int, float | None]:
    """Return performances by table number, in rating points; None if no rating has the score as its expected score."""
    if system.presentation.defines_performance:
        return {row.entry.number: row.change.performance if row.change else None for row in crosstable.rows}
    before = {row.entry.number: row.change.before if row.change else None for row in crosstable.rows}
    return {row.entry.number: _compute_performance(row, before, system) for row in crosstable.rows}


def _compute_performance(row: CrosstableRow, before: dict[int, float | None], system: System[Any]) -> float | None:
    """Return the performance of one row; `before` are the ratings before the table, by table number."""
    if row.change is None or not row.change.games:
        return None
    cells = [cell for round_ in row.rounds for cell in round_ if cell.opponent is not None and cell.played]
    played = (
        (row.change.before, before.get(cell.cell.opponent), cell.cell.to_game(1, cell.board), None) for cell in cells
    )
    return compute_performance(system, list_rated_games(system, played))
