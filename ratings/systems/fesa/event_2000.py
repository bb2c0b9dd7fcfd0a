"""Rating of one player of a table in fesa-2000, the first edition, rules 1 and 5 to 11.

All games are rated from the rating before the table; opponents count with their rating after it, without a floor.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ratings.systems.arithmetic import Numbers, expected_score, performance_rating, round_half_to_even
from ratings.systems.compiling import compiled

from .game import FULL_WEIGHT, prior_results
from .grades import ESTABLISHED_FROM, SCALE_2000
from .seats import Pairing, Seat
from .state import Past
from .tables import k_factor

LOWEST_UNRATED = 400  # rule 6
BONUS_FROM, BONUS_PER_GAME = 20, 3  # rule 11


@compiled
def damping(games: int) -> float:
    """Return the weight of a game against a player with `games` rated games, this table's included (rule 10)."""
    return (1 + games / ESTABLISHED_FROM) / 2 if games < ESTABLISHED_FROM else FULL_WEIGHT


@compiled
def rate_game(before: int, opponent: float, score: float, weight: float) -> int:
    """Return one game's change to a player rated `before` the table, rounded by itself (rules 1 and 10)."""
    return round(weight * k_factor(before) * (score - expected_score(before, opponent)))


@compiled
def sum_changes(before: int, used: Numbers, scores: Numbers, weights: Numbers) -> int:
    """Return the sum of the rounded changes of this table's games; `used` are the opponents' ratings (rule 1)."""
    total = 0
    for i, opponent in enumerate(used):
        total += rate_game(before, opponent, scores[i], weights[i])
    return total


@compiled
def scale_change(change: int, games_after: int) -> int:
    """Return the change of a table with the factor 18/n of a provisional player (rules 8 and 9).

    n is `games_after`, the player's number of games including this table.
    """
    return change if games_after >= ESTABLISHED_FROM else round(change * ESTABLISHED_FROM / games_after)


@compiled
def excess_change(change: int, games: int) -> int:
    """Return by how much a table of `games` games changes a rating more than 20 + 3n; negative if less (rule 11)."""
    return change - (BONUS_FROM + BONUS_PER_GAME * games)


@compiled
def fast_improvers_bonus(before: int, change: int, games: int, performance: float | None) -> float:
    """Return the bonus for fast improvers in points, unrounded; 0 if there is none (rule 11).

    It is the excess of the change over 20 + 3n, but does not raise the rating above the performance. A performance of
    None (all won) sets no such limit.
    """
    excess = excess_change(change, games)
    if excess <= 0:
        return 0.0
    reached = before + change
    return float(excess) if performance is None else max(0.0, min(float(excess), performance - reached))


@compiled
def find_bonus(before: int, change: int, used: Numbers, scores: Numbers, weights: Numbers) -> float:
    """Return the bonus for fast improvers, computing the performance in this table only if it matters (rule 11)."""
    games = len(used)
    if excess_change(change, games) <= 0:
        return 0.0
    return fast_improvers_bonus(before, change, games, performance_rating(used, scores, weights))


@compiled
def rate_rated(before: int, games_after: int, used: Numbers, scores: Numbers, weights: Numbers) -> int:
    """Return the new rating of a rated player, at least 1 (rules 1, 8, 9 and 11)."""
    change = scale_change(sum_changes(before, used, scores, weights), games_after)
    return max(1, round(before + change + find_bonus(before, change, used, scores, weights)))


@compiled
def counted_results(
    past: Numbers, past_scores: Numbers, past_weights: Numbers, used: Numbers, scores: Numbers, weights: Numbers
) -> tuple[list[float], list[float], list[float]]:
    """Return ratings, scores and weights of all games that count for an unrated player (rule 6).

    Earlier games come before this table's. If all were won, a temporary draw against the highest rated opponent is
    added, with the weight of that opponent's game.
    """
    ratings, points, counted_weights = [], [], []
    for i, rating in enumerate(past):
        ratings.append(rating)
        points.append(past_scores[i])
        counted_weights.append(past_weights[i])
    for i, rating in enumerate(used):
        ratings.append(rating)
        points.append(scores[i])
        counted_weights.append(weights[i])
    if min(points) == 1:
        highest = 0
        for i in range(1, len(ratings)):
            if (ratings[i], counted_weights[i]) > (ratings[highest], counted_weights[highest]):
                highest = i
        ratings.append(ratings[highest])
        points.append(0.5)
        counted_weights.append(counted_weights[highest])
    return ratings, points, counted_weights


