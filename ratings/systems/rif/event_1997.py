"""rif-1997: one event, #3 and #5 to #9 of the General Assembly 1997. Everything is as it was at the event's start."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from .arithmetic import away_from_zero
from .rif_1995_event import FACTOR, win_expectancy
from .rif_state import Result

ESTABLISHED_GAMES, ESTABLISHED_POINTS = 10, 3  # #5
MOST_ABOVE = 300  # #7


@dataclass(frozen=True, slots=True)
class Counted:
    """A game against an established player; the change is of an established one, unrounded."""

    opponent: str
    opponent_rating: float
    score: float
    expected: float | None = None

    @property
    def change(self) -> float:
        """#8: Rc."""
        return 0.0 if self.expected is None else FACTOR * (self.score - self.expected)


@dataclass(slots=True, eq=False)
class Scored:
    """A player of the event; `rating` while he is established (or fixed), `results` of earlier events before that."""

    id: str
    rating: float | None
    results: tuple[Result, ...] = ()
    fixed: bool = False
    games: list[Counted] = field(default_factory=list)

    @property
    def all_results(self) -> tuple[Result, ...]:
        return (*self.results, *((game.opponent_rating, game.score) for game in self.games))

    @property
    def exact(self) -> float | None:
        """#7, #8: the unrounded new rating; of who is not established, the provisional one."""
        if self.rating is None:
            return provisional_rating(self.all_results)
        return self.rating + math.fsum(game.change for game in self.games)

    def outcome(self) -> tuple[int | None, tuple[Result, ...]]:
        """#5, #8, #9: the rating once established, or else the results to carry on."""
        results = self.all_results
        points = sum(score for _, score in results)
        if self.rating is None and (len(results) < ESTABLISHED_GAMES or points < ESTABLISHED_POINTS):
            return None, results
        return away_from_zero(self.exact or 0), ()


def score(a: Scored, b: Scored, score_of_a: float) -> None:
    """#6: what a game counts for whom."""
    for one, other, points in ((a, b, score_of_a), (b, a, 1 - score_of_a)):
        if other.rating is None:
            continue
        expected = None if one.rating is None else win_expectancy(other.rating - one.rating)
        one.games.append(Counted(other.id, other.rating, points, expected))


def provisional_rating(results: Sequence[Result]) -> float | None:
    """#7: Rp over games with established players, at most 300 above their mean; None without games."""
    if not results:
        return None
    mean = sum(rating for rating, _ in results) / len(results)
    balance = sum(2 * points - 1 for _, points in results)  # wins less losses
    return min(mean + 400 * balance / len(results), mean + MOST_ABOVE)
