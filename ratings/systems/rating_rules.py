"""Protocol of rating: the states of players, and how tables, adjustments and closing days change them."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from .compiling import load_compiled
from .state_arrays import OBJECTS, StateForm, StateRows
from .state_checks import is_number
from .table_arrays import ClosedArrays, RatedArrays, TableArrays
from .values import (
    FEW_GAMES,
    PROVISIONAL_CATEGORIES,
    UNRATED_CATEGORIES,
    Adjustment,
    Decision,
    Game,
    Player,
    Standing,
    StateJson,
    Table,
    TableResult,
)

S = TypeVar("S")


class PastInputs(Protocol):
    """Collection of a list's tables and adjustments in their order, from the first one on.

    `settings` are those of the day of the next input, or of the closing day.
    """

    settings: Mapping[str, Any]

    def add(self, cause: Table | Adjustment, players: Mapping[str, Player], states: Mapping[str, Any]) -> None:
        """Add an input that has been applied; `players` and `states` contain its players after it."""


class RatingRules(ABC, Generic[S]):
    """Rating rules of a system, with the settings of one list.

    States are immutable values of the system; only `read` and `write` convert them to and from JSON. Besides `rate`, a
    system may have closing days, on which states change without a table.
    """

    required_values: ClassVar[frozenset[str]] = frozenset()
    """Names of the values that the system needs besides results, such as minutes, stones, board and birth_date."""
    active_years: ClassVar[int | None] = 2
    """Years without a game after which a player is left off the list, unless the list sets another number.

    None if nobody is left off for that reason.
    """
    hides_absent_players: ClassVar[bool] = False
    """True if standings depend on the day: long absence counts, and states contain `last_played`."""
    closes_before_tables: ClassVar[bool] = False
    """True if a closing day changes states before the adjustments, decisions and tables of that day, not after them."""
    has_deviations: ClassVar[bool] = False
    """True if ratings have a deviation, which says how certain they are."""
    category_depends_on_day: ClassVar[bool] = False
    """True if absence can change a player's category without a step, such as to inactive or provisional."""
    marks_provisional: ClassVar[bool] = True
    """True if a category says that a player's rating rests on few games."""
    counts_games: ClassVar[bool] = False
    """True if a standing counts all rated games of a player; otherwise the portal counts those it has rated."""
    settled_games: ClassVar[int | None] = None
    """Number of rated games from which their count no longer affects ratings.

    None if `with_rating` sets that number.
    """
    loops: ClassVar[Callable[..., Any] | None] = None
    """Loops over tables, marked by `compiled`, on which `rate_arrays` rests; None if the system has none."""
    state_form: ClassVar[StateForm[Any]] = OBJECTS
    """Form in which runs hold the states, and `rate_arrays` takes them."""
    closes_in_arrays: ClassVar[bool] = False
    """True if `close_arrays` is available: the results of `close`, computed faster."""
    grade_in_state: ClassVar[bool] = False
    """True if a state contains the player's grade."""
    needs_opponents_below: ClassVar[int] = 0
    """Number of rated games below which a state must contain the opponents, whom rating lists do not include."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        self.settings = settings

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
        if grade is not None and self.grade_in_state:
            opening["grade"] = grade
        self.read(opening)
        return opening

    @abstractmethod
    def shift(self, state: S, by: float) -> S:
        """Return the state with its rating moved by `by` rating points; unrated players stay unchanged."""

    @abstractmethod
    def standing(self, state: S, player: Player, on: dt.date | None = None) -> Standing:
        """Return the player's standing on the list of a day; without a day, long absence does not count."""

    def list_entry(self, state: S, player: Player, on: dt.date) -> StateJson | None:
        """Return a player's entry on the list of a closing day, as JSON with `rating`; None if the list omits them."""
        standing = self.standing(state, player, on)
        return {"rating": standing.rating} if standing.published and standing.rating is not None else None

    def is_newcomer(self, category: str, games: int) -> bool:
        """Return True for players without a rating or with one that rests on few games.

        The category says so or, in systems that do not mark such ratings, the number of rated games.
        """
        if self.marks_provisional:
            return category in PROVISIONAL_CATEGORIES or category in UNRATED_CATEGORIES
        return category in UNRATED_CATEGORIES or games < FEW_GAMES

    @property
    def rated_handicaps(self) -> Sequence[str]:
        """Handicaps with which games can be rated, smallest first: codes of shogi, or numbers of stones as digits."""
        return ()

    @property
    def established_deviation(self) -> float | None:
        """Largest deviation of an established rating, in rating points; None if the deviation does not decide it."""
        return None

    def forecast_deviation(
        self, state: S, since: dt.date, on: dt.date, results: Sequence[tuple[float, float]] = ()
    ) -> float | None:
        """Return the deviation, in rating points, that a rating will have after results on a day, or without games.

        `since` is the day on which the system or an officer set the rating of `state`. `results` are pairs of (rating
        of an opponent who is an outsider, score 0, 0.5 or 1), all in one table and one rating period. Return None for a
        state without a deviation.
        """
        return None

    def takes_ratings_from(self, other: RatingRules[Any]) -> bool:
        """Return True if a list may take players' first ratings from a list of another chapter of the same system."""
        return False

    def find_k_of_junior(
        self, birth_year: int, states: Iterable[tuple[dt.date, S]], last_list: dt.date
    ) -> Mapping[int, int]:
        """Return the K that a player had as a junior, by the year of the lists; empty where age does not matter.

        An export gives it where the birth year may not be told. `states` are those of the player on the list with their
        days, in order; years after that of the last list are left out.
        """
        return {}

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
        loops = type(self).loops
        return loops is not None and load_compiled(loops) is not None

    def compiles(self, table: Table) -> bool:
        """Return True if `rate_arrays` covers a rated table; it may leave out tables that the rules do not rate."""
        return True

    def rate_arrays(self, columns: TableArrays, players: Mapping[str, Player], states: StateRows[S]) -> RatedArrays[S]:
        """Rate a sequence of tables that have no rulings; `players` are those of `rate`.

        `states`, in `state_form`, are those of the tables' players, in their order.
        """
        raise NotImplementedError(f"{type(self).__name__} has no compiled code")

    def closing_days(self, first: dt.date, last: dt.date) -> Sequence[dt.date]:
        """Return the closing days of tables that ended from `first` to `last`.

        On a closing day states change without a table, after the tables of that day or before them
        (`closes_before_tables`).
        """
        return ()

    def last_day_of_span(self, last_day: dt.date, list_day: dt.date | None) -> dt.date:
        """Return the last day of the tables for which `closing_days` must reach the closing day of one table.

        `last_day` is the table's own, `list_day` the closing day that it names.
        """
        return last_day

    def counting_day(self, day: dt.date, list_day: dt.date | None = None) -> dt.date | None:
        """Return the closing day that adds the points of a table ended on `day`; None if ratings move at once.

        `list_day` is the closing day that the table names.
        """
        return next(iter(self.closing_days(day, day)), None)

    def list_closing_days(self, first: dt.date, last: dt.date, step: Callable[[dt.date], dt.date]) -> list[dt.date]:
        """Return the closing days from the first one on or after `first` to the first one on or after `last`.

        `step` returns the first closing day on or after a day.
        """
        days, day = [], step(first)
        while day <= step(last):
            days.append(day)
            day = step(day + dt.timedelta(days=1))
        return days

    def make_past_inputs(self) -> PastInputs | None:
        """Return an empty collection of past inputs, for closing days that need more than the states; else None."""
        return None

    def close(
        self, day: dt.date, players: Mapping[str, Player], states: Mapping[str, S], past: PastInputs | None = None
    ) -> TableResult[S]:
        """Return the rows and states of the players whose state changes on a closing day.

        `past` is what `make_past_inputs` returned, with all tables and adjustments before this closing day added.
        """
        raise NotImplementedError(f"{type(self).__name__} has no closing days")

    def close_arrays(
        self, day: dt.date, players: Mapping[str, Player], states: Mapping[str, S], past: PastInputs | None = None
    ) -> ClosedArrays[S]:
        """Return the results of `close` as columns, without what only explanations need."""
        raise NotImplementedError(f"{type(self).__name__} closes no day in arrays")

    @abstractmethod
    def predict(
        self, own: float, opponent: float, game: Game, own_side: str, deviations: tuple[float, float] | None = None
    ) -> float | None:
        """Return the expected score (0..1) of the player on side `own_side` (a or b) by the ratings before the game.

        `deviations` are those of both ratings, own first, in rating points; systems without deviations ignore them.
        Return None if these rules do not rate such a game.
        """

    def predict_sum(self, games: Sequence[tuple[float, Game, tuple[float, float] | None]]) -> Callable[[float], float]:
        """Return the function from a rating of the player on side a to the expected score, in points, over games.

        Each game has the opponent's rating and both deviations. Games that these rules do not rate count as 0.
        """

        def sum_predictions(own: float) -> float:
            predicted = (self.predict(own, opponent, game, "a", deviations) for opponent, game, deviations in games)
            return sum([score or 0.0 for score in predicted])

        return sum_predictions
