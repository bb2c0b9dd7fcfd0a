"""Performances in a table where the rules of a list reckon none: as those of a player's years are reckoned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ratings.systems.performance import Result, performance
from ratings.systems.protocol import System
from ratings.systems.values import Game

from .crosstables import Crosstable, CrosstableCell


def performances(crosstable: Crosstable, system: System[Any]) -> dict[int, float | None]:
    """By table number, in rating points; None where no rating would have made one expect the score."""
    if system.reckons_performance:
        return {row.entry.number: row.change.performance if row.change else None for row in crosstable.rows}
    ratings = {row.entry.number: row.change.before if row.change else None for row in crosstable.rows}
    cells = {row.entry.number: [cell for several in row.rounds for cell in several] for row in crosstable.rows}
    counted = {row.entry.number for row in crosstable.rows if row.change and row.change.games}
    return {
        number: performance(system, _results(system, ratings, number, cells[number])) if number in counted else None
        for number in ratings
    }


def _results(
    system: System[Any], ratings: dict[int, float | None], number: int, cells: Sequence[CrosstableCell]
) -> list[Result]:
    """Of games that the rules rate, between players who were both rated."""
    met = ((cell, ratings.get(cell.opponent.number)) for cell in cells if cell.opponent is not None and cell.played)
    own = ratings[number]
    if own is None:
        return []
    played = [Result(own, theirs, _value(cell)) for cell, theirs in met if theirs is not None]
    return [result for result in played if system.predict(*result, "a") is not None]


def _value(of: CrosstableCell) -> Game:
    """With the row's player as `a`."""
    cell = of.cell
    giver = None if cell.handicap is None else "a" if cell.gave else "b"
    black = None if cell.black is None else "a" if cell.black else "b"
    return Game(1, "a", "b", cell.points, True, cell.handicap, giver, cell.stones, black, of.board)
