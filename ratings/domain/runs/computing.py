"""Computing a run: the list's steps walked in order beside what is stored of them, rating only what is affected.

A table is rated again if it is new, marked, or has another place in the order than before, or if one of its players
comes to it in another state than the stored one. Nothing is written here.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ratings.models import RatingList, Table
from ratings.queries.history import load_outside, span_of, tables_in_order, tables_of
from ratings.queries.states import latest_changes
from ratings.queries.steps import Key, Stored, load_columns, seats_of, stored_steps
from ratings.queries.values import table_values
from ratings.systems import values
from ratings.systems.replay import Input, apply, closing_days, in_places, rulings_by_table
from ratings.systems.texts import state_of

from .chunks import Chunk, changed_keys, chunks
from .outcome import Outcome, Told, UnratableError
from .people_of_run import People, States
from .rows import StepRows, award_rows, change_row, column_rows, place_of, table_row, without_grades

AHEAD = 25  # tables read together where one after the other is rated


def compute(rating_list: RatingList, since: dt.date, tell: Told, *, whole: bool = False) -> Outcome:
    """Everything from a day on as it should be, against what is stored. UnratableError names a step that cannot be.

    `whole`: rate every table whatever is stored, and tell the state of everybody.
    """
    return _Walk(rating_list, since, tell, whole=whole).run()


class _Walk:
    def __init__(self, rating_list: RatingList, since: dt.date, tell: Told, *, whole: bool) -> None:
        self.list, self.since, self.tell, self.whole = rating_list, since, tell, whole
        self.system, self.graded = rating_list.rating_system, rating_list.graded
        self.outcome = Outcome(since)
        self.people, self.states = People(rating_list), States(self.system)
        self.old: dict[str, str] = {}  # stored states of those who come in another one now
        self.stretch: list[tuple[Key, values.Table, Stored]] = []  # tables to be rated together

    def run(self) -> Outcome:
        adjustments, decisions = load_outside(self.list, self.since)
        tables = tables_in_order(self.list, self.since)
        history = values.History(
            self.list.system, {}, tuple(tables), adjustments, decisions, span=span_of(self.list, self.since)
        )
        self.rulings = rulings_by_table(decisions)
        steps = {(day, place): cause for day, place, cause in in_places(history, closing_days(self.system, history))}
        self.outcome.to_do = len(tables)
        self.changed = changed_keys(self.list, steps, self.since, whole=self.whole)
        self.changed_days = sorted({day for day, _ in self.changed})
        for chunk in chunks(steps, self.since, self.changed):
            self.chunk(chunk)
            self.tell(self.outcome.done, self.outcome.visited)
        self.finish()
        return self.outcome

    def chunk(self, chunk: Chunk) -> None:
        """Walk some days; without anything changed and without anybody who comes otherwise they are left alone."""
        later = bisect_left(self.changed_days, chunk.first)
        touched = later < len(self.changed_days) and (chunk.last is None or self.changed_days[later] <= chunk.last)
        touched = touched or chunk.has_other_causes
        if not touched and not self.old:
            self.leave_alone(chunk, list(self.states))
            return
        self.first, self.among = chunk.first, tables_of(self.list, chunk.first, chunk.last)
        self.seats = seats_of(self.among)
        seated = {seat.id: seat.player for here in self.seats.values() for seat in here if "~" not in seat.id}
        if not touched and self.old.keys().isdisjoint(seated):
            self.leave_alone(chunk, seated)
            return
        self.people.seat(seated)
        changed = [cause for key, cause in chunk.steps.items() if key in self.changed]
        self.people.know({id for cause in changed if isinstance(cause, values.Table) for id in self.own_ids(cause)})
        if any(concerns_everybody(cause) for cause in chunk.steps.values()):
            self.people.bring_all(self.states, self.first)
        self.walk(chunk, stored_steps(self.list, chunk.first, chunk.last))

    def leave_alone(self, chunk: Chunk, ids: Iterable[str]) -> None:
        """Steps that stay as they are; who sits there is read again when he is needed.

        What those are at who are concerned is kept: where nothing is stored of them, they stay at it.
        """
        self.outcome.done += len(chunk.tables)
        for id in ids:
            if id in self.states and self.people.pks.get(id) in self.outcome.states:
                self.outcome.states[self.people.pks[id]] = self.states[id]
        self.states.forget(ids)

    def walk(self, chunk: Chunk, stored: Mapping[Key, Stored]) -> None:
        tables = sorted(chunk.tables.items())
        loaded: dict[int, values.Table] = {}
        for key in sorted({*chunk.steps, *stored}):
            cause, before = chunk.steps.get(key), stored.get(key, Stored())
            if isinstance(cause, values.Table):
                self.outcome.done += 1
                if key not in self.changed:
                    self.rate_stretch()
                    if self.old.keys().isdisjoint(seat.id for seat in self.seats[int(cause.id)]):
                        self.advance(before)
                        continue
                self.outcome.visited += 1
                if self.goes_together(cause):
                    self.stretch.append((key, cause, before))
                    continue
                if int(cause.id) not in loaded:
                    loaded |= self.load([table for there, table in tables if there >= key][:AHEAD])
                cause = loaded[int(cause.id)]
            self.rate_stretch()
            self.step(key, cause, before)
        self.rate_stretch()

    def load(self, tables: Sequence[int]) -> dict[int, values.Table]:
        return {int(table.id): table for table in table_values(Table.objects.filter(pk__in=tables))}

    def own_ids(self, table: values.Table) -> list[str]:
        return [seat.id for seat in self.seats[int(table.id)] if "~" not in seat.id]

    def advance(self, before: Stored) -> None:
        """A step that stays as it is: everybody goes on from what is stored."""
        for pk, (_, change) in before.changes.items():
            self.states.put_text(self.people.ids[pk], change.state)

    def goes_together(self, table: values.Table) -> bool:
        """Whether compiled code can rate a table: no guests, no outsiders, no rulings."""
        ruled = self.rulings.get(table.id) or self.rulings.get(table.last_day.isoformat())
        if not self.system.compiled or not table.rated or ruled:
            return False
        self.people.know(self.own_ids(table))
        return all(seat.plain and not self.people.values[seat.id].fixed for seat in self.seats[int(table.id)])

    def rate_stretch(self) -> None:
        """Rate together what has gathered."""
        if not self.stretch:
            return
        columns = load_columns([int(table.id) for _, table, _ in self.stretch], self.seats, self.among)
        stored = {pk for _, _, before in self.stretch for pk in before.changes}
        self.people.know_pks(stored)  # who sat here before has to be followed too
        self.people.bring([*columns.players, *(self.people.ids[pk] for pk in stored)], self.states, self.first)
        came = {id: self.states[id] for id in columns.players}
        result = self.system.rate_columns(columns, self.people.values, came)
        everything = result.rows
        for n, (key, table, before) in enumerate(self.stretch):
            seats, at = self.seats[int(table.id)], place_of(self.list.pk, *key, table)
            pks = [seat.player for seat in seats]
            changes, won = column_rows(result, everything, int(columns.seats[n]), pks, at)
            warnings = result.warnings.get(n, ())
            concerned = {*(seat.id for seat in seats), *(self.people.ids[pk] for pk in before.changes)}
            present = {id: self.states.text(id) for id in concerned}
            for seat, row in zip(seats, changes, strict=True):
                self.states.put_text(seat.id, row.state)
            self.note_players(pks, table, before)
            rated = StepRows(table_row(result.rounds[n], result.settled[n], warnings, at), changes, won)
            self.settle(rated, present, before)
        for id, state in result.last.items():
            self.states.put_text(id, self.states.text(id), state)
        self.stretch.clear()

    def step(self, key: Key, cause: Input | None, before: Stored) -> None:
        """One step rated again (None: there is no such step any more), its rows compared with the stored ones."""
        self.people.know_pks({*before.changes, *before.awards})
        concerned = {self.people.ids[pk] for pk in before.changes}
        if isinstance(cause, values.Adjustment | values.Decision) and cause.player:
            concerned.add(cause.player)
        self.people.bring(concerned, self.states, self.first)
        present = {self.people.ids[pk]: self.states.text(self.people.ids[pk]) for pk in before.changes}
        rows = StepRows(None, [], {}) if cause is None else self.rate(key, cause, present, before)
        self.settle(rows, present, before)

    def rate(self, key: Key, cause: Input, present: dict[str, str], before: Stored) -> StepRows:
        """The rows of a step; `present` gets the states in which its players come."""
        result = self.rated(cause)
        listed = [row for row in result.rows if "~" not in row.player]  # nothing is stored of a guest
        present |= {row.player: self.states.text(row.player) for row in listed}
        for id, state in result.states.items():
            self.states.put(id, state)
        at, table = place_of(self.list.pk, *key, cause), None
        if isinstance(cause, values.Table):
            table = table_row(result.rounds, result.settled, result.warnings, at)
            self.note_players([self.people.pks[row.player] for row in listed], cause, before)
        changes, won = [], {}
        for row in listed:
            pk = self.people.pks[row.player]
            standing = self.system.standing(self.states[row.player], self.people.values[row.player])
            changes.append(change_row(row, standing, self.states.text(row.player), pk, at))
            if row.awards:
                won[pk] = award_rows(row.awards, pk, at)
        return StepRows(table, changes, won)

    def rated(self, cause: Input) -> values.TableResult[Any]:
        states: Mapping[str, Any] = self.states
        if isinstance(cause, values.Table):
            self.people.bring(cause.players, self.states, self.first)
            self.people.take_guests(cause.players, self.states)
        elif concerns_everybody(cause):
            states = {id: self.states[id] for id in self.states if "~" not in id}
            self.people.know(states)
        try:
            return apply(self.system, cause, self.people.values, states, self.rulings)
        except ValueError as error:
            raise UnratableError(str(error)) from error

    def note_players(self, pks: Iterable[int], table: values.Table, before: Stored) -> None:
        """Who has played now that a table is rated which was not."""
        if before.table is None or before.table[1].table_id != int(table.id):
            self.outcome.played_now.update(pks)

    def settle(self, rows: StepRows, present: Mapping[str, str], before: Stored) -> None:
        """Note what is new in a step's rows, and who goes on in another state than before (`present`: as they came)."""
        if not self.graded:
            rows = StepRows(rows.table, [without_grades(row) for row in rows.changes], {})
        self.outcome.compare(rows, before)
        for id, came in present.items():
            stored = before.changes.get(self.people.pks[id])
            old = stored[1].state if stored is not None else self.old.get(id, came)
            if old == self.states.text(id):
                self.old.pop(id, None)
            else:
                self.old[id] = old

    def finish(self) -> None:
        """What those whom the run concerns end at; who has left memory again has stored what he ends at."""
        out = self.outcome
        if self.system.drops_absent or self.whole:
            everybody = self.list.changes.order_by().values_list("player", flat=True).distinct()
            out.states |= {pk: None for pk in everybody if pk not in out.states}
        self.people.know_pks(out.states)
        missing = [pk for pk in out.states if self.people.ids[pk] not in self.states]
        latest = dict(latest_changes(self.list, players=missing).values_list("player", "state")) if missing else {}
        for pk in out.states:
            id = self.people.ids[pk]
            out.players[pk] = self.people.values[id]
            if id in self.states:
                out.states[pk] = self.states[id]
            elif pk in latest:
                out.states[pk] = state_of(self.system, latest[pk])


def concerns_everybody(cause: Input) -> bool:
    """Whether a step may move anybody's state: a closing day, a shift of the whole list."""
    return isinstance(cause, values.Closing) or (isinstance(cause, values.Adjustment) and cause.player is None)
