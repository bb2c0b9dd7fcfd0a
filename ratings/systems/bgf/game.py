"""Value of one game to each side in bgf, annexes 1 and 2 of the Belgian Go Federation's rating page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

from ratings.systems.compiling import compiled
from ratings.systems.handicaps import handicap_of_stones
from ratings.systems.values import Game, Table

from . import tables

EPSILON = 0.016  # used by the European system against deflation
BONUS_KINDS = ("none", "epsilon", "egf2021")
"""Values of the list's option `bonus`."""
EPSILON_BONUS, EGF_BONUS = 1, 2  # indexes


class Conditions(NamedTuple):
    """Conditions of all games of a table, from the table and the list's settings; `bonus` is an index of its kind."""

    place: float
    time: float
    squared: bool
    fixed_boards: bool
    bonus: int

    @classmethod
    def from_table(cls, table: Table, settings: Mapping[str, Any]) -> Conditions:
        return cls(
            tables.PLACE[table.tournament],
            tables.time_weight(table.minutes, table.overtime),
            table.date >= date.fromisoformat(settings["white_squared_from"]),
            table.date >= date.fromisoformat(settings["board_2021"]),
            BONUS_KINDS.index(settings["bonus"]),
        )


class GameDetails(NamedTuple):
    """Handicap and board of a game, and how it was played."""

    stones: int
    board: int
    online: bool
    correspondence: bool


class Factors(NamedTuple):
    """Factors of annex 1 of a game from one side."""

    expected: float
    con: float
    a: float
    handicap: float
    place: float
    board: float
    online: float
    time: float
    bonus: float


@dataclass(frozen=True, slots=True)
class Term:
    """One game from one side: every factor of annex 1, and the change in rating points, unrounded."""

    opponent: str
    opponent_rating: float
    rating: float
    score: float
    stones: int
    black: bool
    factors: Factors

    @property
    def change(self) -> float:
        return rating_change(self.score, self.factors)


@compiled
def expected_of_black(black: float, white: float, stones: int) -> float:
    """Return the expected score (0..1) of Black (annex 2)."""
    adjusted = black + tables.STEP * handicap_of_stones(stones) - white
    return 1 / (1 + math.exp(min(700.0, -adjusted / weaker_a_factor(black, white))))


@compiled
def weaker_a_factor(own: float, other: float) -> float:
    """Return A of the weaker of two players, by their ratings without handicap (annex 2)."""
    return tables.a_factor(min(own, other))


@compiled
def find_factors(own: float, other: float, black: bool, game: GameDetails, on: Conditions) -> Factors:
    """Return the factors of a game on a rated board from the side of `own`, by the ratings of both."""
    return Factors(
        expected_of_black(own, other, game.stones) if black else 1 - expected_of_black(other, own, game.stones),
        tables.con_factor(own),
        weaker_a_factor(own, other),
        tables.handicap_weight(game.stones, black, on.squared),
        on.place,
        tables.board_weight(game.board, own, on.fixed_boards),
        tables.ONLINE if game.online or game.correspondence else 1.0,
        1.0 if game.correspondence else on.time,
        bonus_points(on.bonus, own, other),
    )


@compiled
def multiply_weights(factors: Factors) -> float:
    """Return the product of the weights of a game."""
    return factors.handicap * factors.place * factors.board * factors.online * factors.time


@compiled
def rating_change(score: float, factors: Factors) -> float:
    """Return the change by annex 2: ConFactor x (result - expected) x weights, plus the list's bonus for every game."""
    return factors.con * (score - factors.expected) * multiply_weights(factors) + factors.bonus


@compiled
def bonus_points(kind: int, own: float, opponent: float) -> float:
    """Return the bonus points for a game, won or lost, by a list's setting, given as its index.

    The rating page promises such points without a formula.
    """
    if kind == EGF_BONUS:
        return math.log1p(math.exp((250 - own) / 80)) / 5
    if kind == EPSILON_BONUS and own >= opponent:
        return tables.con_factor(own) * EPSILON / (2 if own == opponent else 1)
    return 0.0


def rate_game(game: Game, on: Conditions, ratings: tuple[float, float]) -> tuple[Term, Term] | None:
    """Return the game from the sides of a and b, by their ratings; None if the board is not rated."""
    assert game.b is not None
    assert game.score is not None
    if not tables.is_board_rated(game.board, on.fixed_boards):
        return None
    details = GameDetails(game.stones, game.board, game.online, game.correspondence)
    b_is_black = game.black == "b"
    sides = (
        (game.b, ratings[1], ratings[0], game.score, not b_is_black),
        (game.a, ratings[0], ratings[1], 1 - game.score, b_is_black),
    )
    terms = [
        Term(opponent, other, own, score, game.stones, black, find_factors(own, other, black, details, on))
        for opponent, other, own, score, black in sides
    ]
    return terms[0], terms[1]
