"""Value of one game to each side in bgf, annexes 1 and 2 of the Belgian Go Federation's rating page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from ratings.systems.handicaps import handicap_of_stones
from ratings.systems.values import Game, Table

from . import tables

EPSILON = 0.016  # used by the European system against deflation


@dataclass(frozen=True, slots=True)
class Conditions:
    """Conditions of all games of a table, from the table and the list's settings."""

    place: float
    time: float
    squared: bool
    fixed_boards: bool
    bonus: str

    @classmethod
    def from_table(cls, table: Table, settings: Mapping[str, Any]) -> Conditions:
        return cls(
            tables.PLACE[table.tournament],
            tables.time_weight(table.minutes, table.overtime),
            table.date >= date.fromisoformat(settings["white_squared_from"]),
            table.date >= date.fromisoformat(settings["board_2021"]),
            settings["bonus"],
        )


@dataclass(frozen=True, slots=True)
class Term:
    """One game from one side: every factor of annex 1, and the change in rating points, unrounded."""

    opponent: str
    opponent_rating: float
    rating: float
    score: float
    stones: int
    black: bool
    expected: float
    con: float
    a: float
    handicap: float
    place: float
    board: float
    online: float
    time: float
    bonus: float

    @property
    def weight(self) -> float:
        return self.handicap * self.place * self.board * self.online * self.time

    @property
    def change(self) -> float:
        """Change by annex 2: ConFactor x (result - expected) x weights, plus the list's bonus for every game."""
        return self.con * (self.score - self.expected) * self.weight + self.bonus


def expected_of_black(black: float, white: float, stones: int) -> float:
    """Return the expected score (0..1) of Black (annex 2)."""
    adjusted = black + tables.STEP * handicap_of_stones(stones) - white
    return 1 / (1 + math.exp(min(700.0, -adjusted / weaker_a_factor(black, white))))


def weaker_a_factor(own: float, other: float) -> float:
    """Return A of the weaker of two players, by their ratings without handicap (annex 2)."""
    return tables.a_factor(min(own, other))


def rate_game(game: Game, on: Conditions, ratings: tuple[float, float]) -> tuple[Term, Term] | None:
    """Return the game from the sides of a and b, by their ratings; None if the board is not rated."""
    assert game.b is not None
    assert game.score is not None
    black_is_b = game.black == "b"
    black, white = (ratings[1], ratings[0]) if black_is_b else ratings
    of_black = expected_of_black(black, white, game.stones)
    a_factor = weaker_a_factor(*ratings)
    online = tables.ONLINE if game.online or game.correspondence else 1.0
    time = 1.0 if game.correspondence else on.time
    terms = []
    for side, (own, other) in enumerate((ratings, ratings[::-1])):
        board = tables.board_weight(game.board, own, fixed_weights=on.fixed_boards)
        if board is None:
            return None
        is_black = black_is_b == (side == 1)
        handicap = tables.handicap_weight(game.stones, black=is_black, squared=on.squared)
        terms.append(
            Term(
                (game.b, game.a)[side],
                other,
                own,
                (game.score, 1 - game.score)[side],
                game.stones,
                is_black,
                of_black if is_black else 1 - of_black,
                tables.con_factor(own),
                a_factor,
                handicap,
                on.place,
                board,
                online,
                time,
                bonus_points(on.bonus, own, other),
            )
        )
    return terms[0], terms[1]


def bonus_points(kind: str, own: float, opponent: float) -> float:
    """Return the bonus points for a game, won or lost, by a list's setting.

    The rating page promises such points without a formula.
    """
    if kind == "egf2021":
        return math.log1p(math.exp((250 - own) / 80)) / 5
    if kind == "epsilon" and own >= opponent:
        return tables.con_factor(own) * EPSILON / (2 if own == opponent else 1)
    return 0.0
