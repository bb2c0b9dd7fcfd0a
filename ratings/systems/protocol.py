"""The protocol that every rating system implements; replay knows nothing else of a system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol, TypeVar

from .values import Decision, Explained, Opening, Player, Row, Standing, Table, TableResult

S = TypeVar("S")


class System(Protocol[S]):
    """One federation's rules. States are the system's own immutable values; only read and write know JSON."""

    @property
    def key(self) -> str: ...

    @property
    def name(self) -> str: ...

    @property
    def decimals(self) -> int:
        """Decimals a rating of this system is shown with."""

    @property
    def grades(self) -> Sequence[str]:
        """Grade names, lowest first."""

    @property
    def bands(self) -> Sequence[tuple[str, int]]:
        """Each grade with the rating from which its band begins, lowest first; empty where ratings bear no grades."""

    def newcomer(self) -> S:
        """The state of a player before anything is known of him."""

    def read(self, opening: Opening, *, fixed: bool = False) -> S:
        """A state from the form of history-format's `opening`; ValueError says what is wrong.

        A fixed outsider's rating may stand alone; so may a stored one.
        """

    def write(self, state: S) -> Opening:
        """The inverse of `read`: plain JSON without empty values."""

    def adjust(self, state: S, given: Opening, *, fixed: bool = False) -> S:
        """A state given from outside laid over the present one; what is not named stays."""

    def shift(self, state: S, by: float) -> S:
        """The state with its rating moved by so many points; unrated players stay as they are."""

    def decide(self, state: S, decision: Decision) -> S:
        """The state after a ruling that holds at once (given, kept, approved, declined)."""

    def standing(self, state: S, player: Player) -> Standing: ...

    def rate(
        self,
        table: Table,
        players: Mapping[str, Player],
        states: Mapping[str, S],
        rulings: Sequence[Decision] = (),
    ) -> TableResult[S]:
        """Rate one table. `states` and `players` hold everybody who sits at it; `rulings` are those printed or
        withheld for this very table. Rows come in the table's order, one for every player.
        """

    def explained(self, row: Row) -> Explained:
        """How the number of a row with games was made; no page knows a system's terms by itself."""


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
