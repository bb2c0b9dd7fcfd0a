"""Interface of every rating system; the replay code uses nothing else of a system."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from .options import Option, resolve_options
from .progress import Progress
from .rules import Rules
from .state_checks import is_number
from .table_arrays import RatedArrays, TableArrays
from .values import Decision, Game, Player, Row, RowExplanation, Standing, StateJson, Table, TableResult

S = TypeVar("S")


class System(ABC, Generic[S]):
    """Abstract rating system: one federation's rules with the settings of one list.

    States are immutable values of the system; only `read` and `write` convert them to and from JSON. Besides `rate`, a
    system may have closing days, on which states change without a table.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    decimals: ClassVar[int] = 0
    """Number of decimals with which ratings are displayed."""
    options: ClassVar[Sequence[Option]] = ()
    required_values: ClassVar[frozenset[str]] = frozenset()
    """Names of the values that the system needs besides results, such as minutes, stones, board and birth_date."""
    active_years: ClassVar[int] = 2
    """Years without a game after which a player is left off the list, unless the list sets another number."""
    hides_absent_players: ClassVar[bool] = False
    """True if standings depend on the day: long absence counts, and states contain `last_played`."""
    defines_performance: ClassVar[bool] = True
    """True if the rules define a performance; otherwise it is computed from the system's expected scores."""
    counts_games: ClassVar[bool] = False
    """True if a standing counts all rated games of a player; otherwise the portal counts those it has rated."""
    settled_games: ClassVar[int | None] = None
    """Number of rated games from which their count no longer affects ratings.

    None if `with_rating` sets that number.
    """
    tie_breaks: ClassVar[tuple[str, str]] = ("SOS", "SODOS")
    """Names, in this game, of the sum of the opponents' scores and the sum of the defeated opponents' scores."""
    files: ClassVar[Sequence[str]] = ("grid", "trf", "csv", "xlsx")
    """External formats in which tables can be exported."""
    list_layout: ClassVar[str] = "fesa"
    """External format of rating lists as text: fesa, egf or fide."""
    legend: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Player categories that are marked on lists, with their meanings."""
    assumptions: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Assumptions about a player for whom a required value is unknown, by the name of the value."""
    needs_opponents_below: ClassVar[int] = 0
    """Number of rated games below which a state must contain the opponents, whom rating lists do not include."""
    approved_by: ClassVar[str] = ""
    """Name of the body that approves grades that need approval."""
    empty_list_reason: ClassVar[str] = ""
    """Explanation of why a list stays empty until an officer sets a first rating; empty for most systems."""

    def __init__(self, list_options: Mapping[str, Any] | None = None) -> None:
        """Configure the system with a list's options.

        Raise ValueError if an option is unknown or its value is invalid.
        """
        self.settings = resolve_options(self.key, self.options, list_options or {})

    @property
    def grades(self) -> Sequence[str]:
        """Grade names, lowest first; empty in a system without grades."""
        return ()

    @property
    def grades_needing_approval(self) -> Sequence[str]:
        """Grades that take effect only after an approval, lowest first; empty if there are none."""
        return ()

    @property
    def bands(self) -> Sequence[tuple[str, int]]:
        """Pairs of grade and lowest rating of its band, lowest first; empty if ratings do not determine grades."""
        return ()

    @abstractmethod
    def newcomer(self) -> S:
        """Return the state of a player about whom nothing is known yet."""

    @abstractmethod
    def read(self, opening: StateJson, *, fixed: bool = False) -> S:
        """Return the state stored as `opening` (the history format's JSON); raise ValueError if it is invalid.

        With `fixed`, a rating needs no other values: for outsiders with fixed ratings and for stored states.
        """

    @abstractmethod
    def write(self, state: S) -> StateJson:
        """Return the state as plain JSON without empty values: the inverse of `read`."""

    def adjust(self, state: S, changes: StateJson, *, fixed: bool = False, on: dt.date | None = None) -> S:
        """Return the state after an adjustment on a day; values that are not in `changes` stay unchanged.

        A rating alone makes a player who had none fully rated.
        """
        present = self.get_remaining_values(state, changes)
        if set(changes) == {"rating"} and is_number(changes["rating"]) and "rating" not in present and not fixed:
            return self.with_rating(state, changes["rating"])
        return self.read({**present, **changes}, fixed=fixed)

    def get_remaining_values(self, state: S, given: StateJson) -> StateJson:
        """Return the values of the present state, as JSON, that remain valid beside the adjusted ones."""
        return self.write(state)

    @abstractmethod
    def with_rating(self, state: S, rating: float) -> S:
        """Return the state with a rating confirmed by an officer; unrated players become fully rated."""

    def listed(self, rating: float, games: int | None, grade: str | None) -> StateJson:
        """Return the opening state, as JSON, of a player imported from an external rating list.

        Raise ValueError if the values are invalid.
        """
        opening = {**self.write(self.with_rating(self.newcomer(), rating))}
        if games is not None and "games" in opening:
            opening["games"] = games
        if grade is not None and self.grades:
            opening["grade"] = grade
        self.read(opening)
        return opening

    @abstractmethod
    def shift(self, state: S, by: float) -> S:
        """Return the state with its rating moved by `by` rating points; unrated players stay unchanged."""

    def decide(self, state: S, decision: Decision) -> S:
        """Return the state after a decision that takes effect at once.

        These are the rulings given, kept, approved and declined, and printed if it names no table.
        """
        return state

    def progress(self, state: S) -> Progress | None:
        """Return the requirements for the next grade.

        Return None in a system without grades, or for a player without a rating.
        """
        return None

    def ratings_after_games(self, row: Row) -> Sequence[float]:
        """Return the rating after each game of a row, in rating points, as used by the rules on grades."""
        return [row.after or 0.0] * row.games

    def minimum_run_rating(self, grade: str, how: str) -> float | None:
        """Return the rating to reach after every game of a run that wins `grade` in the way `how`.

        Return None if no run is counted.
        """
        return None

    def promotion_rating(self, grade: str, how: str) -> float | None:
        """Return the rating that wins `grade` in the way `how` once it is reached; None if no single rating does."""
        return None

    @abstractmethod
    def standing(self, state: S, player: Player, on: dt.date | None = None) -> Standing:
        """Return the player's standing on the list of a day; without a day, long absence does not count."""

    def absence_cutoff(self, on: dt.date) -> dt.date | None:
        """Return the cutoff day of absence: the list of `on` omits players whose last game is on or before it.

        Return None if absence does not count.
        """
        return None

    @abstractmethod
    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, S],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[S]:
        """Rate one table, and return one row per player in the table's order.

        `players` and `states` contain every player of the table; `rulings` are the printed and withheld grades of this
        table. Raise ValueError if the rules do not cover the table.
        """

    @property
    def compiled(self) -> bool:
        """True if `rate_arrays` is available: the results of `rate`, computed faster."""
        return False

    def rate_arrays(
        self, columns: TableArrays, players: Mapping[str, Player], states: Mapping[str, S]
    ) -> RatedArrays[S]:
        """Rate a sequence of tables that have no rulings; `players` and `states` are those of `rate`."""
        raise NotImplementedError(f"{self.key} has no compiled code")

    def closing_days(self, first: dt.date, last: dt.date) -> Sequence[dt.date]:
        """Return the closing days of tables that ended from `first` to `last`.

        On a closing day states change without a table, after the tables of that day.
        """
        return ()

    def counting_day(self, day: dt.date) -> dt.date | None:
        """Return the closing day that adds the points of a table ended on `day`; None if ratings move at once."""
        return next(iter(self.closing_days(day, day)), None)

    def close(self, day: dt.date, players: Mapping[str, Player], states: Mapping[str, S]) -> TableResult[S]:
        """Return the rows and states of the players whose state changes on a closing day."""
        raise NotImplementedError(f"{self.key} has no closing days")

    @abstractmethod
    def predict(self, own: float, opponent: float, game: Game, own_side: str) -> float | None:
        """Return the expected score (0..1) of the player on side `own_side` (a or b) by the ratings before the game.

        Return None if these rules do not rate such a game.
        """

    @abstractmethod
    def explained(self, row: Row, *, fixed_opponents: bool = False) -> RowExplanation:
        """Explain how the rating of a row with games was computed, in the system's own terms.

        With `fixed_opponents`, the ratings of all opponents are fixed, as in a calculator.
        """

    @abstractmethod
    def rules(self) -> Rules:
        """Return the system with its settings as texts and tables, for the page that explains the ratings."""


def unchanged_row(player: str, standing: Standing, note: str, category: str | None = None) -> Row:
    """Return the row of a player whose state a table does not change; `note` gives the reason."""
    return Row(
        player,
        category or standing.category,
        category or standing.category,
        standing.rating,
        standing.rating,
        None if standing.rating is None else 0,
        games_after=standing.games,
        grade_before=standing.grade,
        grade=standing.grade,
        note=note,
    )
