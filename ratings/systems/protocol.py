"""What every rating system implements; replay knows nothing else of a system."""

from __future__ import annotations

import datetime as dt
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Generic, TypeVar

from .columns import Columns, RatedColumns
from .openings import number
from .options import Option, settled
from .progress import Progress
from .rules import Rules
from .values import Decision, Explained, Game, Opening, Player, Row, Standing, Table, TableResult

S = TypeVar("S")


class System(ABC, Generic[S]):
    """One federation's rules with a list's settings. States are the system's own immutable values; only read and
    write know JSON. Besides `rate`, a system may have closing days, on which states move without a table.
    """

    key: ClassVar[str]
    name: ClassVar[str]
    decimals: ClassVar[int] = 0
    """Decimals a rating of this system is shown with."""
    options: ClassVar[Sequence[Option]] = ()
    asks: ClassVar[frozenset[str]] = frozenset()
    """What it must know beyond results, by the names of the values: minutes, stones, board, birth_date …"""
    active_years: ClassVar[int] = 2
    """Years without a game until a player is left out of the list, where a list says nothing else."""
    drops_absent: ClassVar[bool] = False
    """Whether a standing depends on the day it is asked for: long absence counts, and states tell `last_played`."""
    reckons_performance: ClassVar[bool] = True
    """Whether its rules know a performance; else that of any games is reckoned from its expected scores."""
    counts_games: ClassVar[bool] = False
    """Whether a standing knows all rated games of a player; otherwise the portal counts those it has rated."""
    tie_breaks: ClassVar[tuple[str, str]] = ("SOS", "SODOS")
    """The names that the game gives to the sums of all and of the defeated opponents' scores."""
    files: ClassVar[Sequence[str]] = ("grid", "trf", "csv", "xlsx")
    """Outside formats in which its tables can be written."""
    list_layout: ClassVar[str] = "fesa"
    """The outside format of its rating lists as text: fesa, egf or fide."""
    legend: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """Categories of players whose ratings bear a mark on lists, with what they mean."""
    assumes: ClassVar[Mapping[str, str]] = MappingProxyType({})
    """What is assumed of a player of whom something asked for is not known."""
    needs_opponents_below: ClassVar[int] = 0
    """Rated games below which a state needs the opponents of them, whom no rating list tells."""
    approved_by: ClassVar[str] = ""
    """Who approves the grades that need it."""
    unstarted: ClassVar[str] = ""
    """Why a list of this system stays empty until somebody's rating is given, if it does."""

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        """With the options given by a list; ValueError says which cannot be."""
        self.settings = settled(self.key, self.options, given or {})

    @property
    def grades(self) -> Sequence[str]:
        """Grade names, lowest first; empty in a system without grades."""
        return ()

    @property
    def bands(self) -> Sequence[tuple[str, int]]:
        """Each grade with the rating from which its band begins, lowest first; empty where ratings bear no grades."""
        return ()

    @abstractmethod
    def newcomer(self) -> S:
        """The state of a player before anything is known of him."""

    @abstractmethod
    def read(self, opening: Opening, *, fixed: bool = False) -> S:
        """A state from the form of history-format's `opening`; ValueError says what is wrong.

        A fixed outsider's rating may stand alone; so may a stored one.
        """

    @abstractmethod
    def write(self, state: S) -> Opening:
        """The inverse of `read`: plain JSON without empty values."""

    def adjust(self, state: S, given: Opening, *, fixed: bool = False, on: dt.date | None = None) -> S:
        """A state given from outside on a day laid over the present one; what is not named stays.

        A rating alone, given to somebody who has none, makes him fully rated.
        """
        present = self.kept(state, given)
        if set(given) == {"rating"} and number(given["rating"]) and "rating" not in present and not fixed:
            return self.with_rating(state, given["rating"])
        return self.read({**present, **given}, fixed=fixed)

    def kept(self, state: S, given: Opening) -> Opening:
        """What of the present state stays beside a given one."""
        return self.write(state)

    @abstractmethod
    def with_rating(self, state: S, rating: float) -> S:
        """The state with a rating that somebody vouches for: whoever was not rated yet counts as fully rated."""

    def listed(self, rating: float, games: int | None, grade: str | None) -> Opening:
        """What to set for a player of whom an outside list tells so much; ValueError says what cannot be."""
        opening = {**self.write(self.with_rating(self.newcomer(), rating))}
        if games is not None and "games" in opening:
            opening["games"] = games
        if grade is not None and self.grades:
            opening["grade"] = grade
        self.read(opening)
        return opening

    @abstractmethod
    def shift(self, state: S, by: float) -> S:
        """The state with its rating moved by so many points; unrated players stay as they are."""

    def decide(self, state: S, decision: Decision) -> S:
        """The state after a ruling that holds at once (given, kept, approved, declined)."""
        return state

    def progress(self, state: S) -> Progress | None:
        """What is missing to the next grade; None in a system without grades, or for a player without a rating."""
        return None

    def moments(self, row: Row) -> Sequence[float]:
        """The rating after each game of a row, in rating points, as the rules on grades see it."""
        return [row.after or 0.0] * row.games

    def counted_from(self, grade: str, how: str) -> float | None:
        """The rating that each game of a run has to reach which wins a grade so; None where no run is counted."""
        return None

    def reached_for(self, grade: str, how: str) -> float | None:
        """The rating whose reaching wins a grade so; None where no single rating does."""
        return None

    @abstractmethod
    def standing(self, state: S, player: Player, on: dt.date | None = None) -> Standing:
        """The player's place on the list of a day; without one, long absence does not count."""

    def absent_since(self, on: dt.date) -> dt.date | None:
        """Who played last on this day or before is off the list of a day for his absence; None: that does not count."""
        return None

    @abstractmethod
    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, S],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[S]:
        """Rate one table. `states` and `players` hold everybody who sits at it; `rulings` are those printed or
        withheld for this very table. Rows come in the table's order, one for every player. ValueError: the rules
        do not reach so far.
        """

    @property
    def compiled(self) -> bool:
        """Whether `rate_columns` is there; it gives what `rate` gives, faster."""
        return False

    def rate_columns(self, columns: Columns, players: Mapping[str, Player], states: Mapping[str, S]) -> RatedColumns[S]:
        """Rate several tables that need no rulings, one after the other; `players` and `states` as for `rate`."""
        raise NotImplementedError(f"{self.key} has no compiled code")

    def closing_days(self, first: dt.date, last: dt.date) -> Sequence[dt.date]:
        """Days on which states move without a table, after the tables of that day: those that tables ended
        from `first` to `last` bring with them.
        """
        return ()

    def close(self, day: dt.date, players: Mapping[str, Player], states: Mapping[str, S]) -> TableResult[S]:
        """What a closing day does: rows and states of those whom it moves."""
        raise NotImplementedError(f"{self.key} has no closing days")

    @abstractmethod
    def predict(self, own: float, opponent: float, game: Game, own_side: str) -> float | None:
        """Expected score (0..1) of the player on side a or b of a game by the ratings before it; None where these
        rules do not rate such a game.
        """

    @abstractmethod
    def explained(self, row: Row) -> Explained:
        """How the number of a row with games was made; no page knows a system's terms by itself."""

    @abstractmethod
    def rules(self) -> Rules:
        """The system with its settings in words and tables, for the page on how ratings are made."""


def untouched_row(player: str, standing: Standing, note: str, category: str | None = None) -> Row:
    """The row of a player whom a table does not touch: nothing changes, and `note` says why."""
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
