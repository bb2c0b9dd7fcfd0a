"""Base class of the rating of both systems of the Renju International Federation.

The numbers after # are the paragraphs of its General Assemblies.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from ratings.systems.messages import RatingMessage
from ratings.systems.rating_rules import RatingRules, S
from ratings.systems.rif.messages import RifMessage
from ratings.systems.values import Game, Table

from .event_1995 import win_expectancy
from .state import ABSENCE_YEARS, absent_since

SINCE_1996 = dt.date(1996, 1, 1)
LEAST_MINUTES, LEAST_MINUTES_BEFORE_1996 = 60, 45  # #2, and 1996 decision 3


class RifRating(RatingRules[S]):
    """Rating rules of both systems: over the board only, a minimum thinking time, five years of absence."""

    required_values = frozenset({"minutes"})
    active_years = ABSENCE_YEARS
    hides_absent_players = True

    def absence_cutoff(self, on: dt.date) -> dt.date:
        return absent_since(on)

    def minimum_minutes(self, table: Table) -> int:
        """Return the minutes per player and game needed for a table to be rated."""
        return LEAST_MINUTES if table.last_day >= SINCE_1996 else LEAST_MINUTES_BEFORE_1996

    def unrated_reason(self, table: Table) -> str:
        """Return the reason why no game of a table is rated; empty if they are."""
        if not table.rated:
            return RatingMessage.NOT_A_RATED_TABLE()
        least = self.minimum_minutes(table)
        if table.minutes is not None and table.minutes < least:
            return RifMessage.TOO_FAST(minutes=table.minutes, least=least)
        return ""

    def list_counted_games(self, table: Table) -> Sequence[Game]:
        """Return the games that were played, over the board (#4)."""
        if self.unrated_reason(table):
            return []
        return [game for game in table.games if game.played and not game.online and not game.correspondence]

    def predict(
        self, own: float, opponent: float, game: Game, own_side: str, deviations: tuple[float, float] | None = None
    ) -> float | None:
        return None if game.online or game.correspondence else win_expectancy(opponent - own)