@compiled
def unrated_performance(
    past: Numbers, past_scores: Numbers, past_weights: Numbers, used: Numbers, scores: Numbers, weights: Numbers
) -> float:
    """Return the performance of an unrated player over all games so far, 400 if all were lost (rule 6)."""
    ratings, points, counted_weights = counted_results(past, past_scores, past_weights, used, scores, weights)
    performance = performance_rating(ratings, points, counted_weights)
    return float(LOWEST_UNRATED) if performance is None else performance


@compiled
def rate_unrated(
    past: Numbers, past_scores: Numbers, past_weights: Numbers, used: Numbers, scores: Numbers, weights: Numbers
) -> int:
    """Return the new rating of an unrated player, at least 400: the performance over all games so far (rule 6)."""
    performance = unrated_performance(past, past_scores, past_weights, used, scores, weights)
    return max(LOWEST_UNRATED, round_half_to_even(performance))


@compiled
def bonus_games_after(bonus_games: int, _games: int, unrated: bool) -> int:
    """Return the number of bonus games after a table: this edition counts none, and keeps the number of an opening."""
    return 0 if unrated else bonus_games


Columns = tuple[list[float], list[float], list[float]]
"""Ratings, scores and weights of games."""


@dataclass(slots=True)
class Seat2000(Seat):
    @staticmethod
    def prior(grade: str) -> tuple[Past, ...]:
        """Return the results of a prior grade as in 2016, with full weight (rule 7)."""
        return tuple((rating, score, FULL_WEIGHT) for rating, score in prior_results(SCALE_2000.midpoint_of(grade)))

    def compute_rating(self) -> int:
        self.used_ratings = [pairing.opponent.estimate for pairing in self.pairings]
        if self.unrated:
            return rate_unrated(*self._split_past(), *self._split_games())
        return rate_rated(self._before, self.games_after, *self._split_games())

    def past_after(self) -> tuple[Past, ...]:
        return (*self.past, *zip(*self._split_games(), strict=True))

    def performance(self) -> float | None:
        return performance_rating(*self._split_games())

    def figures(self) -> dict[str, Any]:
        games = self._split_games()
        if self.unrated:
            exact = max(float(LOWEST_UNRATED), unrated_performance(*self._split_past(), *games))
            return {"exact": exact, "sum": None, "provisional": None, "bonus": 0.0}
        gained = sum_changes(self._before, *games)
        change = scale_change(gained, self.games_after)
        bonus = find_bonus(self._before, change, *games)
        provisional = change if self.games_after < ESTABLISHED_FROM else None
        return {"exact": self._before + change + bonus, "sum": gained, "provisional": provisional, "bonus": bonus}

    def terms(self) -> list[dict[str, Any]]:
        games: list[dict[str, Any]] = [{"opponent": pairing.opponent.id} for pairing in self.pairings]
        results = self._split_games()
        if self.unrated:
            past = self._split_past()
            earlier: list[dict[str, Any]] = [{"opponent": None} for _ in self.past]
            added: list[dict[str, Any]] = [{"opponent": None, "dummy_draw": True}]
            own = unrated_performance(*past, *results)
            counted = zip(*counted_results(*past, *results), strict=True)
            return [
                game | {"score": score, "opponent_rating": rating, "weight": w, "expected": expected_score(own, rating)}
                for game, (rating, score, w) in zip([*earlier, *games, *added], counted, strict=False)
            ]
        k = k_factor(self._before)
        return [
            game
            | {"score": score, "opponent_rating": rating, "rating": self._before, "k": k, "weight": w}
            | {"expected": expected_score(self._before, rating), "change": rate_game(self._before, rating, score, w)}
            for game, rating, score, w in zip(games, *results, strict=True)
        ]

    @property
    def bonus_games_after(self) -> int:
        return bonus_games_after(self.state.bonus_games, self.games, self.unrated)

    @property
    def _before(self) -> int:
        assert self.state.rating is not None
        return self.state.rating

    def _split_games(self) -> Columns:
        """Return opponents' ratings, scores and weights of this table's games."""
        scores, weights = [pairing.score for pairing in self.pairings], [game_weight(game) for game in self.pairings]
        return self.used_ratings, scores, weights

    def _split_past(self) -> Columns:
        return [game[0] for game in self.past], [game[1] for game in self.past], [game[2] for game in self.past]


def game_weight(pairing: Pairing) -> float:
    """Return the weight of a game; a fixed outsider with an unknown number of games has full weight (rule 10)."""
    opponent = pairing.opponent
    if opponent.fixed and opponent.state.games is None:
        return FULL_WEIGHT
    return damping(opponent.games_after)
