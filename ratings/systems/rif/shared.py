"""What both systems of the Renju International Federation share; the numbers after # are its assemblies' paragraphs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from .protocol import S, System
from .rif_1995_event import win_expectancy
from .rif_state import ABSENCE_YEARS, absent_since
from .values import Game, Player, Table
from .words import Words as _

SINCE_1996 = dt.date(1996, 1, 1)


class Rif(System[S]):
    """What both have in common: over the board only, the least thinking time, five years of absence."""

    asks = frozenset({"minutes"})
    tie_breaks = ("BH", "SB")
    active_years = ABSENCE_YEARS
    drops_absent = True

    def absent_since(self, on: dt.date) -> dt.date:
        return absent_since(on)

    def least_minutes(self, table: Table) -> int:
        """#2, and 1996 decision 3: minutes a player and game needs to be rated."""
        return 60 if table.last_day >= SINCE_1996 else 45

    def why_unrated(self, table: Table) -> str:
        """Why no game of a table is rated; empty where they are."""
        if not table.rated:
            return _("not a rated table")
        least = self.least_minutes(table)
        if table.minutes is not None and table.minutes < least:
            return _(
                "{minutes:g} minutes a player are too fast: {least} are needed", minutes=table.minutes, least=least
            )
        return ""

    def counted(self, table: Table) -> Sequence[Game]:
        """#4: games played in reality, over the board."""
        if self.why_unrated(table):
            return []
        return [game for game in table.games if game.played and not game.online and not game.correspondence]

    def predict(self, own: float, opponent: float, game: Game, own_side: str) -> float | None:
        return None if game.online or game.correspondence else win_expectancy(opponent - own)

    def outsider(self, table: Table, player: Player, rating: int | None) -> float | None:
        """The rating that a fixed outsider counts with; None for everybody else."""
        if player.id not in table.fixed and not player.fixed:
            return None
        known = table.fixed.get(player.id, rating)
        if known is None:
            raise ValueError(_("{id} is a fixed outsider without a rating", id=player.id))
        return known
