"""fesa-2016: how one player of a table is rated, rules 5 to 9 and 12."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .arithmetic import expected_score, performance_rating
from .fesa_games import (
    BONUS_GAMES,
    FLOOR,
    Result,
    Term,
    prior_results,
    rated_game,
    seen_rating,
    with_dummy_draw,
)
from .fesa_seats import Pairing, Seat


@dataclass(slots=True)
class Seat2016(Seat):
    prior = staticmethod(prior_results)

    def rerate(self) -> int:
        self.used = [self._opponent_rating(pairing) for pairing in self.pairings]
        if self.unrated:
            performance = performance_rating(self._counted())
            return 1 if performance is None else max(1, round(round(performance, 6)))
        return max(1, self._before + round(sum(term.change for term in self._rated_games())))

    def past_after(self) -> tuple[Result, ...]:
        return (*((result[0], result[1]) for result in self.past), *self.results())

    def performance(self) -> float | None:
        return performance_rating(self.results())

    def figures(self) -> dict[str, Any]:
        if self.unrated:
            performance = performance_rating(self._counted())
            return {"exact": 1.0 if performance is None else performance, "sum": None, "bonus_games": 0}
        gained = sum(term.change for term in self._rated_games())
        return {"exact": self._before + gained, "sum": gained, "bonus_games": self.bonus_games_after}

    def terms(self) -> list[dict[str, Any]]:
        games: list[dict[str, Any]] = [
            {"opponent": pairing.opponent.id, "score": pairing.score, "opponent_rating": rating}
            | ({"handicap": pairing.handicap, "gives": pairing.gives} if pairing.handicap else {})
            for pairing, rating in zip(self.pairings, self.used, strict=True)
        ]
        if not self.unrated:
            return [
                game
                | {"rating": term.rating, "expected": term.expected, "k": term.k, "formula": term.formula}
                | {"upset_gain": term.upset_gain, "bonus": term.bonus, "change": term.change}
                for game, term in zip(games, self._rated_games(), strict=True)
            ]
        earlier: list[dict[str, Any]] = [{"opponent": None} for _ in self.past]
        counted = self._counted()
        added: list[dict[str, Any]] = [{"opponent": None, "dummy_draw": True}] * (
            len(counted) - len(earlier) - len(games)
        )
        performance = performance_rating(counted)
        own = self.estimate if performance is None else performance
        return [
            game | {"score": score, "opponent_rating": rating, "expected": expected_score(own, rating)}
            for game, (rating, score) in zip([*earlier, *games, *added], counted, strict=True)
        ]

    @property
    def _before(self) -> int:
        assert self.state.rating is not None
        return self.state.rating

    def _counted(self) -> list[Result]:
        """(7) All prior recorded results, raised to 400, and this table's; at 100 % with the dummy draw."""
        return with_dummy_draw([(max(FLOOR, result[0]), result[1]) for result in self.past] + self.results())

    def _opponent_rating(self, pairing: Pairing) -> float:
        """(12) The opponent's post-table rating, at least 400, and then what the handicap makes of it."""
        own = self.estimate if self.unrated else self._before
        return seen_rating(own, pairing.opponent.estimate, pairing.handicap, gives=pairing.gives)

    @property
    def bonus_games_after(self) -> int:
        return min(BONUS_GAMES, self.state.bonus_games + self.games)

    def _rated_games(self) -> list[Term]:
        """(8) Game by game from the running rating, for a rated player."""
        terms, running, bonus_games = [], float(self._before), self.state.bonus_games
        for opponent, score in self.results():
            term = rated_game(running, opponent, score, bonus_games)
            running, bonus_games = running + term.change, bonus_games + 1
            terms.append(term)
        return terms
