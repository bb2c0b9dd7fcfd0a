"""fesa-2000, the first edition: how one player of a table is rated, rules 1 and 5 to 11.

All games are rated from the rating before the table; opponents count with their rating after it, without a floor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .arithmetic import expected_score, performance_rating
from .fesa_games import prior_results
from .fesa_grades import ESTABLISHED_FROM, SCALE_2000
from .fesa_seats import Pairing, Seat
from .fesa_state import Past
from .fesa_tables import k_factor

LOWEST_UNRATED = 400  # (6)
BONUS_FROM, BONUS_A_GAME = 20, 3  # (11)

Weighted = tuple[float, float, float]
"""(opponent's rating used, score, weight)."""


def damping(games: int) -> float:
    """(10) The weight of a game against a player with so many rated games, this table's included."""
    return (1 + games / ESTABLISHED_FROM) / 2 if games < ESTABLISHED_FROM else 1.0


def fast_improvers_bonus(before: int, change: int, games: int, performance: float | None) -> float:
    """(11) The excess over 20 + 3n once more, but not beyond the performance (None, all won: no such limit).

    Points, unrounded; 0 where there is none.
    """
    excess = change - (BONUS_FROM + BONUS_A_GAME * games)
    if excess <= 0:
        return 0.0
    reached = before + change
    return float(excess) if performance is None else max(0.0, min(float(excess), performance - reached))


@dataclass(slots=True)
class Seat2000(Seat):
    @staticmethod
    def prior(grade: str) -> tuple[Past, ...]:
        """(7) As in 2016; these games have the full weight."""
        return tuple((rating, score, 1.0) for rating, score in prior_results(grade, SCALE_2000))

    def rerate(self) -> int:
        self.used = [pairing.opponent.estimate for pairing in self.pairings]
        if self.unrated:
            return max(LOWEST_UNRATED, round(round(self._unrated_performance(), 6)))
        return max(1, round(self._before + self._change() + self._bonus()))

    def past_after(self) -> tuple[Past, ...]:
        return (*self.past, *self._weighted())

    def performance(self) -> float | None:
        return weighted_performance(self._weighted())

    def figures(self) -> dict[str, Any]:
        if self.unrated:
            exact = max(float(LOWEST_UNRATED), self._unrated_performance())
            return {"exact": exact, "sum": None, "provisional": None, "bonus": 0.0}
        change, bonus = self._change(), self._bonus()
        provisional = change if self.games_after < ESTABLISHED_FROM else None
        exact = self._before + change + bonus
        return {"exact": exact, "sum": self._sum(), "provisional": provisional, "bonus": bonus}

    def terms(self) -> list[dict[str, Any]]:
        games: list[dict[str, Any]] = [{"opponent": pairing.opponent.id} for pairing in self.pairings]
        if self.unrated:
            counted = self._counted()
            earlier: list[dict[str, Any]] = [{"opponent": None} for _ in self.past]
            added: list[dict[str, Any]] = [{"opponent": None, "dummy_draw": True}]
            own = self._unrated_performance()
            return [
                game | {"score": score, "opponent_rating": rating, "weight": w, "expected": expected_score(own, rating)}
                for game, (rating, score, w) in zip([*earlier, *games, *added], counted, strict=False)
            ]
        k = k_factor(self._before)
        return [
            game
            | {"score": score, "opponent_rating": rating, "rating": self._before, "k": k, "weight": w}
            | {"expected": expected_score(self._before, rating), "change": self._game(rating, score, w)}
            for game, (rating, score, w) in zip(games, self._weighted(), strict=True)
        ]

    @property
    def _before(self) -> int:
        assert self.state.rating is not None
        return self.state.rating

    def _weighted(self) -> list[Weighted]:
        return [
            (rating, pairing.score, weight_of(pairing))
            for rating, pairing in zip(self.used, self.pairings, strict=True)
        ]

    def _game(self, opponent: float, score: float, weight: float) -> int:
        """(1) One game's change, rounded by itself."""
        return round(weight * k_factor(self._before) * (score - expected_score(self._before, opponent)))

    def _sum(self) -> int:
        return sum(self._game(*game) for game in self._weighted())

    def _change(self) -> int:
        """(8), (9) The sum; of a provisional player times 18/n."""
        if self.games_after >= ESTABLISHED_FROM:
            return self._sum()
        return round(self._sum() * ESTABLISHED_FROM / self.games_after)

    def _bonus(self) -> float:
        return fast_improvers_bonus(self._before, self._change(), self.games, self.performance())

    def _counted(self) -> list[Weighted]:
        """(6) All prior results and this table's; at 100 % a draw with the highest opponent, of that game's weight."""
        results = [(r[0], r[1], r[2]) for r in (*self.past, *self._weighted())]
        if all(score == 1 for _, score, _ in results):
            highest = max(results)
            results.append((highest[0], 0.5, highest[2]))
        return results

    def _unrated_performance(self) -> float:
        performance = weighted_performance(self._counted())
        return float(LOWEST_UNRATED) if performance is None else performance


def weight_of(pairing: Pairing) -> float:
    """An outsider whose games nobody knows has the full weight."""
    opponent = pairing.opponent
    if opponent.fixed and opponent.state.games is None:
        return 1.0
    return damping(opponent.games_after)


def weighted_performance(results: list[Weighted]) -> float | None:
    return performance_rating([(r, s) for r, s, _ in results], [w for _, _, w in results])
