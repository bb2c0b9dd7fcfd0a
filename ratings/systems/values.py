"""The values that go into a rating system and come out of it. Immutable; units in the names' own terms.

Ratings are rating points, games are counts of rated games, grades are written "15 Kyu" or "1 Dan".
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, TypeVar, overload

S = TypeVar("S")

Opening = Mapping[str, Any]
"""A state as history-format writes it: plain JSON, the keys depend on the system."""


@dataclass(frozen=True, slots=True)
class Player:
    """What a list knows of a player besides games. `id` is any string, unique in a history."""

    id: str
    name: str = ""
    country: str = ""
    birth_date: dt.date | None = None
    start_year: int | None = None
    prior_grade: str | None = None
    fixed: bool = False
    unlisted: bool = False
    opening: Opening | None = None


@dataclass(frozen=True, slots=True)
class Game:
    """One pairing of a round; `score` is of `a` (0, 0.5 or 1). Not played: never rated, `b` may be None."""

    round: int | None
    a: str
    b: str | None
    score: float | None
    played: bool = True
    handicap: str | None = None
    giver: str | None = None
    stones: int = 0
    black: str | None = None
    board: int = 19
    online: bool = False
    correspondence: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """The unit of rating. `date` is the first day, `end_date` the last; `fixed` holds this table's outsiders."""

    id: str
    date: dt.date
    players: tuple[str, ...]
    games: tuple[Game, ...]
    event: str = ""
    end_date: dt.date | None = None
    tournament: bool = True
    minutes: float | None = None
    overtime: Mapping[str, float] | None = None
    fixed: Mapping[str, float] = field(default_factory=dict)
    under_21: frozenset[str] = frozenset()
    rated: bool = True

    @property
    def last_day(self) -> dt.date:
        return self.end_date or self.date


@dataclass(frozen=True, slots=True)
class Adjustment:
    """A state given from outside: `set` for one player, or `shift` for every rated player of the list."""

    date: dt.date
    player: str | None = None
    before: str | None = None
    set: Opening | None = None
    shift: float | None = None
    reason: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What people decided about a grade. `ruling` is history-format's `is`.

    With `before`, printed and withheld speak of the rating of that table itself; the other rulings, and
    all of them without `before`, hold from the start of `date` (withheld: for the tables of that date).
    """

    date: dt.date
    player: str
    grade: str
    ruling: str
    before: str | None = None
    reason: str = ""
    id: str = ""


RULINGS = ("printed", "given", "kept", "withheld", "approved", "declined")


@dataclass(frozen=True, slots=True)
class Closing:
    """A day on which a system moves states without a table, after the tables of that day."""

    date: dt.date


@dataclass(frozen=True, slots=True)
class History:
    """All inputs of one list; `tables` in any order, ties of date are broken by their order here.

    `span` is for a part of a history: the day it begins on and the last day of the whole history's tables, between
    which closing days fall; None where `tables` are all there are.
    """

    system: str
    players: Mapping[str, Player]
    tables: tuple[Table, ...]
    adjustments: tuple[Adjustment, ...] = ()
    decisions: tuple[Decision, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    span: tuple[dt.date, dt.date] | None = None


@dataclass(frozen=True, slots=True)
class Award:
    """A grade won. `game` counts from 1 among the games that the rule counted; None for a decision."""

    grade: str
    how: str
    game: int | None = None
    needs_approval: bool = False


class Terms(Sequence[Mapping[str, Any]]):
    """Terms that are made when somebody asks for them: most rows are stored without."""

    def __init__(self, make: Callable[[], Iterable[Mapping[str, Any]]]) -> None:
        self._make = make
        self._made: tuple[Mapping[str, Any], ...] | None = None

    def _all(self) -> tuple[Mapping[str, Any], ...]:
        if self._made is None:
            self._made = tuple(self._make())
        return self._made

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())


@dataclass(frozen=True, slots=True)
class Row:
    """One player of one table (or of an adjustment, a decision or a closing day, then without games) in the result."""

    player: str
    category: str
    category_after: str
    before: float | None
    after: float | None
    change: float | None
    games: int = 0
    games_after: int | None = None
    performance: float | None = None
    grade_before: str | None = None
    grade: str | None = None
    awards: tuple[Award, ...] = ()
    terms: Sequence[Mapping[str, Any]] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""

    def without_grades(self) -> Row:
        """The same on a list that awards none."""
        return replace(self, grade_before=None, grade=None, awards=())


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the explanation: a key of the terms, its rule's name for it, and how it is written.

    `form`: rating (the system's decimals), points (2 decimals), signed (2 decimals and a sign), share (4 decimals),
    score (1, ½, 0), plain.
    """

    key: str
    label: str
    form: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line below the games, on the way from their sum to the published number; `form` as of a Column."""

    label: str
    value: float | str
    form: str


@dataclass(frozen=True, slots=True)
class Explained:
    """How a row's number was made, in the system's own words: columns of its terms, lines that lead to it, rules."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class TableResult(Generic[S]):
    """What rating one table gave. `states` holds only players whose state may have changed."""

    rows: tuple[Row, ...]
    states: Mapping[str, S]
    rounds: int = 1
    settled: bool = True
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place on the list after his last step; `rating` is None while he has none.

    `published`: he stands on the list; `hidden`: none of his ratings may be shown anywhere.
    """

    rating: float | None
    games: int
    grade: str | None
    category: str
    published: bool
    waiting: str | None = None
    hidden: bool = False
