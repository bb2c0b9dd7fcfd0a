"""Rating of the steps of a run by the system with the options of their days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from ratings.models import RatingList
from ratings.queries.runs.past_inputs import PastInputLoader
from ratings.queries.runs.steps import Key
from ratings.queries.runs.tables import Entries
from ratings.systems import values
from ratings.systems.game_records import TableWithGames
from ratings.systems.messages import message_of
from ratings.systems.replay import Input, apply, close_in_arrays, rulings_by_table
from ratings.systems.table_arrays import ClosedArrays, RatedArrays, build_table_arrays
from ratings.systems.table_batches import rate_separately

from .chunks import affects_all_players
from .outcome import UnratableError
from .run_players import RunPlayers, States


class StepRater:
    """Rating of steps, with the players of the run (`people`) and their present states.

    The caller adds the results to `states`. `compiled`: use compiled code where the system has it.
    """

    def __init__(self, rating_list: RatingList, decisions: Sequence[values.Decision], *, compiled: bool) -> None:
        self.dated, self.compiled = rating_list.dated_system, compiled
        self.system = self.dated.first
        """The system with the options of the chunk's days."""
        self.people, self.states = RunPlayers(rating_list, self.system), States(self.system)
        self.past = PastInputLoader(rating_list)
        self.rulings = rulings_by_table(decisions)
        self.position_of_states: Key = (dt.date.min, 0)
        """Position in the order of the steps before which missing states are read."""

    def start_chunk(self, day: dt.date) -> None:
        """Use the options of a day; newcomers without a step so far begin by them."""
        self.position_of_states = day, 0
        if self.dated.on(day) is not self.system:
            self.system = self.people.system = self.states.system = self.dated.on(day)
            known = self.people.newcomers & set(self.states)
            self.states.set_states(dict.fromkeys(known, self.system.rating.newcomer()))

    def load_states(self, ids: Iterable[str]) -> None:
        """Load players and their states; missing states are those before `position_of_states`."""
        self.people.load_states(ids, self.states, self.position_of_states)

    def can_be_compiled(self, cause: Input, entries: Entries) -> bool:
        """Return True if compiled code can rate a step: a table without outsiders and rulings."""
        if not isinstance(cause, values.Table):
            return False
        ruled = self.rulings.get(cause.id) or self.rulings.get(cause.last_day.isoformat())
        rating, pk = self.system.rating, int(cause.id)
        if not self.compiled or not rating.compiled or not cause.rated or ruled or not rating.compiles(cause):
            return False
        return pk not in entries.irregular and self.people.fixed.isdisjoint(entries.get_ids(pk))

    def rate_tables(self, tables: Sequence[TableWithGames]) -> RatedArrays[Any]:
        """Return the results of consecutive tables by compiled code, from the present states of their players."""
        columns = build_table_arrays(tables)
        return self.system.rating.rate_arrays(columns, self.people.values, self.states.select(columns.players))

    def rate_separately(
        self, steps: Sequence[TableWithGames | Input], players: Iterable[Sequence[str]]
    ) -> RatedArrays[Any]:
        """Return the results of consecutive steps, from the present states of each one's players."""
        states = self.states.get_all(list(chain.from_iterable(players)))
        try:
            return rate_separately(self.system, steps, self.people.values, states, self.rulings)
        except ValueError as error:
            raise UnratableError(message_of(error)) from error

    def rate_step(self, key: Key, cause: Input) -> values.TableResult[Any]:
        """Return the result of a single step."""
        states: Mapping[str, Any] = self.states
        if isinstance(cause, values.Table):
            self.load_states(cause.players)
            self.people.add_guests(cause.players, self.states)
        elif affects_all_players(cause):
            states = self.load_all()
        past = self.past.load_until(key) if isinstance(cause, values.Closing) else None
        try:
            return apply(self.system, cause, self.people.values, states, self.rulings, past)
        except ValueError as error:
            raise UnratableError(message_of(error)) from error

    def close_in_arrays(self, key: Key, cause: values.Closing) -> ClosedArrays[Any]:
        """Return the result of a closing day as columns."""
        states, past = self.load_all(), self.past.load_until(key)
        try:
            return close_in_arrays(self.system, cause, self.people.values, states, past)
        except ValueError as error:
            raise UnratableError(message_of(error)) from error

    def load_all(self) -> dict[str, Any]:
        """Load the players of all present states but those of guests, and return these states."""
        states = self.states.get_all([id for id in self.states if "~" not in id])
        self.people.load(states)
        return states
