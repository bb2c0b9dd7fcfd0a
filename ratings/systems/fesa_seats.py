"""fesa-2016: the players of one table at work in the iteration of rules 4 to 8."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .arithmetic import performance_rating
from .fesa_games import (
    FLOOR,
    Result,
    Term,
    fractional_grade,
    prior_results,
    rated_game,
    rating_of_grade,
    with_dummy_draw,
)
from .fesa_state import FesaState
from .fesa_tables import HANDICAPS
from .values import Player, Table

MOST_ROUNDS = 1000  # of the iteration; real tables need fewer than a dozen


@dataclass(slots=True)
class Pairing:
    """A game from one side: `handicap` in grades, with `gives` telling who gave it."""

    opponent: Seat
    score: float
    handicap: float
    gives: bool


@dataclass(slots=True)
class Seat:
    """A player at work in the iteration; `estimate` is his post-table rating so far."""

    id: str
    state: FesaState
    fixed: bool
    unrated: bool
    past: tuple[Result, ...]
    estimate: int
    pairings: list[Pairing]
    used: list[float]

    def rerate(self) -> int:
        """The integer rating by the opponents' present estimates, which stay in `used`."""
        self.used = [self._opponent_rating(pairing) for pairing in self.pairings]
        if self.unrated:
            return self._unrated_rating()
        assert self.state.rating is not None
        return max(1, self.state.rating + round(sum(term.change for term in self.terms())))

    def results(self) -> list[Result]:
        return [(rating, pairing.score) for rating, pairing in zip(self.used, self.pairings, strict=True)]

    def all_results(self) -> list[Result]:
        """(7) All prior recorded results, and this table's."""
        return [*self.past, *self.results()]

    def _opponent_rating(self, pairing: Pairing) -> float:
        """(12) The opponent's post-table rating, at least 400, and then what the handicap makes of it."""
        seen = max(FLOOR, pairing.opponent.estimate)
        if not pairing.handicap:
            return seen
        if not pairing.gives:
            return rating_of_grade(fractional_grade(seen) - pairing.handicap)
        own = self.estimate if self.unrated else self.state.rating
        assert own is not None
        return seen + own - rating_of_grade(fractional_grade(own) - pairing.handicap)

    def _unrated_rating(self) -> int:
        """(7) The performance over everything so far; 1 at 0 %, with a dummy draw at 100 %."""
        results = with_dummy_draw([(max(FLOOR, rating), score) for rating, score in self.past] + self.results())
        performance = performance_rating(results)
        return 1 if performance is None else max(1, round(round(performance, 6)))

    def terms(self) -> list[Term]:
        """(8) Game by game from the running rating, for a rated player."""
        assert self.state.rating is not None
        terms, running, bonus_games = [], float(self.state.rating), self.state.bonus_games
        for opponent, score in self.results():
            term = rated_game(running, opponent, score, bonus_games)
            running, bonus_games = running + term.change, bonus_games + 1
            terms.append(term)
        return terms


def take_seats(table: Table, players: Mapping[str, Player], states: Mapping[str, FesaState]) -> dict[str, Seat]:
    """Everybody with a rated game, in table order, with his games in round order."""
    games = sorted((g for g in table.games if g.played and table.rated), key=lambda game: game.round or 0)
    counts = dict.fromkeys(table.players, 0)
    for game in games:
        assert game.b is not None
        counts[game.a] += 1
        counts[game.b] += 1
    seats = {id: _seat(table, players[id], states[id], count) for id, count in counts.items() if count}
    for game in games:
        assert game.b is not None
        assert game.score is not None
        value = HANDICAPS[game.handicap] if game.handicap else 0.0
        a, b = seats[game.a], seats[game.b]
        a.pairings.append(Pairing(b, game.score, value, game.giver == "a"))
        b.pairings.append(Pairing(a, 1 - game.score, value, game.giver == "b"))
    return seats


def _seat(table: Table, player: Player, state: FesaState, games: int) -> Seat:
    if player.id in table.fixed or player.fixed:
        rating = table.fixed.get(player.id, state.rating)
        if rating is None:
            raise ValueError(f"{player.id} is a fixed outsider without a rating")
        return Seat(player.id, state, True, False, (), round(rating), [], [])
    first = state.games is None and not state.past
    past = prior_results(player.prior_grade) if first and player.prior_grade else state.past
    unrated = first or state.unrated_with(games)
    return Seat(player.id, state, False, unrated, past, 0 if unrated else state.rating or 0, [], [])


def iterate(seats: Mapping[str, Seat]) -> tuple[int, list[str]]:
    """Each in turn by the newest ratings of the others, until a whole round moves nobody.

    Gives the rounds it took and who still moved in the last one that was allowed.
    """
    moving: list[str] = []
    rated = [seat for seat in seats.values() if not seat.fixed]
    for rounds in range(1, MOST_ROUNDS + 1):
        moving = []
        for seat in rated:
            rating = seat.rerate()
            if rating != seat.estimate:
                seat.estimate = rating
                moving.append(seat.id)
        if not moving:
            return rounds, []
    return MOST_ROUNDS, moving
