"""Tables, closing days and their results as columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from .game_records import Records, TableWithGames, join_games
from .values import Award, Table

S = TypeVar("S")
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True)
class TableArrays:
    """Rated tables in rating order, as arrays, without guests and outsiders.

    A seat is one player in one table. Seats are numbered through all tables, and so are the played games, those of a
    table in the order of rounds. `a_gives` is True if side a gave the handicap.
    """

    tables: Sequence[Table]  # without their games
    players: Sequence[str]  # each player once
    seats: Integers  # start of each table's seats, and the end of the last
    seated: Integers  # player index of each seat
    games: Integers  # start of each table's games, and the end of the last
    a: Integers  # seats of each game's players
    b: Integers
    records: Records  # of GAME

    @cached_property
    def rounds(self) -> Integers:
        """Rounds of games, 0 for none."""
        return np.asarray(np.maximum(self.records["round"], 0))

    @cached_property
    def scores(self) -> Floats:
        """Scores of side a."""
        return np.ascontiguousarray(self.records["score"])

    @property
    def handicaps(self) -> NDArray[np.bytes_]:
        """Codes of the handicaps of shogi, NO_TEXT for none."""
        return self.records["handicap"]

    @cached_property
    def a_gives(self) -> Flags:
        return np.asarray(self.records["giver"] == b"a")

    @cached_property
    def stones(self) -> Integers:
        """Handicap stones of go."""
        return np.ascontiguousarray(self.records["stones"])

    @cached_property
    def b_is_black(self) -> Flags:
        return np.asarray(self.records["black"] == b"b")

    @cached_property
    def boards(self) -> Integers:
        """Sizes of the boards of go."""
        return np.ascontiguousarray(self.records["board"])

    @cached_property
    def online(self) -> Flags:
        return np.ascontiguousarray(self.records["online"])

    @cached_property
    def correspondence(self) -> Flags:
        return np.ascontiguousarray(self.records["correspondence"])


def build_table_arrays(tables: Sequence[TableWithGames]) -> TableArrays:
    """Return tables, given in rating order, as arrays."""
    ids = list(chain.from_iterable(read.table.players for read in tables))
    index = {id: n for n, id in enumerate(dict.fromkeys(ids))}
    seats = compute_starts(len(read.table.players) for read in tables)
    records = join_games(tables)
    table_of = np.repeat(np.arange(len(tables)), [len(read.games) for read in tables])
    played = np.flatnonzero(records["played"])
    played = played[np.lexsort((records["round"][played], table_of[played]))]
    records, table_of = records[played], table_of[played]
    return TableArrays(
        tables=[read.table for read in tables],
        players=list(index),
        seats=seats,
        seated=np.array([index[id] for id in ids], dtype=np.int64),
        games=compute_starts(np.bincount(table_of, minlength=len(tables))),
        a=seats[table_of] + records["a"],
        b=seats[table_of] + records["b"],
        records=records,
    )


def compute_starts(sizes: Iterable[int]) -> Integers:
    """Return the start of each of consecutive parts with these sizes, and the end of the last."""
    return np.concatenate(([0], np.cumsum(np.fromiter(sizes, dtype=np.int64))))


def mask_unknown(numbers: Integers | Floats, known: Flags) -> list[Any]:
    """Return numbers as a list with None where they are not known."""
    return [number if is_known else None for number, is_known in zip(numbers.tolist(), known.tolist(), strict=True)]


SEAT_COLUMNS = (
    "category",
    "category_after",
    "before",
    "after",
    "change",
    "games",
    "games_after",
    "performance",
    "grade_before",
    "grade",
    "published",
    "hidden",
    "notes",
    "states",
)
"""Columns of `RatedArrays` with a value for each seat, in their order."""


@dataclass(frozen=True, slots=True)
class RatedArrays(Generic[S]):
    """Results of `rate` as columns: the values of `values.Row` per seat, values per table, and the final states."""

    category: Sequence[str]
    category_after: Sequence[str]
    before: Sequence[float | None]
    after: Sequence[float | None]
    change: Sequence[float | None]
    games: Sequence[int]
    games_after: Sequence[int | None]
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
    def columns(self) -> list[Sequence[Any]]:
        """The columns with a value for each seat, in the order of `SEAT_COLUMNS`."""
        return [getattr(self, name) for name in SEAT_COLUMNS]

    def without_grades(self) -> RatedArrays[S]:
        """Return the results for a list that awards no grades."""
        no_grades = [""] * len(self.grade)
        return replace(self, grade_before=no_grades, grade=no_grades, awards={})


@dataclass(frozen=True, slots=True)
class ClosedArrays(Generic[S]):
    """Results of `close` as columns: one seat for each player whose state changes, in the order of `players`."""

    players: Sequence[str]
    result: RatedArrays[S]
