"""Rating of several tables in order, with the results as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .protocol import System
from .replay import apply
from .state_json import state_to_json
from .table_arrays import RatedArrays, TableWithGames
from .values import Award, Decision, Game, Player, Row, Table


def rate_separately(
    system: System[Any],
    tables: Sequence[TableWithGames],
    players: Mapping[str, Player],
    states: Mapping[str, Any],
    rulings: Mapping[str, Sequence[Decision]],
) -> RatedArrays[Any]:
    """Rate tables without guests one by one, and return the results as columns.

    `states` are the states before the first table. Raise ValueError that names the table if one cannot be rated.
    """
    now, texts = dict(states), dict[str, str]()
    rows: list[tuple[Any, ...]] = []
    rounds, settled = list[int](), list[bool]()
    awards, warnings = dict[int, tuple[Award, ...]](), dict[int, tuple[str, ...]]()
    for n, read in enumerate(tables):
        result = apply(system, build_table(read), players, now, rulings)
        now.update(result.states)
        for id in result.states:
            texts.pop(id, None)
        for row in result.rows:
            if row.player not in texts:
                texts[row.player] = state_to_json(system, now[row.player])
            if row.awards:
                awards[len(rows)] = row.awards
            rows.append(_list_values(system, row, players[row.player], now[row.player], texts[row.player]))
        rounds.append(result.rounds)
        settled.append(result.settled)
        if result.warnings:
            warnings[n] = result.warnings
    columns: dict[str, Any] = dict.fromkeys(COLUMNS, ())
    columns.update(zip(COLUMNS, zip(*rows, strict=True), strict=bool(rows)))
    last = {id: now[id] for id in texts}
    return RatedArrays(**columns, last=last, rounds=rounds, settled=settled, awards=awards, warnings=warnings)


def build_table(read: TableWithGames) -> Table:
    """Return a table with its games as values."""
    if len(read.table.games) == len(read.games):
        return read.table
    return replace(read.table, games=tuple(Game(*row) for row in read.games))


COLUMNS = (
    "category",
    "category_after",
    "before",
    "after",
    "change",
    "games",
    "games_after",
    "performance",
    "grade_before",
    "grade",
    "published",
    "hidden",
    "notes",
    "states",
)
"""Columns of `RatedArrays` with a value for each seat, in their order."""


def _list_values(system: System[Any], row: Row, player: Player, state: Any, text: str) -> tuple[Any, ...]:
    """Return the values of a seat's columns."""
    standing = system.rating.standing(state, player)
    return (
        row.category,
        row.category_after,
        row.before,
        row.after,
        row.change,
        row.games,
        row.games_after,
        row.performance,
        row.grade_before or "",
        row.grade or "",
        standing.published,
        standing.hidden,
        row.note,
        text,
    )
