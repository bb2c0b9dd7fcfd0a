"""Past inputs of a list, for systems whose closing days need all tables and adjustments, not only states."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from ratings.models import Change, RatingList
from ratings.queries.lists.history import load_history
from ratings.queries.runs.steps import Key
from ratings.systems.rating_rules import PastInputs
from ratings.systems.replay import number_inputs, opening_states
from ratings.systems.state_json import state_from_json
from ratings.systems.values import Adjustment, History, Table


class PastInputLoader:
    """The tables and adjustments of a list up to a step, collected in their order as a run comes to its closing days.

    `past` is None where the list's system needs no past inputs; then nothing is loaded.
    """

    def __init__(self, rating_list: RatingList) -> None:
        self.list, self.dated = rating_list, rating_list.dated_system
        self.system = self.dated.first
        self.past: PastInputs | None = self.system.rating.make_past_inputs()
        self.adjusted: dict[Key, Any] = {}
        """States after adjustments of one player that this run has applied, by their steps."""
        self._next = 0

    @cached_property
    def _history(self) -> History:
        return load_history(self.list).history

    @cached_property
    def _tables(self) -> dict[int, Table]:
        return {int(table.id): table for table in self._history.tables}

    def get_tables(self, pks: Iterable[int]) -> dict[int, Table]:
        """Return tables by primary key; all of them must be on the list."""
        return {pk: self._tables[pk] for pk in pks}

    @cached_property
    def _inputs(self) -> list[tuple[Key, Table | Adjustment]]:
        numbered = number_inputs(self.system, self._history)
        return [((day, place), cause) for day, place, cause in numbered if isinstance(cause, Table | Adjustment)]

    @cached_property
    def _states(self) -> dict[str, Any]:
        return opening_states(self.system, self._history.players)

    @cached_property
    def _stored(self) -> dict[tuple[Key, str], str]:
        """Stored states after the adjustments of single players, by step and public id."""
        changes = Change.objects.filter(list=self.list, adjustment__isnull=False).order_by()
        rows = changes.values_list("day", "place", "player__public_id", "state")
        return {((day, place), id): state for day, place, id, state in rows}

    def load_until(self, step: Key) -> PastInputs | None:
        """Return the past with all inputs before a step added."""
        if self.past is None:
            return None
        while self._next < len(self._inputs) and self._inputs[self._next][0] < step:
            key, cause = self._inputs[self._next]
            self.past.settings = self.dated.on(key[0]).settings
            self.past.add(cause, self._history.players, self._get_states(key, cause))
            self._next += 1
        self.past.settings = self.dated.on(step[0]).settings
        return self.past

    def _get_states(self, key: Key, cause: Table | Adjustment) -> Mapping[str, Any]:
        """Return the players' states after an input; of a table only those of outsiders matter, which never change."""
        if isinstance(cause, Table) or cause.player is None:
            return self._states
        if key in self.adjusted:
            return {cause.player: self.adjusted[key]}
        stored = self._stored.get((key, cause.player))
        return {cause.player: self._states[cause.player] if stored is None else state_from_json(self.system, stored)}
