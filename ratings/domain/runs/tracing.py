"""Tracing of a run: the step at which it first changed each player's state, and through whom the change came.

A change begins at a step that was added, changed or removed, and goes on from player to player by the games of
later tables. Each player has the first step only, so the way back from a player is a shortest chain in date order.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ratings.queries.runs.correction_paths import Origin, PathStep
from ratings.queries.runs.rows import ChangeRow
from ratings.queries.runs.steps import Key, StoredStep
from ratings.systems.game_records import TableWithGames
from ratings.systems.replay import Input

from .derived_rows import StepPosition, get_step_position

PairsOfPlayers = Iterable[tuple[int, int]]
StoredChanges = Mapping[int, tuple[int, ChangeRow]]
"""Stored changes in a step with their ids, by the player's primary key."""
Cause = tuple[int | None, int | None, int | None, dt.date | None]
"""Primary key of a table, an adjustment or a decision; or the closing day."""


@dataclass(frozen=True, slots=True)
class TracedStep:
    """A step of a path and the one before it."""

    step: PathStep
    previous: TracedStep | None = None

    def path(self) -> list[PathStep]:
        """Return the steps of the path, from the one that was changed to this one."""
        steps, at = [self.step], self.previous
        while at is not None:
            steps.append(at.step)
            at = at.previous
        return steps[::-1]


class ComparedStep(NamedTuple):
    """A step of a run, as `Trace.record` needs it; players are given by primary key.

    `at` is None for a step that was removed. `differs` says of each player of the step whether their state differs from
    the stored one now. `games` returns the pairs of players of a table.
    """

    at: StepPosition | None
    rows: Sequence[ChangeRow]
    before: StoredStep
    differs: Mapping[int, bool]
    games: Callable[[], PairsOfPlayers]


class Trace:
    """First changed steps of players by primary key (`reached`), while a run goes through its steps.

    `steps` are all steps of the run, `changed_tables` the tables that are new or marked, `moved` the stored changes of
    tables that are stored on another day, and `ids` the public ids of the players by primary key.
    """

    def __init__(
        self,
        steps: Mapping[Key, Input],
        changed_tables: Collection[int],
        moved: Mapping[int, StoredChanges],
        ids: Mapping[int, str],
    ) -> None:
        self.reached: dict[int, TracedStep] = {}
        self._days = {_cause_at(get_step_position(0, *key, cause)): key[0] for key, cause in steps.items()}
        self._changed_tables, self._ids = changed_tables, ids
        self._moved: dict[Cause, StoredChanges] = {(table, None, None, None): rows for table, rows in moved.items()}
        self._stored: dict[Cause, StoredChanges] = {}

    def start_chunk(self, stored: Mapping[Key, StoredStep]) -> None:
        """Use these stored steps from now on, instead of those of earlier days."""
        self._stored = dict(self._moved)
        self.add_stored(stored)

    def add_stored(self, stored: Mapping[Key, StoredStep]) -> None:
        """Add stored steps; a step may have another position than the stored one."""
        for step in stored.values():
            if step.changes:
                _, row = next(iter(step.changes.values()))
                self._stored.setdefault(_cause_of(row), step.changes)

    def record(self, step: ComparedStep) -> None:
        """Record the players whose states differ from now on, and forget those whose states do not differ any more."""
        new = set()
        for pk, differs in step.differs.items():
            if not differs:
                self.reached.pop(pk, None)
            elif pk not in self.reached:
                new.add(pk)
        if not new:
            return
        self._record_removed(step, new)
        if step.at is not None:
            self._record_rated(step, step.at, new)

    def _record_removed(self, step: ComparedStep, new: set[int]) -> None:
        """Record players of a stored step that does not exist any more or is on another day; take them out of `new`."""
        for pk, (_, row) in step.before.changes.items():
            day = self._days.get(_cause_of(row))
            if day != row.day and pk in new:
                origin = Origin.REMOVED if day is None else Origin.CHANGED
                self.reached[pk] = TracedStep(self._make_step(pk, row, None, origin))
                new.remove(pk)

    def _record_rated(self, step: ComparedStep, at: StepPosition, new: set[int]) -> None:
        stored = self._stored.get(_cause_at(at), {})
        rows = {row.player_id: row for row in step.rows}
        changed = [pk for pk, row in rows.items() if pk in new and not _has_state(stored.get(pk), row)]
        removed = [pk for pk in stored if pk not in rows and pk in new]
        if at.table_id is None or at.table_id in self._changed_tables:
            origin = Origin.CHANGED if stored else Origin.ADDED
            for pk in (*changed, *removed):
                self.reached[pk] = TracedStep(self._make_step(pk, _row_of(stored.get(pk)), rows.get(pk), origin))
        elif changed:
            self._record_reached(changed, rows, stored, step.games())

    def _record_reached(
        self,
        changed: Sequence[int],
        rows: Mapping[int, ChangeRow],
        stored: StoredChanges,
        games: PairsOfPlayers,
    ) -> None:
        """Record players who were reached through the games of an unchanged table."""
        sources = [pk for pk in rows if pk in self.reached]
        sources.sort(key=lambda pk: -_difference_before(_row_of(stored.get(pk)), rows[pk]))
        if not sources:
            return
        steps = {pk: self.reached[pk] for pk in sources}
        for pk, opponent in _find_opponents(sources, games).items():
            if pk in rows:
                steps[pk] = TracedStep(self._make_step(pk, _row_of(stored.get(pk)), rows[pk]), steps[opponent])
        for pk in changed:  # without a chain of games, the rules of the table joined them
            step = self._make_step(pk, _row_of(stored.get(pk)), rows[pk])
            self.reached[pk] = steps.get(pk) or TracedStep(step, steps[sources[0]])

    def _make_step(
        self, pk: int, stored: ChangeRow | None, row: ChangeRow | None, origin: Origin | None = None
    ) -> PathStep:
        known = row or stored
        assert known is not None
        # without a row of its own, the step left the rating as it was before the step
        old, new = stored.after if stored else known.before, row.after if row else known.before
        return PathStep(
            self._ids[pk],
            known.day,
            known.table_id,
            known.adjustment_id,
            known.decision_id,
            (old, new),
            (stored and stored.change, row and row.change),
            known.hidden or bool(stored and stored.hidden),
            origin,
        )


