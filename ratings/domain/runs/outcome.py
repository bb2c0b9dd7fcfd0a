"""What a run computes, before anything of it is stored."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ratings.queries.rows import AwardRow, ChangeRow, TableRow
from ratings.queries.steps import Stored
from ratings.systems import values

from .rows import StepRows

Told = Callable[[int, int], None]
"""Called now and then with the tables done and rated so far; may raise to stop the run."""


def silently(done: int, visited: int) -> None:
    """For who does not want to be told."""


class UnratableError(Exception):
    """A step cannot be rated; says which one, and why."""


@dataclass
class Outcome:
    """What a run found: rows to take away (by id) and rows to write, and the state of everybody whom it concerns."""

    since: dt.date
    to_do: int = 0
    done: int = 0
    visited: int = 0
    gone_changes: list[int] = field(default_factory=list)
    gone_awards: list[int] = field(default_factory=list)
    gone_tables: list[int] = field(default_factory=list)
    changes: list[ChangeRow] = field(default_factory=list)
    awards: list[AwardRow] = field(default_factory=list)
    tables: list[TableRow] = field(default_factory=list)
    played_now: set[int] = field(default_factory=set)
    """Players of tables that were not rated before."""
    states: dict[int, Any] = field(default_factory=dict)
    """By the player's database id, of everybody one of whose rows comes or goes; None for nothing left."""
    players: dict[int, values.Player] = field(default_factory=dict)

    def compare(self, rows: StepRows, before: Stored) -> None:
        """Note which rows of a step come and which go."""
        self._compare_tables(rows.table, before)
        if not before.changes and not before.awards:
            self.changes += rows.changes
            for won in rows.awards.values():
                self.awards += won
            self.states.update(dict.fromkeys(row.player_id for row in rows.changes))
            return
        changes = {row.player_id: row for row in rows.changes}
        for pk in {*changes, *before.changes, *before.awards}:
            self._compare_changes(pk, changes.get(pk), before)
            self._compare_awards(pk, rows.awards.get(pk, ()), before)

    def _compare_tables(self, new: TableRow | None, before: Stored) -> None:
        if before.table is not None and before.table[1] != new:
            self.gone_tables.append(before.table[0])
        if new is not None and (before.table is None or before.table[1] != new):
            self.tables.append(new)

    def _compare_changes(self, player: int, new: ChangeRow | None, before: Stored) -> None:
        pk, stored = before.changes.get(player, (None, None))
        if new == stored:
            return
        self.gone_changes += [] if pk is None else [pk]
        self.changes += [] if new is None else [new]
        self.states[player] = None  # what he ends at is known at the end

    def _compare_awards(self, player: int, won: Sequence[AwardRow], before: Stored) -> None:
        stored = before.awards.get(player, [])
        if list(won) != [award for _, award in stored]:
            self.gone_awards += [pk for pk, _ in stored]
            self.awards += won
            self.states[player] = None
