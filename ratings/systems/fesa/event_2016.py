"""Rating of one player of a table in fesa-2016, rules 5 to 9 and 12."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ratings.systems.arithmetic import Numbers, expected_score, performance_rating, round_half_to_even
from ratings.systems.compiling import compiled

from .game import Result, Term, bonus_games_after, counted_results, effective_rating, prior_results, rated_game
from .grades import SCALE_2016
from .seats import Pairing, Seat


@compiled
def opponent_rating(unrated: bool, before: int, estimate: int, opponent: float, handicap: float, gives: bool) -> float:
    """Return the rating with which an opponent counts, by their post-table rating `opponent` (rules 1 and 12).

    The own rating, which decides what a handicap given is worth, is the one before the table; for unrated players it
    is the present estimate.
    """
    return effective_rating(estimate if unrated else before, opponent, handicap, gives)


@compiled
def sum_changes(before: int, bonus_games: int, used: Numbers, scores: Numbers) -> float:
    """Return the unrounded change of a rated player, each game computed from the running rating (rule 8)."""
    running, total = float(before), 0.0
    for i, opponent in enumerate(used):
        change = rated_game(running, opponent, scores[i], bonus_games + i).change
        running += change
        total += change
    return total


@compiled
def rate_unrated(past: Numbers, past_scores: Numbers, used: Numbers, scores: Numbers) -> int:
    """Return the new rating of an unrated player: the performance over all games so far (rules 5 and 7).

    It is at least 1, and 1 if all games were lost. `used` are the opponents' ratings in this table.
    """
    ratings, points = counted_results(past, past_scores, used, scores)
    performance = performance_rating(ratings, points)
    return 1 if performance is None else max(1, round_half_to_even(performance))


@compiled
def rate_rated(before: int, bonus_games: int, used: Numbers, scores: Numbers) -> int:
    """Return the new rating of a rated player, at least 1: the changes are added and rounded once (rule 8)."""
    return max(1, before + round(sum_changes(before, bonus_games, used, scores)))


def _describe_handicap(pairing: Pairing) -> dict[str, Any]:
    return {
        "handicap": pairing.handicap,
        "gives": pairing.gives,
        "opponent_rating_even": pairing.opponent.estimate,
    }


@dataclass(slots=True)
class Seat2016(Seat):
    @staticmethod
    def prior(grade: str) -> tuple[Result, Result]:
        return prior_results(SCALE_2016.midpoint_of(grade))

    def compute_rating(self) -> int:
        self.used_ratings = [self._opponent_rating(pairing) for pairing in self.pairings]
        if self.unrated:
            return rate_unrated(*self._split_past(), self.used_ratings, self._scores)
        return rate_rated(self._before, self.state.bonus_games, self.used_ratings, self._scores)

    def past_after(self) -> tuple[Result, ...]:
        return (*((result[0], result[1]) for result in self.past), *self.results())

    def performance(self) -> float | None:
        return performance_rating(self.used_ratings, self._scores)

    def figures(self) -> dict[str, Any]:
        if self.unrated:
            performance = performance_rating(*self._list_counted())
            return {"exact": 1.0 if performance is None else performance, "sum": None, "bonus_games": 0}
        gained = sum_changes(self._before, self.state.bonus_games, self.used_ratings, self._scores)
        return {"exact": self._before + gained, "sum": gained, "bonus_games": self.bonus_games_after}

    def terms(self) -> list[dict[str, Any]]:
        games: list[dict[str, Any]] = [
            {"opponent": pairing.opponent.id, "score": pairing.score, "opponent_rating": rating}
            | (_describe_handicap(pairing) if pairing.handicap else {})
            for pairing, rating in zip(self.pairings, self.used_ratings, strict=True)
        ]
        if not self.unrated:
            return [game | term._asdict() for game, term in zip(games, self._list_terms(), strict=True)]
        earlier: list[dict[str, Any]] = [{"opponent": None} for _ in self.past]
        ratings, scores = self._list_counted()
        added: list[dict[str, Any]] = [{"opponent": None, "dummy_draw": True}] * (
            len(ratings) - len(earlier) - len(games)
        )
        performance = performance_rating(ratings, scores)
        own = self.estimate if performance is None else performance
        return [
            game | {"score": score, "opponent_rating": rating, "expected": expected_score(own, rating)}
            for game, rating, score in zip([*earlier, *games, *added], ratings, scores, strict=True)
        ]

    @property
    def bonus_games_after(self) -> int:
        return bonus_games_after(self.state.bonus_games, self.games, self.unrated)

    @property
    def _before(self) -> int:
        return self.state.rating or 0

    @property
    def _scores(self) -> list[float]:
        return [pairing.score for pairing in self.pairings]

    def _split_past(self) -> tuple[list[float], list[float]]:
        return [result[0] for result in self.past], [result[1] for result in self.past]

    def _list_counted(self) -> tuple[list[float], list[float]]:
        return counted_results(*self._split_past(), self.used_ratings, self._scores)

    def _opponent_rating(self, pairing: Pairing) -> float:
        opponent = pairing.opponent.estimate
        return opponent_rating(self.unrated, self._before, self.estimate, opponent, pairing.handicap, pairing.gives)

    def _list_terms(self) -> list[Term]:
        """Return the games of a rated player, which `sum_changes` adds."""
        running, terms = float(self._before), []
        for i, (opponent, score) in enumerate(self.results()):
            terms.append(rated_game(running, opponent, score, self.state.bonus_games + i))
            running += terms[-1].change
        return terms