def pair_players(read: TableWithGames | None, pks: Mapping[str, int]) -> PairsOfPlayers:
    """Return the primary keys of the two players of each game of a table, without the games of guests."""
    pairs = () if read is None else read.list_pairs()
    return [(pks[a], pks[b]) for a, b in pairs if a in pks and b in pks]


def _cause_at(at: StepPosition) -> Cause:
    return _make_cause(at.table_id, at.adjustment_id, at.decision_id, at.day)


def _cause_of(row: ChangeRow) -> Cause:
    return _make_cause(row.table_id, row.adjustment_id, row.decision_id, row.day)


def _make_cause(table: int | None, adjustment: int | None, decision: int | None, day: dt.date) -> Cause:
    is_closing = table is None and adjustment is None and decision is None
    return table, adjustment, decision, day if is_closing else None


def _row_of(stored: tuple[int, ChangeRow] | None) -> ChangeRow | None:
    return None if stored is None else stored[1]


def _has_state(stored: tuple[int, ChangeRow] | None, row: ChangeRow) -> bool:
    return stored is not None and stored[1].state == row.state


def _difference_before(stored: ChangeRow | None, row: ChangeRow) -> float:
    """Return by how many rating points a player came to a step with another rating than stored."""
    return abs((row.before or 0) - (stored.before or 0)) if stored else 0


def _find_opponents(sources: Sequence[int], games: PairsOfPlayers) -> dict[int, int]:
    """Return, for each player joined to the sources by games, an opponent one game nearer to them, nearest first."""
    opponents: dict[int, list[int]] = defaultdict(list)
    for a, b in games:
        opponents[a].append(b)
        opponents[b].append(a)
    found: dict[int, int] = {}
    queue, seen = deque(sources), set(sources)
    while queue:
        player = queue.popleft()
        for opponent in opponents[player]:
            if opponent not in seen:
                seen.add(opponent)
                found[opponent] = player
                queue.append(opponent)
    return found
