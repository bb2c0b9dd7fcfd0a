"""Rating of one player of a table in fesa-2000, the first edition, rules 1 and 5 to 11.

All games are rated from the rating before the table; opponents count with their rating after it, without a floor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ratings.systems.arithmetic import expected_score, performance_rating, round_half_to_even

from .game import prior_results
from .grades import ESTABLISHED_FROM, SCALE_2000
from .seats import Pairing, Seat
from .state import Past
from .tables import k_factor

LOWEST_UNRATED = 400  # rule 6
BONUS_FROM, BONUS_PER_GAME = 20, 3  # rule 11

Weighted = tuple[float, float, float]
"""Game as (opponent's rating used, score, weight)."""


def damping(games: int) -> float:
    """Return the weight of a game against a player with `games` rated games, this table's included (rule 10)."""
    return (1 + games / ESTABLISHED_FROM) / 2 if games < ESTABLISHED_FROM else 1.0


def fast_improvers_bonus(before: int, change: int, games: int, performance: float | None) -> float:
    """Return the bonus for fast improvers in points, unrounded; 0 if there is none (rule 11).

    It is the excess of the change over 20 + 3n, but does not raise the rating above the performance. A performance of
    None (all won) sets no such limit.
    """
    excess = change - (BONUS_FROM + BONUS_PER_GAME * games)
    if excess <= 0:
        return 0.0
    reached = before + change
    return float(excess) if performance is None else max(0.0, min(float(excess), performance - reached))


@dataclass(slots=True)
class Seat2000(Seat):
    @staticmethod
    def prior(grade: str) -> tuple[Past, ...]:
        """Return the results of a prior grade as in 2016, with full weight (rule 7)."""
        return tuple((rating, score, 1.0) for rating, score in prior_results(SCALE_2000.midpoint_of(grade)))

    def compute_rating(self) -> int:
        self.used_ratings = [pairing.opponent.estimate for pairing in self.pairings]
        if self.unrated:
            return max(LOWEST_UNRATED, round_half_to_even(self._compute_unrated_performance()))
        return max(1, round(self._before + self._compute_total_change() + self._compute_bonus()))

    def past_after(self) -> tuple[Past, ...]:
        return (*self.past, *self._list_weighted())

    def performance(self) -> float | None:
        return weighted_performance(self._list_weighted())

    def figures(self) -> dict[str, Any]:
        if self.unrated:
            exact = max(float(LOWEST_UNRATED), self._compute_unrated_performance())
            return {"exact": exact, "sum": None, "provisional": None, "bonus": 0.0}
        change, bonus = self._compute_total_change(), self._compute_bonus()
        provisional = change if self.games_after < ESTABLISHED_FROM else None
        exact = self._before + change + bonus
        return {"exact": exact, "sum": self._sum_changes(), "provisional": provisional, "bonus": bonus}

    def terms(self) -> list[dict[str, Any]]:
        games: list[dict[str, Any]] = [{"opponent": pairing.opponent.id} for pairing in self.pairings]
        if self.unrated:
            counted = self._list_counted()
            earlier: list[dict[str, Any]] = [{"opponent": None} for _ in self.past]
            added: list[dict[str, Any]] = [{"opponent": None, "dummy_draw": True}]
            own = self._compute_unrated_performance()
            return [
                game | {"score": score, "opponent_rating": rating, "weight": w, "expected": expected_score(own, rating)}
                for game, (rating, score, w) in zip([*earlier, *games, *added], counted, strict=False)
            ]
        k = k_factor(self._before)
        return [
            game
            | {"score": score, "opponent_rating": rating, "rating": self._before, "k": k, "weight": w}
            | {"expected": expected_score(self._before, rating), "change": self._compute_change(rating, score, w)}
            for game, (rating, score, w) in zip(games, self._list_weighted(), strict=True)
        ]

    @property
    def _before(self) -> int:
        assert self.state.rating is not None
        return self.state.rating

    def _list_weighted(self) -> list[Weighted]:
        return [
            (rating, pairing.score, game_weight(pairing))
            for rating, pairing in zip(self.used_ratings, self.pairings, strict=True)
        ]

    def _compute_change(self, opponent: float, score: float, weight: float) -> int:
        """Return one game's change, rounded by itself (rule 1)."""
        return round(weight * k_factor(self._before) * (score - expected_score(self._before, opponent)))

    def _sum_changes(self) -> int:
        return sum(self._compute_change(*game) for game in self._list_weighted())

    def _compute_total_change(self) -> int:
        """Return the sum of the changes; for a provisional player times 18/n (rules 8 and 9)."""
        if self.games_after >= ESTABLISHED_FROM:
            return self._sum_changes()
        return round(self._sum_changes() * ESTABLISHED_FROM / self.games_after)

    def _compute_bonus(self) -> float:
        return fast_improvers_bonus(self._before, self._compute_total_change(), self.games, self.performance())

    def _list_counted(self) -> list[Weighted]:
        """Return all prior results and this table's (rule 6).

        At 100 % a draw with the highest opponent is added, with the weight of that opponent's game.
        """
        results = [(r[0], r[1], r[2]) for r in (*self.past, *self._list_weighted())]
        if all(score == 1 for _, score, _ in results):
            highest = max(results)
            results.append((highest[0], 0.5, highest[2]))
        return results

    def _compute_unrated_performance(self) -> float:
        performance = weighted_performance(self._list_counted())
        return float(LOWEST_UNRATED) if performance is None else performance


def game_weight(pairing: Pairing) -> float:
    """Return the weight of a game; a fixed outsider with an unknown number of games has full weight."""
    opponent = pairing.opponent
    if opponent.fixed and opponent.state.games is None:
        return 1.0
    return damping(opponent.games_after)


def weighted_performance(results: list[Weighted]) -> float | None:
    return performance_rating([r for r, _, _ in results], [s for _, s, _ in results], [w for _, _, w in results])
