"""Rating of several steps in order, with the results as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from .game_records import TableWithGames
from .protocol import System
from .replay import Input, apply
from .state_json import state_to_json
from .table_arrays import SEAT_COLUMNS, RatedArrays
from .values import Award, Decision, Player, Row, Standing, Table


def rate_separately(
    system: System[Any],
    steps: Sequence[TableWithGames | Input],
    players: Mapping[str, Player],
    states: Mapping[str, Any],
    rulings: Mapping[str, Sequence[Decision]],
) -> RatedArrays[Any]:
    """Rate tables without guests and adjustments of one player one by one, and return the results as columns.

    `states` are the states before the first step. Raise ValueError that names the step if one cannot be rated.
    """
    now, texts = dict(states), dict[str, str]()
    rows: list[tuple[Any, ...]] = []
    rounds, settled = list[int](), list[bool]()
    awards, warnings = dict[int, tuple[Award, ...]](), dict[int, tuple[str, ...]]()
    for n, step in enumerate(steps):
        cause = build_table(step) if isinstance(step, TableWithGames) else step
        result = apply(system, cause, players, now, rulings)
        now.update(result.states)
        for id in result.states:
            texts.pop(id, None)
        for row in result.rows:
            if row.player not in texts:
                texts[row.player] = state_to_json(system, now[row.player])
            if row.awards:
                awards[len(rows)] = row.awards
            standing = system.rating.standing(now[row.player], players[row.player])
            rows.append(list_seat_values(row, standing, texts[row.player]))
        rounds.append(result.rounds)
        settled.append(result.settled)
        if result.warnings:
            warnings[n] = result.warnings
    columns: dict[str, Any] = dict.fromkeys(SEAT_COLUMNS, ())
    columns.update(zip(SEAT_COLUMNS, zip(*rows, strict=True), strict=bool(rows)))
    last = {id: now[id] for id in texts}
    return RatedArrays(**columns, last=last, rounds=rounds, settled=settled, awards=awards, warnings=warnings)


def build_table(read: TableWithGames) -> Table:
    """Return a table with its games as values."""
    if len(read.table.games) == len(read.games):
        return read.table
    return replace(read.table, games=tuple(read.list_games()))


def list_seat_values(row: Row, standing: Standing, state: str) -> tuple[Any, ...]:
    """Return the values of a row in the order of `SEAT_COLUMNS`; `standing` and `state` are those after the table."""
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
        state,
    )
