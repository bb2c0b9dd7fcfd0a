"""Tables, closing days and their results as columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from operator import itemgetter
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from .values import Award, Table

S = TypeVar("S")
Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


GameRow = tuple[Any, ...]
"""Values of a game, in the order of the fields of `Game`."""
ROUND, SIDE_A, SIDE_B, SCORE, PLAYED, HANDICAP, GIVER, STONES, BLACK, BOARD, ONLINE, CORRESPONDENCE = range(12)


@dataclass(frozen=True, slots=True)
class TableWithGames:
    """A results table and its games as rows; `table` itself may have been read without them.

    Rows take a third of the time of values.
    """

    table: Table
    games: Sequence[GameRow]

    def list_pairs(self) -> list[tuple[str, str]]:
        """Return the two players of each played game."""
        return [(row[SIDE_A], row[SIDE_B]) for row in self.games if row[PLAYED]]


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
    rows: Sequence[GameRow]

    @cached_property
    def rounds(self) -> Integers:
        """Rounds of games, 0 for none."""
        return np.array([row[ROUND] or 0 for row in self.rows], dtype=np.int64)

    @cached_property
    def scores(self) -> Floats:
        """Scores of side a."""
        return np.array([row[SCORE] for row in self.rows], dtype=np.float64)

    @cached_property
    def handicaps(self) -> Sequence[str | None]:
        return [row[HANDICAP] for row in self.rows]

    @cached_property
    def a_gives(self) -> Flags:
        return np.array([row[GIVER] == "a" for row in self.rows], dtype=np.bool_)

    @cached_property
    def stones(self) -> Integers:
        """Handicap stones of go."""
        return np.array([row[STONES] for row in self.rows], dtype=np.int64)

    @cached_property
    def b_is_black(self) -> Flags:
        return np.array([row[BLACK] == "b" for row in self.rows], dtype=np.bool_)

    @cached_property
    def boards(self) -> Integers:
        """Sizes of the boards of go."""
        return np.array([row[BOARD] for row in self.rows], dtype=np.int64)

    @cached_property
    def online(self) -> Flags:
        return np.array([row[ONLINE] for row in self.rows], dtype=np.bool_)

    @cached_property
    def correspondence(self) -> Flags:
        return np.array([row[CORRESPONDENCE] for row in self.rows], dtype=np.bool_)


def build_table_arrays(tables: Sequence[TableWithGames]) -> TableArrays:
    """Return tables, given in rating order, as arrays."""
    index: dict[str, int] = {}
    seated, seats, games = list[int](), [0], [0]
    a, b, rows = list[int](), list[int](), list[GameRow]()
    for read in tables:
        seat_of = dict(zip(read.table.players, range(len(seated), len(seated) + len(read.table.players)), strict=True))
        seated += [index.setdefault(id, len(index)) for id in seat_of]
        played = sorted((row for row in read.games if row[PLAYED]), key=_get_round)
        rows += played
        a += map(seat_of.__getitem__, map(itemgetter(SIDE_A), played))
        b += map(seat_of.__getitem__, map(itemgetter(SIDE_B), played))
        seats.append(len(seated))
        games.append(len(rows))
    numbers = {"seats": seats, "seated": seated, "games": games, "a": a, "b": b}
    arrays = {name: np.array(column, dtype=np.int64) for name, column in numbers.items()}
    return TableArrays(tables=[read.table for read in tables], players=list(index), rows=rows, **arrays)


def _get_round(row: GameRow) -> int:
    return row[ROUND] or 0


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
    def rows(self) -> list[tuple[Any, ...]]:
        """The values of each seat, in the order of `SEAT_COLUMNS`."""
        return list(zip(*(getattr(self, name) for name in SEAT_COLUMNS), strict=True))


@dataclass(frozen=True, slots=True)
class ClosedArrays(Generic[S]):
    """Results of `close` as columns: one seat for each player whose state changes, in the order of `players`."""

    players: Sequence[str]
    result: RatedArrays[S]
