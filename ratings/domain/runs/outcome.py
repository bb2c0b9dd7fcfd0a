"""Result of computing a run, before it is stored."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import Any, NamedTuple

from ratings.queries.runs.rows import AwardRow, ChangeRow, TableRow
from ratings.queries.runs.steps import Key, StoredStep
from ratings.systems import values

from .derived_rows import RatedBatch, StepRows
from .tracing import TracedStep

ProgressCallback = Callable[[int, int], None]
"""Progress callback: called now and then with the numbers of tables done and rated; may raise to stop the run."""
BatchReceiver = Callable[[RatedBatch], None]
"""Callback for the results of steps that were rated together, of a list of which nothing is stored."""


def ignore_progress(done: int, visited: int) -> None:
    """Ignore the progress of a run."""


class UnratableError(Exception):
    """Error for a step that cannot be rated; the message says which one, and why."""


class PlayedGames(NamedTuple):
    """Number of a player's rated games, the last day with any, and the change of the rating then.

    `row` is the primary key of that change, if it is stored. Ratings and changes are in rating points.
    """

    games: int = 0
    row: int | None = None
    day: dt.date | None = None
    before: float | None = None
    after: float | None = None
    change: float | None = None

    @property
    def may_wait(self) -> bool:
        """True if the games left the rating as it was, so that a closing day may move it for them."""
        return not self.change and self.before == self.after


@dataclass
class Outcome:
    """Result of a run: rows to delete (by primary key), rows to insert, and the final states of affected players."""

    since: dt.date
    to_do: int = 0
    done: int = 0
    visited: int = 0
    removed_changes: list[int] = field(default_factory=list)
    removed_by_step: Counter[Key] = field(default_factory=Counter)
    """Numbers of changes to delete, by the step at which they are stored."""
    removed_awards: list[int] = field(default_factory=list)
    removed_tables: list[int] = field(default_factory=list)
    changes: list[ChangeRow] = field(default_factory=list)
    awards: list[AwardRow] = field(default_factory=list)
    tables: list[TableRow] = field(default_factory=list)
    batches: list[RatedBatch] = field(default_factory=list)
    """Results of steps of a list without rows; their changes are not in `changes`."""
    new_tables: set[int] = field(default_factory=set)
    """Primary keys of the tables that were not rated before."""
    newly_played: set[int] = field(default_factory=set)
    """Primary keys of the players of tables that were not rated before."""
    states: dict[int, Any] = field(default_factory=dict)
    """Final states of players with added or removed rows, by primary key; None for a player with no rows left."""
    players: dict[int, values.Player] = field(default_factory=dict)
    leaf_hashes: dict[int, bytes] = field(default_factory=dict)
    """Hashes of the leaves of the tables that were read, by primary key; none if the list has no log."""
    result_hashes: bytearray | None = None
    """Hashes of the leaves of all results of the list, in their order; None if results were stored before the run."""
    played: dict[int, PlayedGames] | None = None
    """Rated games of all players of the list, by primary key; None if results were stored before the run."""
    adjustments: Sequence[values.Adjustment] | None = None
    """Adjustments from `since` on, as `load_adjustments` returns them; None if there was no run."""
    reached: dict[int, TracedStep] = field(default_factory=dict)
    """First changed steps of the players whose final state differs from the stored one, by primary key."""

    def list_changes(self) -> Iterator[ChangeRow]:
        """Yield the changes to insert."""
        return chain(self.changes, chain.from_iterable(self.batches))

    def count_changes(self) -> int:
        """Return the number of changes to insert."""
        return len(self.changes) + sum(map(len, self.batches))

    def add(self, rows: StepRows) -> None:
        """Record the rows of a step of which nothing is stored."""
        self.tables += [] if rows.table is None else [rows.table]
        self.changes += rows.changes
        for awards in rows.awards.values():
            self.awards += awards
        self.states.update(dict.fromkeys(row.player_id for row in rows.changes))

    def compare(self, rows: StepRows, before: StoredStep) -> None:
        """Record which rows of a step are added and which are removed, compared with the stored rows."""
        if before.table is None and not before.changes and not before.awards:
            self.add(rows)
            return
        self._compare_tables(rows.table, before)
        changes = {row.player_id: row for row in rows.changes}
        for pk in {*changes, *before.changes, *before.awards}:
            self._compare_changes(pk, changes.get(pk), before)
            self._compare_awards(pk, rows.awards.get(pk, ()), before)

    def _compare_tables(self, new: TableRow | None, before: StoredStep) -> None:
        if before.table is not None and before.table[1] != new:
            self.removed_tables.append(before.table[0])
        if new is not None and (before.table is None or before.table[1] != new):
            self.tables.append(new)

    def _compare_changes(self, player: int, new: ChangeRow | None, before: StoredStep) -> None:
        pk, stored = before.changes.get(player, (None, None))
        if new == stored:
            return
        if pk is not None and stored is not None:
            self.removed_changes.append(pk)
            self.removed_by_step[stored.day, stored.place] += 1
        self.changes += [] if new is None else [new]
        self.states[player] = None  # the final state is set at the end of the run

    def _compare_awards(self, player: int, awards: Sequence[AwardRow], before: StoredStep) -> None:
        stored = before.awards.get(player, [])
        if list(awards) != [award for _, award in stored]:
            self.removed_awards += [pk for pk, _ in stored]
            self.awards += awards
            self.states[player] = None
