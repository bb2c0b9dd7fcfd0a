"""Players of a run: their data on the list and their states, loaded when the run needs them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from django.db.models import Min

from ratings.models import RatingList
from ratings.queries.runs.states import latest_changes, select_before
from ratings.queries.runs.steps import Key
from ratings.queries.runs.values import guest_value, player_values
from ratings.systems import values
from ratings.systems.protocol import System
from ratings.systems.replay import opening_state
from ratings.systems.state_arrays import StateRows
from ratings.systems.state_json import state_from_json, state_to_json


class States(Mapping[str, Any]):
    """States by player's id, read from their texts on first access by `system`, which a run may replace."""

    def __init__(self, system: System[Any]) -> None:
        self.system = system
        self._rows = StateRows[Any](system.rating.state_form)
        self._texts: dict[str, str] = {}

    def __getitem__(self, id: str) -> Any:
        self._read_texts([id])
        return self._rows[id]

    def __contains__(self, id: object) -> bool:
        return id in self._rows or id in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter({**dict.fromkeys(self._rows), **self._texts})

    def __len__(self) -> int:
        return len(self._rows.keys() | self._texts)

    def select(self, ids: Sequence[str]) -> StateRows[Any]:
        """Return a copy of the states of some players as rows in their order."""
        self._read_texts(ids)
        return self._rows.select(ids)

    def get_all(self, ids: Sequence[str]) -> dict[str, Any]:
        """Return the states of some players by id."""
        self._read_texts(ids)
        return {id: self._rows[id] for id in ids}

    def _read_texts(self, ids: Iterable[str]) -> None:
        if unread := [id for id in ids if id not in self._rows]:
            states = {id: state_from_json(self.system, self._texts[id]) for id in unread}
            self._rows.update(StateRows.of(self._rows.form, states))

    def text(self, id: str) -> str:
        if id not in self._texts:
            self._texts[id] = state_to_json(self.system, self._rows[id])
        return self._texts[id]

    def set_states(self, states: Mapping[str, Any], texts: Mapping[str, str] | None = None) -> None:
        """Set the states of players, and the texts of all these states if they are known."""
        rows = states if isinstance(states, StateRows) else StateRows.of(self._rows.form, states)
        self._rows.update(rows)
        if texts is not None:
            self._texts |= texts
        elif self._texts:
            for id in states:
                self._texts.pop(id, None)

    def set_text(self, id: str, text: str) -> None:
        """Set the text of a player's state."""
        self._rows.discard(id)
        self._texts[id] = text

    def forget(self, ids: Iterable[str]) -> None:
        for id in list(ids):
            self._rows.discard(id)
            self._texts.pop(id, None)


class RunPlayers:
    """Players by public id (`values`), with their primary keys by public id (`pks`) and the reverse (`ids`).

    `newcomers` are the public ids of the players who began with this run and about whom nothing is known so far,
    `fixed` those of loaded players whose rating never changes.
    """

    def __init__(self, rating_list: RatingList, system: System[Any]) -> None:
        self._list, self.system = rating_list, system
        self._first = rating_list.changes.aggregate(first=Min("day"))["first"]
        self.values: dict[str, values.Player] = {}
        self.pks: dict[str, int] = {}
        self.ids: dict[int, str] = {}
        self.newcomers: set[str] = set()
        self.fixed: set[str] = set()

    def add_keys(self, pks: Mapping[str, int]) -> None:
        """Add the primary keys of players by public id."""
        self.pks |= pks
        self.ids |= {pk: id for id, pk in pks.items()}

    def _add(self, players: Mapping[str, values.Player], pks: Mapping[str, int]) -> None:
        self.values |= players
        self.fixed.update(id for id, player in players.items() if player.fixed)
        self.add_keys(pks)

    def load(self, ids: Iterable[str]) -> None:
        unknown = [id for id in ids if id not in self.values]
        if unknown:
            known, pks = player_values(self._list, unknown)
            self._add(known, pks)

    def load_by_pk(self, pks: Iterable[int]) -> None:
        unknown = [pk for pk in pks if self.ids.get(pk) not in self.values]
        if unknown:
            known, known_pks = player_values(self._list, pks=unknown)
            self._add(known, known_pks)

    def add_guests(self, ids: Iterable[str], states: States) -> None:
        """Add the guests of a table (players who give a simultaneous), each time without history."""
        for id in ids:
            if "~" in id:
                public_id = id.partition("~")[0]
                self.load([public_id])
                self.values[id] = guest_value(self.values[public_id], id)
                states.set_states({id: self.system.rating.newcomer()})

    def are_loaded(self, ids: Collection[str], states: States) -> bool:
        """Return True if these players and their states are loaded."""
        return all(id in self.values and id in states for id in ids)

    def load_states(self, ids: Iterable[str], states: States, before: Key) -> None:
        """Load the players to be rated and their states; missing states are those before the step at `before`."""
        public_ids = [id for id in ids if "~" not in id]
        self.load(public_ids)
        absent = [id for id in public_ids if id not in states]
        self.newcomers.difference_update(absent)  # what was known of them was forgotten
        stored: dict[str, str] = {}
        if absent and self._first is not None and self._first <= before[0]:
            latest = latest_changes(self._list, select_before(*before), [self.pks[id] for id in absent])
            stored = dict(latest.values_list("player__public_id", "state"))
        new = [id for id in absent if id not in stored]
        for id in absent:
            if id in stored:
                states.set_text(id, stored[id])
        states.set_states({id: opening_state(self.system, self.values[id]) for id in new})
        players = ((id, self.values[id]) for id in new)
        self.newcomers.update(id for id, player in players if player.opening is None and not player.fixed)

    def load_all_states(self, states: States, before: Key) -> None:
        """Load all players who have a state before the step at `before`, and their states."""
        latest = latest_changes(self._list, select_before(*before))
        self.load_states(set(latest.values_list("player__public_id", flat=True)), states, before)
