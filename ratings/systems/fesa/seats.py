"""Iteration that rates a table in both FESA editions: each player by the newest ratings of the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ratings.systems.fesa.messages import FesaMessage
from ratings.systems.messages import RatingMessage
from ratings.systems.values import Game, Player, Table

from .state import FesaState, Past
from .tables import HANDICAPS

MAX_ROUNDS = 1000  # limit of the iteration; real tables need fewer than a dozen
MANY_GAMES = 16  # above, the formula loses meaning and the table should be split


def handicaps_warning(handicaps: int) -> str:
    """Return the warning for a table with handicap games in an edition that does not rate them."""
    return FesaMessage.HANDICAPS_NOT_RATED(handicaps=handicaps)


def many_games_warning(id: str, games: int) -> str:
    """Return the warning for a player with too many games in one table."""
    return FesaMessage.MANY_GAMES(
        id=id,
        games=games,
        many_games=MANY_GAMES,
    )


def unsettled_warning(moving: Iterable[str]) -> str:
    """Return the warning for a table whose iteration did not converge."""
    return FesaMessage.NOT_SETTLED(
        most_rounds=MAX_ROUNDS,
        moving=list(moving),
    )


@dataclass(slots=True)
class Pairing:
    """Game from one side: `handicap` is in grades, `gives` is True if this side gave it."""

    opponent: Seat
    score: float
    handicap: float
    gives: bool


@dataclass(slots=True)
class Seat(ABC):
    """Player of a table during the iteration; `estimate` is the current post-table rating."""

    id: str
    state: FesaState
    fixed: bool
    unrated: bool
    past: tuple[Past, ...]
    estimate: int
    pairings: list[Pairing]
    used_ratings: list[float]

    @staticmethod
    @abstractmethod
    def prior(grade: str) -> tuple[Past, ...]:
        """Return the results that a prior grade adds before the player's past."""

    @property
    def games(self) -> int:
        """Number of games in this table."""
        return len(self.pairings)

    @property
    def games_after(self) -> int:
        """Number of all rated games including this table's, and the two results of a prior grade."""
        return (len(self.past) if self.unrated else self.state.total_games) + self.games

    @abstractmethod
    def compute_rating(self) -> int:
        """Return the integer rating by the opponents' current estimates; save those estimates in `used_ratings`."""

    @abstractmethod
    def past_after(self) -> tuple[Past, ...]:
        """Return all results so far, as stored for an unrated player."""

    @abstractmethod
    def performance(self) -> float | None:
        """Return the performance over this table's games only."""

    @abstractmethod
    def figures(self) -> dict[str, Any]:
        """Return the row's figures that are specific to the edition."""

    @abstractmethod
    def terms(self) -> list[dict[str, Any]]:
        """Return one dictionary per game, for the explanation."""

    @property
    @abstractmethod
    def bonus_games_after(self) -> int:
        """Number of bonus games used so far, this table's included."""

    def results(self) -> list[tuple[float, float]]:
        return [(rating, pairing.score) for rating, pairing in zip(self.used_ratings, self.pairings, strict=True)]


S = TypeVar("S", bound=Seat)


def make_seats(
    table: Table,
    players: Mapping[str, Player],
    states: Mapping[str, FesaState],
    games: Iterable[Game],
    edition: type[S],
) -> dict[str, S]:
    """Return the players with rated games (`games`) in table order, each with their pairings in round order."""
    ordered = sorted(games, key=lambda game: game.round or 0)
    counts = dict.fromkeys(table.players, 0)
    for game in ordered:
        assert game.b is not None
        counts[game.a] += 1
        counts[game.b] += 1
    seats = {id: _make_seat(table, players[id], states[id], count, edition) for id, count in counts.items() if count}
    for game in ordered:
        assert game.b is not None
        assert game.score is not None
        value = HANDICAPS[game.handicap] if game.handicap else 0.0
        a, b = seats[game.a], seats[game.b]
        a.pairings.append(Pairing(b, game.score, value, game.giver == "a"))
        b.pairings.append(Pairing(a, 1 - game.score, value, game.giver == "b"))
    return seats


def _make_seat(table: Table, player: Player, state: FesaState, games: int, edition: type[S]) -> S:
    if player.id in table.fixed or player.fixed:
        rating = table.fixed.get(player.id, state.rating)
        if rating is None:
            raise ValueError(RatingMessage.OUTSIDER_WITHOUT_RATING(id=player.id))
        return edition(player.id, state, True, False, (), round(rating), [], [])
    first = state.games is None and not state.past
    past = edition.prior(player.prior_grade) if first and player.prior_grade else state.past
    unrated = first or state.unrated_with(games)
    return edition(player.id, state, False, unrated, past, 0 if unrated else state.rating or 0, [], [])


def iterate_ratings(seats: Iterable[Seat]) -> tuple[int, list[str]]:
    """Rate each player in turn by the newest ratings of the others, until a whole round changes no rating.

    Return the number of rounds, and the ids of the players whose rating still changed in the last allowed round.
    """
    moving: list[str] = []
    rated = [seat for seat in seats if not seat.fixed]
    for rounds in range(1, MAX_ROUNDS + 1):
        moving = []
        for seat in rated:
            rating = seat.compute_rating()
            if rating != seat.estimate:
                seat.estimate = rating
                moving.append(seat.id)
        if not moving:
            return rounds, []
    return MAX_ROUNDS, moving
