"""Computation of a run: the steps of a list in order, compared with the stored ones, rating only what is affected.

A table is rated again if it is new, marked, or has another place in the order than before, or if the state of one of
its players differs from the stored state. Nothing is written to the database here.
"""

from __future__ import annotations

import datetime as dt
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, chain, groupby, islice, pairwise

from ratings.models import RatingList
from ratings.queries.lists.history import load_adjustments_and_decisions, span_of, tables_in_order
from ratings.queries.runs.states import latest_changes
from ratings.queries.runs.steps import Key, StoredStep, stored_changes
from ratings.queries.runs.values import MAX_PLAYERS_BY_ID
from ratings.systems import values
from ratings.systems.game_records import TableWithGames
from ratings.systems.replay import Input, number_inputs
from ratings.systems.state_json import state_from_json
from ratings.systems.table_batches import build_table

from .chunks import Chunk, find_changed_steps, list_new_steps, split_into_chunks
from .compared_rows import ComparedRows
from .derived_rows import (
    RatedBatch,
    StepPosition,
    StepRows,
    build_award_rows,
    build_change_row,
    build_table_row,
    get_step_position,
    remove_grades,
)
from .first_rows import FirstRows, has_rows
from .outcome import BatchReceiver, Outcome, ProgressCallback
from .run_tables import READ_TOGETHER, RunTables
from .step_rating import StepRater
from .stored_steps import StoredSteps
from .storing import last_day
from .tracing import Trace, pair_players

MOST_STEPS = 500
"""Number of steps that are rated together at most, so that their rows can be stored while the next ones are rated."""
BatchStep = tuple[Key, Input, TableWithGames | None, StoredStep]
"""A step of a batch: its key, its cause (a table without its games), the table with its games, and the stored step."""


@dataclass(frozen=True)
class RunMode:
    """Additions to a run that rates what is affected.

    `whole`: rate every table and return the final states of all players. `compiled`: use compiled code where the system
    has it; loading it takes a second, which is too long for few tables. `logged`: return the hashes of the leaves of
    the tables read. `new_options`: the options have changed, so return the final states of all players.
    `receive_batch`: called with the results of steps of a list without rows, which are then not in the outcome.
    """

    whole: bool = False
    compiled: bool = True
    logged: bool = False
    new_options: bool = False
    receive_batch: BatchReceiver | None = None


def compute(
    rating_list: RatingList, since: dt.date, report_progress: ProgressCallback, mode: RunMode | None = None
) -> Outcome:
    """Return the outcome of rating a list from a day on, compared with what is stored.

    `report_progress` is called with the progress. UnratableError: a step cannot be rated.
    """
    return _Walk(rating_list, since, report_progress, mode or RunMode()).run()


