"""Several tables at once as columns, for systems with compiled code; and what comes out, a column each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from .values import Award, Table

S = TypeVar("S")
Whole = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Columns:
    """Rated tables in rating order, without guests and outsiders. Seats are numbered through all of them, and so are
    their played games, those of a table in the order of rounds. `a_gives` tells who gave a handicap.
    """

    players: Sequence[str]  # everybody who sits somewhere, once
    seats: Whole  # where each table's seats begin, and the end of the last
    seated: Whole  # of each seat: the player's index
    games: Whole  # where each table's games begin, and the end of the last
    a: Whole  # of each game: the seats of its players
    b: Whole
    scores: Floats  # of a
    handicaps: Sequence[str | None]
    a_gives: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class RatedColumns(Generic[S]):
    """What `rate` says of each seat (the figures of values.Row) and each table, and everybody's state at the end."""

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
    states: Sequence[str]  # as texts.text_of writes them
    rounds: Sequence[int]  # of each table
    settled: Sequence[bool]
    last: Mapping[str, S]
    awards: Mapping[int, tuple[Award, ...]] = field(default_factory=dict)  # by seat
    warnings: Mapping[int, tuple[str, ...]] = field(default_factory=dict)  # by the table's index

    @property
    def rows(self) -> list[tuple[Any, ...]]:
        """All there is of each seat, in the order of the fields."""
        return list(
            zip(
                self.category, self.category_after, self.before, self.after, self.change, self.games,
                self.games_after, self.performance, self.grade_before, self.grade, self.published, self.hidden,
                self.notes, self.states, strict=True,
            )
        )  # fmt: skip


def columns_of(tables: Sequence[Table]) -> Columns:
    """Tables as columns; all of them have to be rated ones without guests and outsiders."""
    index: dict[str, int] = {}
    seated = [index.setdefault(id, len(index)) for table in tables for id in table.players]
    seat, seats, games = 0, [0], [0]
    a, b, scores, handicaps, gives = [], [], [], [], []
    for table in tables:
        at = {id: seat + n for n, id in enumerate(table.players)}
        seat += len(at)
        played = sorted((game for game in table.games if game.played), key=lambda game: game.round or 0)
        for game in played:
            assert game.b is not None
            a.append(at[game.a])
            b.append(at[game.b])
            scores.append(game.score)
            handicaps.append(game.handicap)
            gives.append(game.giver == "a")
        seats.append(seat)
        games.append(len(a))
    return Columns(
        list(index),
        np.array(seats, dtype=np.int64),
        np.array(seated, dtype=np.int64),
        np.array(games, dtype=np.int64),
        np.array(a, dtype=np.int64),
        np.array(b, dtype=np.int64),
        np.array(scores, dtype=np.float64),
        handicaps,
        np.array(gives, dtype=np.bool_),
    )
