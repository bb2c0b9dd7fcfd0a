"""Rating of one event in rif-1997, #3 and #5 to #9 of the General Assembly 1997, from the state at its start."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from ratings.systems.arithmetic import Numbers, add_in_order, round_half_away_from_zero
from ratings.systems.compiling import compiled

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
        return 0.0 if self.expected is None else rating_change(self.score, self.expected)


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
            return rate_results(self.all_results)
        return self.rating + math.fsum(game.change for game in self.games)

    def outcome(self) -> tuple[int | None, tuple[Result, ...]]:
        """Return the rating once established, otherwise None and the results to carry over (#5, #8, #9)."""
        results = self.all_results
        if self.rating is None and not is_established(len(results), self.points):
            return None, results
        return round_half_away_from_zero(self.exact or 0), ()


def add_game(a: Entrant1997, b: Entrant1997, score_of_a: float) -> None:
    """Add a game to the players for whom it counts (#6)."""
    for player, other, points in ((a, b, score_of_a), (b, a, 1 - score_of_a)):
        if other.rating is None:
            continue
        expected = None if player.rating is None else win_expectancy(other.rating - player.rating)
        player.games.append(Game1997(other.id, other.rating, points, expected))


@compiled
def rating_change(score: float, expected: float) -> float:
    """Return Rc, the change of an established player for a game (#8)."""
    return FACTOR * (score - expected)


@compiled
def is_established(games: int, points: float) -> bool:
    """Return True if a player is established after games with established players (#5)."""
    return games >= ESTABLISHED_GAMES and points >= ESTABLISHED_POINTS


@compiled
def provisional_rating(ratings: Numbers, scores: Numbers) -> float:
    """Return Rp over games with established players, at most 300 above their mean (#7)."""
    mean = mean_rating(ratings)
    return min(mean + bonus(count_balance(scores), len(scores)), mean + MOST_ABOVE)


@compiled
def mean_rating(ratings: Numbers) -> float:
    """Return Ra, the mean rating of the opponents (#7)."""
    return add_in_order(ratings) / len(ratings)


@compiled
def count_balance(scores: Numbers) -> float:
    """Return the wins minus the losses (#7)."""
    return 2 * sum(scores) - len(scores)


@compiled
def bonus(balance: float, games: int) -> float:
    """Return the points by which Rp exceeds Ra, by wins minus losses and the number of games (#7)."""
    return 400 * balance / games


def rate_results(results: Sequence[Result]) -> float | None:
    """Return Rp of results; None if there are none (#7)."""
    return provisional_rating(*split_results(results)) if results else None


def split_results(results: Sequence[Result]) -> tuple[Sequence[float], Sequence[float]]:
    """Return the opponents' ratings and the scores of results."""
    return [rating for rating, _ in results], [score for _, score in results]
