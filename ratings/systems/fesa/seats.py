"""Both FESA editions: the players of one table at work in the iteration, each by the newest ratings of the others."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from .fesa_state import FesaState, Past
from .fesa_tables import HANDICAPS
from .values import Game, Player, Table
from .words import Words as _

MOST_ROUNDS = 1000  # of the iteration; real tables need fewer than a dozen
MANY_GAMES = 16  # beyond, the formula loses meaning and the table should be split


def too_many_games(id: str, games: int) -> str:
    """The warning for a player with so many games of one table."""
    return _(
        "{id} has {games} games: above {many_games} the formula loses meaning and the table should be split"
        " at a point in time",
        id=id,
        games=games,
        many_games=MANY_GAMES,
    )


def unsettled(moving: Iterable[str]) -> str:
    """The warning for a table whose iteration did not end."""
    return _(
        "not settled after {most_rounds} rounds; still moving: {moving}",
        most_rounds=MOST_ROUNDS,
        moving=", ".join(moving),
    )


@dataclass(slots=True)
class Pairing:
    """A game from one side: `handicap` in grades, with `gives` telling who gave it."""

    opponent: Seat
    score: float
    handicap: float
    gives: bool


@dataclass(slots=True)
class Seat(ABC):
    """A player at work in the iteration; `estimate` is his post-table rating so far."""

    id: str
    state: FesaState
    fixed: bool
    unrated: bool
    past: tuple[Past, ...]
    estimate: int
    pairings: list[Pairing]
    used: list[float]

    @staticmethod
    @abstractmethod
    def prior(grade: str) -> tuple[Past, ...]:
        """The results that a prior grade puts in front of the past."""

    @property
    def games(self) -> int:
        """Games of this table."""
        return len(self.pairings)

    @property
    def games_after(self) -> int:
        """All rated games including this table's, the pair of a prior grade too."""
        return (len(self.past) if self.unrated else self.state.total_games) + self.games

    @abstractmethod
    def rerate(self) -> int:
        """The integer rating by the opponents' present estimates, which stay in `used`."""

    @abstractmethod
    def past_after(self) -> tuple[Past, ...]:
        """All games just used, as an unrated player keeps them."""

    @abstractmethod
    def performance(self) -> float | None:
        """Over this table's games only."""

    @abstractmethod
    def figures(self) -> dict[str, Any]:
        """The row's own figures."""

    @abstractmethod
    def terms(self) -> list[dict[str, Any]]:
        """One object a game, for the explanation."""

    @property
    def bonus_games_after(self) -> int:
        """How many of the games that bring a bonus are used; the first edition knows none."""
        return self.state.bonus_games

    def results(self) -> list[tuple[float, float]]:
        return [(rating, pairing.score) for rating, pairing in zip(self.used, self.pairings, strict=True)]


S = TypeVar("S", bound=Seat)


def take_seats(
    table: Table,
    players: Mapping[str, Player],
    states: Mapping[str, FesaState],
    games: Iterable[Game],
    edition: type[S],
) -> dict[str, S]:
    """Everybody with a rated game (`games`), in table order, with his games in round order."""
    ordered = sorted(games, key=lambda game: game.round or 0)
    counts = dict.fromkeys(table.players, 0)
    for game in ordered:
        assert game.b is not None
        counts[game.a] += 1
        counts[game.b] += 1
    seats = {id: _seat(table, players[id], states[id], count, edition) for id, count in counts.items() if count}
    for game in ordered:
        assert game.b is not None
        assert game.score is not None
        value = HANDICAPS[game.handicap] if game.handicap else 0.0
        a, b = seats[game.a], seats[game.b]
        a.pairings.append(Pairing(b, game.score, value, game.giver == "a"))
        b.pairings.append(Pairing(a, 1 - game.score, value, game.giver == "b"))
    return seats


def _seat(table: Table, player: Player, state: FesaState, games: int, edition: type[S]) -> S:
    if player.id in table.fixed or player.fixed:
        rating = table.fixed.get(player.id, state.rating)
        if rating is None:
            raise ValueError(_("{id} is a fixed outsider without a rating", id=player.id))
        return edition(player.id, state, True, False, (), round(rating), [], [])
    first = state.games is None and not state.past
    past = edition.prior(player.prior_grade) if first and player.prior_grade else state.past
    unrated = first or state.unrated_with(games)
    return edition(player.id, state, False, unrated, past, 0 if unrated else state.rating or 0, [], [])


def iterate(seats: Iterable[Seat]) -> tuple[int, list[str]]:
    """Each in turn by the newest ratings of the others, until a whole round moves nobody.

    Gives the rounds it took and who still moved in the last one that was allowed.
    """
    moving: list[str] = []
    rated = [seat for seat in seats if not seat.fixed]
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
