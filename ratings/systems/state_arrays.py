"""States of players as rows of one array, so that compiled code needs no object for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

S = TypeVar("S")
Past = Sequence[Any]
"""Past results of a player, oldest first, as in their state."""


def _get_no_past(_state: Any) -> Past:
    return ()


@dataclass(frozen=True)
class StateForm(Generic[S]):
    """Form of a system's states in an array: a row of `width` values, and the past results if a state has any.

    `dtype` is the type of the array. `from_row` is given the values of a row as Python's own, and the past results.
    """

    dtype: type[Any]
    width: int
    to_row: Callable[[S], Sequence[Any]]
    from_row: Callable[[Sequence[Any], Past], S]
    get_past: Callable[[S], Past] = _get_no_past


OBJECTS = StateForm[Any](object, 1, lambda state: (state,), lambda row, _past: row[0])
"""Form of systems without compiled code: the states themselves."""


class StateRows(Mapping[str, S]):
    """States by player's id as rows of an array, from which a state is built on each access.

    Attributes:
        form: how a state is held.
        rows: the array; its first rows are those of the players given, in their order. It may have unused rows.
        past: past results by the number of the row.

    """

    def __init__(
        self,
        form: StateForm[S],
        ids: Iterable[str] = (),
        rows: NDArray[Any] | None = None,
        past: Mapping[int, Past] | None = None,
    ) -> None:
        self.form = form
        self.rows = np.empty((0, form.width), dtype=form.dtype) if rows is None else rows
        self.past = dict(past or {})
        self._numbers = {id: n for n, id in enumerate(ids)}
        self._unused: list[int] = []

    @classmethod
    def of(cls, form: StateForm[S], states: Mapping[str, S]) -> StateRows[S]:
        """Return states in a form."""
        rows = np.empty((len(states), form.width), dtype=form.dtype)
        past = dict[int, Past]()
        for n, state in enumerate(states.values()):
            rows[n] = form.to_row(state)
            if results := form.get_past(state):
                past[n] = results
        return cls(form, states, rows, past)

    def __getitem__(self, id: str) -> S:
        number = self._numbers[id]
        return self.form.from_row(self.rows[number].tolist(), self.past.get(number, ()))

    def __contains__(self, id: object) -> bool:
        return id in self._numbers

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def __len__(self) -> int:
        return len(self._numbers)

    def select(self, ids: Sequence[str]) -> StateRows[S]:
        """Return a copy with only the states of some players, whose rows are in the order of `ids`."""
        numbers = [self._numbers[id] for id in ids]
        past = {n: self.past[number] for n, number in enumerate(numbers) if number in self.past} if self.past else {}
        return StateRows(self.form, ids, self.rows[numbers], past)

    def update(self, states: StateRows[S]) -> None:
        """Set the states of players to others, from whose rows none has been removed."""
        assert not states._unused  # their rows are in the order of the ids
        self._add_rows([id for id in states if id not in self._numbers])
        numbers = [self._numbers[id] for id in states]
        self.rows[numbers] = states.rows[: len(numbers)]
        if self.past:
            for number in numbers:
                self.past.pop(number, None)
        self.past.update((numbers[n], results) for n, results in states.past.items())

    def discard(self, id: str) -> None:
        """Remove the state of a player, if there is one."""
        if (number := self._numbers.pop(id, None)) is not None:
            self.past.pop(number, None)
            self._unused.append(number)

    def _add_rows(self, ids: Sequence[str]) -> None:
        end = len(self._numbers) + len(self._unused)
        missing = max(0, len(ids) - len(self._unused))
        if end + missing > len(self.rows):
            more = np.empty((missing + len(self.rows), self.form.width), dtype=self.form.dtype)
            self.rows = np.concatenate((self.rows, more))
        self._unused += range(end, end + missing)
        self._numbers.update((id, self._unused.pop()) for id in ids)
