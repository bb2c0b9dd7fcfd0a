"""Computing a run: the list's steps walked in order beside what is stored of them, rating only what is affected.

A table is rated again if it is new, marked, or has another place in the order than before, or if one of its players
comes to it in another state than the stored one. Nothing is written here.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_left
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from django.db.models import Q

from ratings.models import Award, Change, Player, RatedTable, RatingList, Table
from ratings.queries.history import load_outside, span_of, tables_in_order
from ratings.queries.states import latest_changes
from ratings.queries.steps import Key, Stored, seats_of, stored_steps
from ratings.queries.values import guest, player_values, table_values
from ratings.systems import values
from ratings.systems.replay import Input, apply, closing_days, in_places, opening_state, rulings_by_table

from .chunks import Chunk, chunks
from .derived import award_rows, change_row, same_awards, same_change, same_table, table_row
from .outcome import Outcome, Told, UnratableError


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
        self.states: dict[str, Any] = {}
        self.old: dict[str, Mapping[str, Any] | None] = {}  # stored states of those who come in another one now
        self.players: dict[str, values.Player] = {}
        self.pks: dict[str, int] = {}
        self.ids: dict[int, str] = {}

    def run(self) -> Outcome:
        adjustments, decisions = load_outside(self.list, self.since)
        tables = tables_in_order(self.list, self.since)
        history = values.History(
            self.list.system, {}, tuple(tables), adjustments, decisions, span=span_of(self.list, self.since)
        )
        self.rulings = rulings_by_table(decisions)
        steps = {(day, place): cause for day, place, cause in in_places(history, closing_days(self.system, history))}
        self.outcome.to_do = len(tables)
        self.changed = self.changed_keys(steps)
        self.changed_days = sorted({day for day, _ in self.changed})
        for chunk in chunks(steps, self.since):
            self.chunk(chunk)
            self.tell(self.outcome.done, self.outcome.visited)
        self.finish()
        return self.outcome

    def changed_keys(self, steps: Mapping[Key, Input]) -> set[Key]:
        """Keys at which something other than the stored table, or a marked one, is to be rated."""
        rated = {
            (row.day, row.place): row
            for row in self.list.rated_tables.filter(day__gte=self.since).only("day", "place", "table_id", "stale")
        }
        keys = set()
        for key, cause in steps.items():
            if isinstance(cause, values.Table):
                before = rated.pop(key, None)
                if self.whole or before is None or before.table_id != int(cause.id) or before.stale:
                    keys.add(key)
        # an adjustment, a decision or a closing day that is no more
        outside = self.list.changes.filter(table__isnull=True, day__gte=self.since).order_by()
        for key in outside.values_list("day", "place").distinct():
            if isinstance(steps.get(key), values.Table | None):
                keys.add(key)
        return keys | set(rated)

    def chunk(self, chunk: Chunk) -> None:
        """Walk some days; without anything changed and without anybody who comes otherwise they are left alone."""
        tables = chunk.tables
        later = bisect_left(self.changed_days, chunk.first)
        touched = later < len(self.changed_days) and (chunk.last is None or self.changed_days[later] <= chunk.last)
        if not touched and not chunk.has_other_causes:
            concerned = bool(self.old) and any(
                id in self.old for ids in seats_of(tables.values()).values() for id in ids
            )
            if not concerned:
                self.leave_alone(tables.values())
                return
        stored = stored_steps(self.list, chunk.first, chunk.last)
        seats = seats_of(tables.values())
        self.admit(chunk, seats, stored)
        loaded: dict[int, values.Table] = {}
        for key in sorted({*chunk.steps, *stored}):
            cause, before = chunk.steps.get(key), stored.get(key, Stored())
            if isinstance(cause, values.Table):
                self.outcome.done += 1
                if key not in self.changed and not any(id in self.old for id in seats[int(cause.id)]):
                    self.advance(before)
                    continue
                if int(cause.id) not in loaded:
                    loaded |= self.load(tables[other] for other in tables if other >= key)
                cause = loaded[int(cause.id)]
                self.outcome.visited += 1
            self.step(key, cause, before)

    def leave_alone(self, tables: Collection[int]) -> None:
        """Steps that stay as they are; who sits there is read again when he is needed."""
        self.outcome.done += len(tables)
        if not self.old:
            self.remember(self.states)
            self.states.clear()
            return
        for ids in seats_of(tables).values():
            self.remember(ids)
            for id in ids:
                self.states.pop(id, None)

    def remember(self, ids: Iterable[str]) -> None:
        """What those are at who are concerned and leave memory: where nothing is stored of them, they stay at it."""
        for id in ids:
            if id in self.states and self.pks.get(id) in self.outcome.states:
                self.outcome.states[self.pks[id]] = self.states[id]

    def load(self, tables: Iterable[int]) -> dict[int, values.Table]:
        several = Table.objects.filter(pk__in=list(tables))
        return {int(table.id): table for table in table_values(several)}

    def admit(self, chunk: Chunk, seats: Mapping[int, list[str]], stored: Mapping[Key, Stored]) -> None:
        """Have the states of everybody who may be concerned, as they stood before the chunk's first day."""
        earlier = Q(day__lt=chunk.first)
        ids = {id for several in seats.values() for id in several if "~" not in id}
        ids |= {
            c.player for c in chunk.steps.values() if isinstance(c, values.Adjustment | values.Decision) and c.player
        }
        pks = {pk for step in stored.values() for pk in step.changes}
        ids |= {self.ids[pk] for pk in pks if pk in self.ids}
        unknown = [pk for pk in pks if pk not in self.ids]
        ids |= set(Player.objects.filter(pk__in=unknown).values_list("public_id", flat=True))
        if any(self.concerns_everybody(cause) for cause in chunk.steps.values()):
            ids |= set(latest_changes(self.list, earlier).values_list("player__public_id", flat=True))
        self.know(ids)
        absent = [id for id in ids if id not in self.states]
        latest = latest_changes(self.list, earlier & Q(player__in=[self.pks[id] for id in absent]))
        before = dict(latest.values_list("player__public_id", "state"))
        for id in absent:
            given = before.get(id)
            self.states[id] = self.opening(id) if given is None else self.system.read(given, fixed=True)

    def concerns_everybody(self, cause: Input) -> bool:
        return isinstance(cause, values.Closing) or (isinstance(cause, values.Adjustment) and cause.player is None)

    def know(self, ids: Iterable[str]) -> None:
        unknown = [id for id in ids if id not in self.players]
        players, pks = player_values(self.list, unknown) if unknown else ({}, {})
        self.players |= players
        self.pks |= pks
        self.ids |= {pk: id for id, pk in pks.items()}

    def opening(self, id: str) -> Any:
        return opening_state(self.system, self.players[id])

    def advance(self, before: Stored) -> None:
        """A step that stays as it is: everybody goes on from what is stored."""
        for pk, change in before.changes.items():
            self.states[self.ids[pk]] = self.system.read(change.state, fixed=True)

    def step(self, key: Key, cause: Input | None, before: Stored) -> None:
        """One step rated again (None: there is no such step any more), its rows compared with the stored ones."""
        rows: dict[int, tuple[Change, list[Award]]] = {}
        present = {self.ids[pk]: self.written(self.ids[pk]) for pk in before.changes}
        if cause is not None:
            result = self.rated(cause)
            at = {"list_id": self.list.pk, "day": key[0], "place": key[1]}
            present |= {row.player: self.written(row.player) for row in result.rows if row.player in self.pks}
            self.states |= {id: state for id, state in result.states.items() if "~" not in id}
            if isinstance(cause, values.Table):
                self.compare_tables(table_row(cause, result, self.players, at), before.table)
                if before.table is None or before.table.table_id != int(cause.id):
                    self.outcome.played_now |= {self.pks[id] for id in cause.players if id in self.pks}
            for plain in result.rows:
                if plain.player in self.pks:  # a guest: nothing is stored of him
                    row = plain if self.graded else plain.without_grades()
                    pk, state = self.pks[row.player], self.states[row.player]
                    standing = self.system.standing(state, self.players[row.player])
                    at_player = at | {"player_id": pk}
                    rows[pk] = (
                        change_row(row, standing, dict(self.system.write(state)), cause, at_player),
                        award_rows(row, cause, at_player),
                    )
        if before.table is not None and not isinstance(cause, values.Table):
            self.outcome.gone_tables.append(before.table.pk)
        self.compare(rows, before)
        self.follow(present, before)

    def rated(self, cause: Input) -> values.TableResult[Any]:
        if isinstance(cause, values.Table):
            for id in cause.players:
                if "~" in id:
                    self.players[id] = guest(self.players_of(id), id)
                    self.states[id] = self.system.newcomer()
            states = self.states
        else:
            states = {id: state for id, state in self.states.items() if "~" not in id}
        try:
            return apply(self.system, cause, self.players, states, self.rulings)
        except ValueError as error:
            raise UnratableError(str(error)) from error

    def players_of(self, guest_id: str) -> values.Player:
        id = guest_id.partition("~")[0]
        self.know([id])
        return self.players[id]

    def compare_tables(self, new: RatedTable, before: RatedTable | None) -> None:
        if before is not None and same_table(new, before):
            return
        if before is not None:
            self.outcome.gone_tables.append(before.pk)
        self.outcome.tables.append(new)

    def compare(self, rows: Mapping[int, tuple[Change, list[Award]]], before: Stored) -> None:
        """Which rows come and which go."""
        out = self.outcome
        for pk in {*rows, *before.changes, *before.awards}:
            stored, awards = before.changes.get(pk), before.awards.get(pk, [])
            change, won = rows.get(pk, (None, []))
            if stored is None or change is None or not same_change(change, stored):
                out.gone_changes += [stored.pk] if stored else []
                out.changes += [change] if change else []
                self.concern(pk)
            if not same_awards(won, awards):
                out.gone_awards += [award.pk for award in awards]
                out.awards += won
                self.concern(pk)

    def concern(self, pk: int) -> None:
        self.outcome.states[pk] = None  # what he ends at is known at the end

    def follow(self, present: Mapping[str, Any], before: Stored) -> None:
        """Who comes to the next step in another state than he came to it before."""
        for id, came in present.items():
            stored = before.changes.get(self.pks[id])
            old = stored.state if stored is not None else self.old.get(id, came)
            if old == self.written(id):
                self.old.pop(id, None)
            else:
                self.old[id] = old

    def written(self, id: str) -> dict[str, Any]:
        return dict(self.system.write(self.states[id]))

    def finish(self) -> None:
        """What those whom the run concerns end at; who has left memory again has stored what he ends at."""
        out = self.outcome
        if self.system.drops_absent or self.whole:
            everybody = self.list.changes.order_by().values_list("player__public_id", flat=True).distinct()
            self.know(everybody)
            out.states |= {pk: None for pk in self.ids if pk not in out.states}
        missing = [pk for pk in out.states if self.ids.get(pk) not in self.states]
        latest = dict(latest_changes(self.list, Q(player__in=missing)).values_list("player", "state"))
        for pk in out.states:
            id = self.ids[pk]
            out.players[pk] = self.players[id]
            if id in self.states:
                out.states[pk] = self.states[id]
            elif pk in latest:
                out.states[pk] = self.system.read(latest[pk], fixed=True)
