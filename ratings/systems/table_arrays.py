"""Tables, closing days and their results as columns, for systems with a fast path."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from .values import Award

S = TypeVar("S")
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class TableArrays:
    """Rated tables in rating order, as arrays, without guests and outsiders.

    A seat is one player in one table. Seats are numbered through all tables, and so are the played games, those of a
    table in the order of rounds. `a_gives` is True if side a gave the handicap.
    """

    players: Sequence[str]  # each player once
    seats: Integers  # start of each table's seats, and the end of the last
    seated: Integers  # player index of each seat
    games: Integers  # start of each table's games, and the end of the last
    a: Integers  # seats of each game's players
    b: Integers
    scores: Floats  # scores of a
    handicaps: Sequence[str | None]
    a_gives: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class RatedArrays(Generic[S]):
    """Results of `rate` as columns: the values of `values.Row` per seat, values per table, and the final states."""

    category: Sequence[str]
    category_after: Sequence[str]
    before: Sequence[float | None]
    after: Sequence[float | None]
    change: Sequence[float | None]
    games: Sequence[int]
    games_after: Sequence[int]
    performance: Sequence[float | None]
    grade_before: Sequence[str]
    grade: Sequence[str]
    published: Sequence[bool]
    hidden: Sequence[bool]
    notes: Sequence[str]
    states: Sequence[str]  # as written by state_json.state_to_json
    last: Mapping[str, S]
    rounds: Sequence[int] = ()  # per table
    settled: Sequence[bool] = ()
    awards: Mapping[int, tuple[Award, ...]] = field(default_factory=dict)  # by seat
    warnings: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  # by table index

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """All values of each seat, in the order of the fields."""
        return list(
            zip(
                self.category,
                self.category_after,
                self.before,
                self.after,
                self.change,
                self.games,
                self.games_after,
                self.performance,
                self.grade_before,
                self.grade,
                self.published,
                self.hidden,
                self.notes,
                self.states,
                strict=True,
            )
        )


@dataclass(frozen=True, slots=True)
class ClosedArrays(Generic[S]):
    """Results of `close` as columns: one seat for each player whose state changes, in the order of `players`."""

    players: Sequence[str]
    result: RatedArrays[S]
