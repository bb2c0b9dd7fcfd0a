"""Rating of one event in rif-1997, #3 and #5 to #9 of the General Assembly 1997, from the state at its start."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ratings.systems.arithmetic import round_half_away_from_zero

from .event_1995 import FACTOR, win_expectancy
from .state import Result

ESTABLISHED_GAMES, ESTABLISHED_POINTS = 10, 3  # #5
MOST_ABOVE = 300  # #7


@dataclass(frozen=True, slots=True)
class Game1997:
    """Game against an established player; `change` is unrounded, and 0 for players who are not established."""

    opponent: str
    opponent_rating: float
    score: float
    expected: float | None = None

    @property
    def change(self) -> float:
        """Rc (#8)."""
        return 0.0 if self.expected is None else FACTOR * (self.score - self.expected)


@dataclass(slots=True, eq=False)
class Entrant1997:
    """Player of the event: `rating` if established (or fixed), before that the `results` of earlier events."""

    id: str
    rating: float | None
    results: tuple[Result, ...] = ()
    fixed: bool = False
    games: list[Game1997] = field(default_factory=list)

    @property
    def all_results(self) -> tuple[Result, ...]:
        return (*self.results, *((game.opponent_rating, game.score) for game in self.games))

    @property
    def points(self) -> float:
        """Points in all results."""
        return sum(score for _, score in self.all_results)

    @property
    def exact(self) -> float | None:
        """Unrounded new rating, or the provisional one of a player who is not established (#7, #8)."""
        if self.rating is None:
            return provisional_rating(self.all_results)
        return self.rating + math.fsum(game.change for game in self.games)

    def outcome(self) -> tuple[int | None, tuple[Result, ...]]:
        """Return the rating once established, otherwise None and the results to carry over (#5, #8, #9)."""
        results = self.all_results
        if self.rating is None and (len(results) < ESTABLISHED_GAMES or self.points < ESTABLISHED_POINTS):
            return None, results
        return round_half_away_from_zero(self.exact or 0), ()


def add_game(a: Entrant1997, b: Entrant1997, score_of_a: float) -> None:
    """Add a game to the players for whom it counts (#6)."""
    for player, other, points in ((a, b, score_of_a), (b, a, 1 - score_of_a)):
        if other.rating is None:
            continue
        expected = None if player.rating is None else win_expectancy(other.rating - player.rating)
        player.games.append(Game1997(other.id, other.rating, points, expected))


def provisional_rating(results: Sequence[Result]) -> float | None:
    """Return Rp over games with established players, at most 300 above their mean; None without games (#7)."""
    if not results:
        return None
    mean = mean_rating(results)
    return min(mean + bonus(count_balance(results), len(results)), mean + MOST_ABOVE)


def mean_rating(results: Sequence[Result]) -> float:
    """Return Ra, the mean rating of the opponents (#7)."""
    return sum(rating for rating, _ in results) / len(results)


def count_balance(results: Sequence[Result]) -> float:
    """Return the wins minus the losses (#7)."""
    return sum(2 * points - 1 for _, points in results)


def bonus(balance: float, games: int) -> float:
    """Return the points by which Rp exceeds Ra, by wins minus losses and the number of games (#7)."""
    return 400 * balance / games
