"""Input and output values of the rating systems, all immutable.

Ratings are rating points, games are counts of rated games, grades are written "15 Kyu" or "1 Dan".
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Generic, TypeVar, overload

S = TypeVar("S")


class Category(StrEnum):
    """Category in which a system rates a player; the values are the words of the history format and of the API."""

    UNRATED = "unrated"
    UNGRADED = "ungraded"
    PROVISIONAL = "provisional"
    UNOFFICIAL = "unofficial"
    NEW = "new"
    RATED = "rated"
    GRADED = "graded"
    ESTABLISHED = "established"
    OFFICIAL = "official"
    INACTIVE = "inactive"
    FIXED = "fixed"


UNRATED_CATEGORIES = (Category.UNRATED, Category.UNGRADED, Category.NEW)
"""Categories of players without an established rating: the rating listed for them cannot rise or fall."""
PROVISIONAL_CATEGORIES = (Category.PROVISIONAL, Category.UNOFFICIAL)
"""Categories of players whose rating rests on few games."""
FEW_GAMES = 30
"""Number of rated games below which a rating counts as that of a newcomer, in systems without such a category."""


class Ruling(StrEnum):
    """Kind of a decision about a grade; the values are the words of the history format."""

    PRINTED = "printed"
    GIVEN = "given"
    KEPT = "kept"
    WITHHELD = "withheld"
    APPROVED = "approved"
    DECLINED = "declined"


class AwardHow(StrEnum):
    """Way in which a grade was won or lost; the values are the words of the history format and of the API.

    A grade from a decision has the decision's ruling as its way.
    """

    UPPER_BOUND = "upper bound"
    GAMES_ABOVE_MP = "games above MP"
    GAMES_ABOVE_LB = "games above LB"
    PROVISIONAL = "provisional"
    BOUND_TO_GET_IT = "bound to get it"
    ABOVE_BAND = "above the band"
    DEMOTION = "demotion"
    PRINTED = "printed"
    GIVEN = "given"
    KEPT = "kept"
    WITHHELD = "withheld"
    APPROVED = "approved"
    DECLINED = "declined"


StateJson = Mapping[str, Any]
"""State in the JSON form of the history format; its keys depend on the system."""


@dataclass(frozen=True, slots=True)
class Player:
    """Data of a player on a list, except their games; `id` is any string, unique in a history.

    `k` holds the K that a junior had on the lists of a year, where the birth year is not told. `standard` holds the
    ratings of the list from which this one takes first ratings, each with the day from which it was in force.
    `outside_ids` are ids in other registries, each with `registry`, `value`, and for a national federation `country`.
    """

    id: str
    name: str = ""
    country: str = ""
    birth_date: dt.date | None = None
    birth_year: int | None = None
    start_year: int | None = None
    prior_grade: str | None = None
    fixed: bool = False
    unlisted: bool = False
    opening: StateJson | None = None
    k: Mapping[int, int] = field(default_factory=dict)
    standard: tuple[tuple[dt.date, float | None], ...] = ()
    outside_ids: tuple[Mapping[str, str], ...] = ()


class GameKind(StrEnum):
    """Kind of a result that is not rated, where score and opponent do not say it; the words of the history format."""

    UNRATED = "unrated"
    """A game at the board that is not rated, such as one of less than a move (W, D and L in TRF)."""
    BOTH_LOST = "both lost"
    """A game that both players lost by default."""
    BOTH_WON = "both won"
    """A game that was not played, with a full point for both players."""
    FULL_BYE = "full bye"
    """A full point without an opponent that is not the bye of the pairing (F in TRF)."""


def invert_score(score: float, kind: str = "") -> float:
    """Return the score of the second player, from that of the first."""
    return score if kind in (GameKind.BOTH_LOST, GameKind.BOTH_WON) else 1 - score


Key = TypeVar("Key", str, int)


@dataclass(frozen=True, slots=True)
class GameBetween(Generic[Key]):
    """A game of a round between players given by a key; `score` is that of `a` (0, 0.5 or 1).

    A game that was not played is never rated, and its `b` may be None. `kind` is a `GameKind`, only for such a game;
    without one, a game of two players that was not played was won by default.
    """

    round: int | None
    a: Key
    b: Key | None
    score: float | None
    played: bool = True
    handicap: str | None = None
    giver: str | None = None
    stones: int = 0
    black: str | None = None
    board: int = 19
    online: bool = False
    correspondence: bool = False
    kind: str = ""


@dataclass(frozen=True, slots=True)
class Game(GameBetween[str]):
    """A game between players given by their ids, as the rating systems take it."""


@dataclass(frozen=True, slots=True)
class Table:
    """Results table, the unit of rating.

    `date` is the first day, `end_date` the last; `fixed` maps the outsiders of this table to their ratings.
    `time_class` is the class (A to D) that the federation gave the table, whatever its thinking time is, or "".
    `list_day` is the list on which it is rated, where that is not the first one after it.
    """

    id: str
    date: dt.date
    players: tuple[str, ...]
    games: tuple[Game, ...]
    event: str = ""
    end_date: dt.date | None = None
    tournament: bool = True
    minutes: float | None = None
    overtime: Mapping[str, float] | None = None
    time_class: str = ""
    list_day: dt.date | None = None
    fixed: Mapping[str, float] = field(default_factory=dict)
    under_21: frozenset[str] = frozenset()
    rated: bool = True

    @property
    def last_day(self) -> dt.date:
        return self.end_date or self.date


@dataclass(frozen=True, slots=True)
class Adjustment:
    """Adjustment by an officer: `set` changes one player, `shift` moves all rated players of the list."""

    date: dt.date
    player: str | None = None
    before: str | None = None
    set: StateJson | None = None
    shift: float | None = None
    reason: str = ""
    id: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """Decision of an official about a grade; `ruling` is stored as `is` in the history format.

    With `before`, printed and withheld apply to the rating of that table itself. The other rulings, and all of them
    without `before`, apply from the start of `date` (withheld: to the tables of that date).
    """

    date: dt.date
    player: str
    grade: str
    ruling: str
    before: str | None = None
    reason: str = ""
    id: str = ""


RULINGS = tuple(Ruling)
ANSWERING_RULINGS = (Ruling.APPROVED, Ruling.DECLINED)
"""Rulings that answer the question whether a grade that needs approval is granted."""


@dataclass(frozen=True, slots=True)
class Closing:
    """Day on which a system changes states without a table, after the tables of that day or before everything of it."""

    date: dt.date


@dataclass(frozen=True, slots=True)
class OptionChange:
    """New values of some options of a list, for everything that happens on a day or later."""

    date: dt.date
    options: Mapping[str, Any]
    reason: str = ""


@dataclass(frozen=True, slots=True)
class History:
    """All inputs of one list; `tables` in any order, with ties of date broken by their order here.

    `options` hold from the beginning, until `option_changes` replace some of them. `span` is set for a part of a
    history: its first day and the last day of all tables of the whole history, between which closing days fall. It is
    None if `tables` is complete.
    """

    system: str
    players: Mapping[str, Player]
    tables: tuple[Table, ...]
    adjustments: tuple[Adjustment, ...] = ()
    decisions: tuple[Decision, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)
    span: tuple[dt.date, dt.date] | None = None
    option_changes: tuple[OptionChange, ...] = ()


@dataclass(frozen=True, slots=True)
class Award:
    """Grade that a player won.

    `game` counts from 1 among the games that the rule counted; it is None for a decision.
    """

    grade: str
    how: str
    game: int | None = None
    needs_approval: bool = False


class Terms(Sequence[Mapping[str, Any]]):
    """Sequence of explanation terms, computed on first access, because most rows are stored without them."""

    def __init__(self, make: Callable[[], Iterable[Mapping[str, Any]]]) -> None:
        self._make = make
        self._terms: tuple[Mapping[str, Any], ...] | None = None

    def _get_terms(self) -> tuple[Mapping[str, Any], ...]:
        if self._terms is None:
            self._terms = tuple(self._make())
        return self._terms

    @overload
    def __getitem__(self, index: int) -> Mapping[str, Any]: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Mapping[str, Any]]: ...
    def __getitem__(self, index: int | slice) -> Any:
        return self._get_terms()[index]

    def __len__(self) -> int:
        return len(self._get_terms())


class Figures(Mapping[str, Any]):
    """Figures of a row for its explanation, computed on first access, because most rows are stored without them."""

    def __init__(self, make: Callable[[], Mapping[str, Any]]) -> None:
        self._make = make
        self._figures: Mapping[str, Any] | None = None

    def _get_figures(self) -> Mapping[str, Any]:
        if self._figures is None:
            self._figures = self._make()
        return self._figures

    def __getitem__(self, key: str) -> Any:
        return self._get_figures()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._get_figures())

    def __len__(self) -> int:
        return len(self._get_figures())


@dataclass(frozen=True, slots=True)
class Row:
    """Result of one player in one table, adjustment, decision or closing day; only tables have games.

    A closing day that rates games again has their number in `figures`.
    """

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
        """Return the row without grades and awards, for a list that awards none."""
        return replace(self, grade_before=None, grade=None, awards=())


@dataclass(frozen=True, slots=True)
class Column:
    """Column of an explanation: a key of the terms, the rule's name for it, and its format.

    `format` is one of: rating (the system's decimals), points (2 decimals), signed (2 decimals and a sign), exact
    and exact_signed (3 decimals), share (4 decimals), score (1, ½, 0), day (an ISO text), plain.
    """

    key: str
    label: str
    format: str


@dataclass(frozen=True, slots=True)
class Line:
    """Line below the games of an explanation, from their sum to the published rating; `format` is that of Column."""

    label: str
    value: float | str
    format: str


class PartKind(StrEnum):
    """Source of a part of a rating change: a game, a bonus, the lowest rating, or another rule."""

    GAME = "game"
    BONUS = "bonus"
    FLOOR = "floor"
    RULE = "rule"


@dataclass(frozen=True, slots=True)
class Part:
    """Part of a rating change, in rating points.

    `term` is the index of the game among the terms; None for a part without a game, such as a bonus, which has a label
    and a kind.
    """

    points: float
    term: int | None = None
    label: str = ""
    kind: PartKind = PartKind.RULE


@dataclass(frozen=True, slots=True)
class RowExplanation:
    """Explanation of a row's rating: columns of its terms, lines of the computation, and notes on the rules.

    `parts` are the parts of the change in the order of the rules; their sum is the change before it is rounded. They
    are empty for a rating that is not a sum, such as a performance. `expected` is the score that the rules expected of
    all games together, None if they expected none.
    """

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    notes: tuple[str, ...] = ()
    parts: tuple[Part, ...] = ()
    expected: float | None = None

    def without_notes(self, notes: Iterable[str]) -> RowExplanation:
        """Return the explanation without the given notes."""
        left_out = set(notes)
        return replace(self, notes=tuple(note for note in self.notes if note not in left_out))


@dataclass(frozen=True, slots=True)
class TableResult(Generic[S]):
    """Result of rating one table; `states` contains only players whose state may have changed."""

    rows: tuple[Row, ...]
    states: Mapping[str, S]
    rounds: int = 1
    settled: bool = True
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Standing:
    """Standing of a player on the list after their last step; `rating` is None without a rating.

    `published`: the player is on the list. `hidden`: none of the player's ratings may be displayed anywhere.
    `deviation`: the uncertainty of the rating, in rating points, in systems that have one.
    """

    rating: float | None
    games: int
    grade: str | None
    category: str
    published: bool
    waiting: str | None = None
    hidden: bool = False
    deviation: float | None = None
