"""Whom a run meets: what the list knows of them, and the states they are in, as far as the run needs them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import Min, Q

from ratings.models import RatingList
from ratings.queries.states import latest_changes
from ratings.queries.values import guest, player_values
from ratings.systems import values
from ratings.systems.protocol import System
from ratings.systems.replay import opening_state
from ratings.systems.texts import state_of, text_of


class States(Mapping[str, Any]):
    """States by player, read from their texts when somebody asks for them."""

    def __init__(self, system: System[Any]) -> None:
        self._system = system
        self._read: dict[str, Any] = {}
        self._texts: dict[str, str] = {}

    def __getitem__(self, id: str) -> Any:
        if id not in self._read:
            self._read[id] = state_of(self._system, self._texts[id])
        return self._read[id]

    def __contains__(self, id: object) -> bool:
        return id in self._read or id in self._texts

    def __iter__(self) -> Iterator[str]:
        return iter({**self._read, **self._texts})

    def __len__(self) -> int:
        return len({**self._read, **self._texts})

    def text(self, id: str) -> str:
        if id not in self._texts:
            self._texts[id] = text_of(self._system, self._read[id])
        return self._texts[id]

    def put(self, id: str, state: Any) -> None:
        self._read[id] = state
        self._texts.pop(id, None)

    def put_text(self, id: str, text: str, state: Any = None) -> None:
        """A text, with the state that it is if that is known."""
        self._texts[id] = text
        self._read.pop(id, None)
        if state is not None:
            self._read[id] = state

    def forget(self, ids: Iterable[str]) -> None:
        for id in list(ids):
            self._read.pop(id, None)
            self._texts.pop(id, None)


class People:
    """Players by public id (`values`), with their database ids (`pks`, and back: `ids`)."""

    def __init__(self, rating_list: RatingList) -> None:
        self._list = rating_list
        self._system = rating_list.rating_system
        self._first = rating_list.changes.aggregate(first=Min("day"))["first"]
        self.values: dict[str, values.Player] = {}
        self.pks: dict[str, int] = {}
        self.ids: dict[int, str] = {}

    def seat(self, pks: Mapping[str, int]) -> None:
        """Take note of those who sit somewhere."""
        self.pks |= pks
        self.ids |= {pk: id for id, pk in pks.items()}

    def know(self, ids: Iterable[str]) -> None:
        unknown = [id for id in ids if id not in self.values]
        if unknown:
            known, pks = player_values(self._list, unknown)
            self.values |= known
            self.seat(pks)

    def know_pks(self, pks: Iterable[int]) -> None:
        unknown = [pk for pk in pks if self.ids.get(pk) not in self.values]
        if unknown:
            known, found = player_values(self._list, pks=unknown)
            self.values |= known
            self.seat(found)

    def take_guests(self, ids: Iterable[str], states: States) -> None:
        """Those of a table who give a simultaneous: without a past, each time."""
        for id in ids:
            if "~" in id:
                own = id.partition("~")[0]
                self.know([own])
                self.values[id] = guest(self.values[own], id)
                states.put(id, self._system.newcomer())

    def bring(self, ids: Iterable[str], states: States, first: dt.date) -> None:
        """Know those who are to be rated, and have their states: of who is not there yet as before a day."""
        own = [id for id in ids if "~" not in id]
        self.know(own)
        absent = [id for id in own if id not in states]
        stored: dict[str, str] = {}
        if absent and self._first is not None and self._first < first:
            latest = latest_changes(self._list, Q(day__lt=first), [self.pks[id] for id in absent])
            stored = dict(latest.values_list("player__public_id", "state"))
        for id in absent:
            if id in stored:
                states.put_text(id, stored[id])
            else:
                states.put(id, opening_state(self._system, self.values[id]))

    def bring_all(self, states: States, first: dt.date) -> None:
        """The same for all who have a state before the day."""
        before = latest_changes(self._list, Q(day__lt=first))
        self.bring(set(before.values_list("player__public_id", flat=True)), states, first)