class _Walk:
    def __init__(
        self, rating_list: RatingList, since: dt.date, report_progress: ProgressCallback, mode: RunMode
    ) -> None:
        self.list, self.since, self.report_progress = rating_list, since, report_progress
        self.mode, self.graded = mode, rating_list.has_grades
        self.outcome, self.first = Outcome(since), not has_rows(rating_list)
        self.adjustments, self.decisions = load_adjustments_and_decisions(rating_list, since)
        self.rater = StepRater(rating_list, self.decisions, compiled=mode.compiled)
        self.people, self.states = self.rater.people, self.rater.states
        self.tables = RunTables(rating_list, self.rater.past, logged=mode.logged)
        self.stored = StoredSteps(rating_list, whole=mode.whole or since == dt.date.min)
        self.batch: list[tuple[Key, Input]] = []  # consecutive tables and adjustments to be rated
        self.next_tables: dict[Key, int] = {}  # tables by the keys of their steps, which will probably be rated next

    def run(self) -> Outcome:
        dated, tables = self.rater.dated, tables_in_order(self.list, self.since)
        span = span_of(self.list, self.since)
        history = values.History(self.list.system, {}, tuple(tables), self.adjustments, self.decisions, span=span)
        steps = {(day, place): cause for day, place, cause in number_inputs(dated.first, history)}
        self.outcome.adjustments = self.adjustments
        self.outcome.to_do, self.last_day = len(tables), max((day for day, _ in steps), default=None)
        if self.first:
            changed = list_new_steps(steps)
        else:
            changed = find_changed_steps(self.list, steps, self.since, whole=self.mode.whole)
        self.changed, self.outcome.new_tables = changed.keys, changed.new
        self.trace = Trace(steps, changed.marked, stored_changes(self.list, changed.moved), self.people.ids)
        self.rows = self.make_collector()
        self.changed_days = sorted({day for day, _ in self.changed})
        for chunk in split_into_chunks(steps, self.since, self.changed, dated.days):
            self.process_chunk(chunk)
            self.report_progress(self.outcome.done, self.outcome.visited)
        self.finish()
        return self.outcome

    def make_collector(self) -> ComparedRows | FirstRows:
        if self.first:
            receive = self.mode.receive_batch or self.outcome.batches.append
            return FirstRows(self.outcome, self.people, self.states, receive, logged=self.tables.logged)
        return ComparedRows(self.outcome, self.people, self.states, self.trace)

    def process_chunk(self, chunk: Chunk) -> None:
        """Process the steps of some days; skip them if no step changed and no player has a state other than stored."""
        self.rater.start_chunk(chunk.first)
        changed_days = list(chunk.select_days(self.changed_days))
        # in a first run, nothing is stored from which states could be read again
        changed = bool(changed_days) or chunk.has_other_causes or self.first
        if not changed and not self.rows.old:
            self.skip(chunk, list(self.states))
            return
        self.tables.start_chunk(chunk)
        seated = self.tables.entries.pks
        if not changed and self.rows.old.keys().isdisjoint(seated):
            self.skip(chunk, seated)
            return
        self.people.add_keys(seated)
        changed_tables = [
            cause for key, cause in chunk.steps.items() if key in self.changed and isinstance(cause, values.Table)
        ]
        named = {id for cause in chunk.steps.values() if (id := get_named_player(cause))}
        self.people.load(named.union(*map(self.public_ids, changed_tables)))
        self.rater.load_states(named)
        if chunk.affects_all_players:
            self.people.load_all_states(self.states, (chunk.first, 0))
        self.walk(chunk, changed_days)

    def skip(self, chunk: Chunk, ids: Iterable[str]) -> None:
        """Skip the steps of a chunk, which stay as they are, and forget the states of these players.

        A state is read again when it is needed. Those of affected players are saved in the outcome, because they are
        final where no row is stored.
        """
        self.outcome.done += len(chunk.tables)
        for id in ids:
            if id in self.states and self.people.pks.get(id) in self.outcome.states:
                self.outcome.states[self.people.pks[id]] = self.states[id]
        self.states.forget(ids)

    def walk(self, chunk: Chunk, changed_days: Sequence[dt.date]) -> None:
        stored = {} if self.first else self.stored.start_chunk(chunk, changed_days)
        self.trace.start_chunk(stored)
        self.following = deque(sorted(chunk.tables.items()))
        for key in sorted({*chunk.steps, *stored}):
            cause = chunk.steps.get(key)
            if isinstance(cause, values.Table):
                self.outcome.done += 1
                if key not in self.changed:
                    self.rate_batch()  # steps of the batch may affect this table
                    if not self.is_affected(key, int(cause.id)):
                        self.use_stored_states(key, int(cause.id))
                        continue
                self.outcome.visited += 1
            if cause is None or not self.can_be_batched(cause):
                self.rate_batch()
                self.process_step(key, cause)
                continue
            self.batch.append((key, cause))
            if len(self.batch) == MOST_STEPS:
                self.rate_batch()
        self.rate_batch()

    def can_be_batched(self, cause: Input) -> bool:
        """Return True for tables without guests and for adjustments of one player.

        Systems that need past inputs also need the state after each adjustment, so that theirs are rated one by one.
        """
        if isinstance(cause, values.Table):
            return int(cause.id) not in self.tables.entries.with_guests
        return isinstance(cause, values.Adjustment) and cause.player is not None and self.rater.past.past is None

    def prepare_steps(self, keys: Sequence[Key], tables: Mapping[Key, int]) -> list[StoredStep]:
        """Return the stored steps at keys; `tables` are the primary keys of the tables among these steps.

        Also set `next_tables`, and read missing states as they were before the first of these steps from now on.
        """
        while self.following and self.following[0][0] <= keys[-1]:
            self.following.popleft()
        affected = (pair for pair in self.following if self.is_affected(*pair))
        self.next_tables = dict(islice(affected, READ_TOGETHER))
        if self.first:
            return [StoredStep() for _ in keys]
        self.trace.add_stored(self.stored.read(tables, self.next_tables))
        self.rater.position_of_states = self.stored.find_position_of_states(keys[0])
        return [self.stored.get(key) for key in keys]

    def is_affected(self, key: Key, table: int) -> bool:
        """Return True if a table has changed, or one of its players has another state than the stored one."""
        return key in self.changed or not self.rows.old.keys().isdisjoint(self.tables.entries.get_ids(table))

    def public_ids(self, table: values.Table) -> list[str]:
        return [id for id in self.tables.entries.get_ids(int(table.id)) if "~" not in id]

    def use_stored_states(self, key: Key, table: int) -> None:
        """Set the states of the players of a table that stays as it is to the stored ones, or forget them."""
        ids = self.tables.entries.get_ids(table)
        if self.stored.has_all(key[0]):
            for pk, (_, change) in self.stored.get(key).changes.items():
                self.states.set_text(self.people.ids[pk], change.state)
        else:
            self.states.forget(ids)
        self.people.newcomers.difference_update(ids)

    def rate_batch(self) -> None:
        """Rate the steps of the batch, those together that compiled code can rate."""
        if not self.batch:
            return
        keys, table_pks = [key for key, _ in self.batch], list_tables(self.batch)
        steps_before = self.prepare_steps(keys, table_pks)
        stored = {pk for before in steps_before for pk in before.changes}
        removed = [pk for pk in stored if pk not in self.people.ids]
        self.people.load_by_pk(removed)  # players who were removed from these tables are affected too
        read = iter(self.tables.read(list(table_pks.values()), list(self.next_tables.values())))
        tables = [next(read) if key in table_pks else None for key in keys]
        needed = {id for _, cause in self.batch for id in self.list_players(cause)}
        needed.update(self.people.ids[pk] for pk in stored)
        if not self.people.are_loaded(needed, self.states):  # a query for all, not for each table
            room = max(0, MAX_PLAYERS_BY_ID - len(needed))
            self.rater.load_states(needed.union(self.tables.players_ahead[:room]))
        causes = [cause for _, cause in self.batch]
        steps = zip(keys, causes, tables, steps_before, strict=True)
        for compiled, part in groupby(steps, key=lambda step: self.rater.can_be_compiled(step[1], self.tables.entries)):
            self.rate_together(list(part), compiled=compiled)
        self.batch.clear()

    def list_players(self, cause: Input) -> Sequence[str]:
        """Return the public ids of the players of a step of a batch."""
        if isinstance(cause, values.Table):
            return self.tables.entries.get_ids(int(cause.id))
        return [named] if (named := get_named_player(cause)) else []

    def rate_together(self, steps: Sequence[BatchStep], *, compiled: bool) -> None:
        """Rate steps of a batch together, and add their results."""
        _, causes, tables, before = zip(*steps, strict=True)
        ids = list(map(self.list_players, causes))
        inputs = [cause if read is None else read for cause, read in zip(causes, tables, strict=True)]
        result = self.rater.rate_tables(tables) if compiled else self.rater.rate_separately(inputs, ids)
        result = result if self.graded else result.without_grades()
        pks = [self.people.pks[id] for id in chain.from_iterable(ids)]
        positions = [get_step_position(self.list.pk, *key, cause) for key, cause, _, _ in steps]
        seats = list(accumulate(map(len, ids), initial=0))
        batch = RatedBatch(positions, seats, pks, result)
        self.people.newcomers.difference_update(*ids)
        for cause, (start, end) in zip(causes, pairwise(seats), strict=True):
            if isinstance(cause, values.Table):
                self.record_players(pks[start:end], cause)
        self.rows.add_batch(batch, ids, before, tables)

    def process_step(self, key: Key, cause: Input | None) -> None:
        """Rate one step again and add its rows; `cause` is None if the step was removed."""
        before = self.prepare_steps([key], list_tables([(key, cause)]))[0]
        texts_before = dict[str, str]()
        if not self.first:  # in a first run, nothing is stored, and the chunk's players are loaded already
            self.people.load_by_pk({*before.changes, *before.awards})
            stored, named = {self.people.ids[pk] for pk in before.changes}, get_named_player(cause)
            self.rater.load_states(stored.union({named} if named else ()))
            texts_before = {id: self.states.text(id) for id in stored}
        if cause is None:
            self.rows.add_step(None, StepRows(None, [], {}), texts_before, before)
            return
        at, read = get_step_position(self.list.pk, *key, cause), None
        if isinstance(cause, values.Table):
            read = self.tables.read([int(cause.id)], list(self.next_tables.values()))[0]
            cause = build_table(read)
        rows = self.rate(at, cause, texts_before)
        if not self.graded:
            rows = StepRows(rows.table, [remove_grades(row) for row in rows.changes], {})
        self.rows.add_step(at, rows, texts_before, before, partial(pair_players, read, self.people.pks))

    def rate(self, at: StepPosition, cause: Input, texts_before: dict[str, str]) -> StepRows:
        """Return the rows of a step, and add the players' states before it to `texts_before`."""
        if isinstance(cause, values.Closing) and self.rater.system.rating.closes_in_arrays:
            return self.close(at, cause, texts_before)
        result = self.rater.rate_step((at.day, at.place), cause)
        listed = [row for row in result.rows if "~" not in row.player]  # no rows are stored for guests
        if not self.first:
            texts_before |= {row.player: self.states.text(row.player) for row in listed}
        self.states.set_states(result.states)
        self.people.newcomers.difference_update(row.player for row in result.rows)
        if isinstance(cause, values.Adjustment) and cause.player:
            self.rater.past.adjusted[at.day, at.place] = self.states[cause.player]
        table = None
        if isinstance(cause, values.Table):
            table = build_table_row(result.rounds, result.settled, result.warnings, at)
            self.record_players([self.people.pks[row.player] for row in listed], cause)
        changes, awards = [], {}
        for row in listed:
            pk = self.people.pks[row.player]
            standing = self.rater.system.rating.standing(self.states[row.player], self.people.values[row.player])
            changes.append(build_change_row(row, standing, self.states.text(row.player), pk, at))
            if row.awards:
                awards[pk] = build_award_rows(row.awards, pk, at)
        return StepRows(table, changes, awards)

    def close(self, at: StepPosition, cause: values.Closing, texts_before: dict[str, str]) -> StepRows:
        """Return the rows of a closing day, and add the players' states before it to `texts_before`."""
        closed = self.rater.close_in_arrays((at.day, at.place), cause)
        texts_before |= {id: self.states.text(id) for id in closed.players}
        result, pks = closed.result, [self.people.pks[id] for id in closed.players]
        changes = list(RatedBatch([at], [0, len(pks)], pks, result))
        self.states.set_states(result.last, {id: row.state for id, row in zip(closed.players, changes, strict=True)})
        self.people.newcomers.difference_update(closed.players)
        return StepRows(None, changes, {})

    def record_players(self, pks: Iterable[int], table: values.Table) -> None:
        """Record the players of a table as having played if the table was not rated before."""
        if int(table.id) in self.outcome.new_tables:
            self.outcome.newly_played.update(pks)

    def finish(self) -> None:
        """Set the final states of the affected players; states that were forgotten are read from the stored changes.

        If the list is rated from its beginning or by other options than before, all players are affected, so that their
        standings are stored again.
        """
        out = self.outcome
        out.reached, out.leaf_hashes = self.trace.reached, self.tables.leaf_hashes
        if not self.first and self.affects_all_standings():
            all_pks = self.list.changes.order_by().values_list("player", flat=True).distinct()
            out.states |= {pk: None for pk in all_pks if pk not in out.states}
        self.people.load_by_pk(out.states)
        missing = [pk for pk in out.states if self.people.ids[pk] not in self.states]
        latest = dict(latest_changes(self.list, players=missing).values_list("player", "state")) if missing else {}
        for pk in out.states:
            id = self.people.ids[pk]
            out.players[pk] = self.people.values[id]
            if id in self.states:
                out.states[pk] = self.states[id]
            elif pk in latest:
                out.states[pk] = state_from_json(self.rater.system, latest[pk])

    def affects_all_standings(self) -> bool:
        """Return True if also the standings of players without a changed step may be others than stored."""
        if self.mode.whole or self.mode.new_options or self.since == dt.date.min:
            return True
        rating = self.rater.system.rating
        return rating.hides_absent_players or rating.category_depends_on_day or self.options_begin()

    def options_begin(self) -> bool:
        """Return True if other options begin between the first day of the run and the last day of the list."""
        begin = [day for day in self.rater.dated.days if day >= self.since]
        last = max((day for day in (self.last_day, last_day(self.list)) if day), default=None) if begin else None
        return last is not None and begin[0] <= last


def list_tables(steps: Iterable[tuple[Key, Input | None]]) -> dict[Key, int]:
    """Return the primary keys of the tables among steps, by the steps' keys."""
    return {key: int(cause.id) for key, cause in steps if isinstance(cause, values.Table)}


def get_named_player(cause: Input | None) -> str | None:
    """Return the public id of the player whom an adjustment or a decision concerns; None for other steps."""
    return cause.player if isinstance(cause, values.Adjustment | values.Decision) else None
