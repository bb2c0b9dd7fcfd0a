"""bgf: what one game is worth to each side, annexes 1 and 2 of the Belgian Go Federation's rating page."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from . import bgf_tables
from .values import Game, Table

EPSILON = 0.016  # the European system's device against deflation


@dataclass(frozen=True, slots=True)
class Conditions:
    """What a table and a list's settings say of all its games."""

    place: float
    time: float
    squared: bool
    fixed_boards: bool
    bonus: str

    @classmethod
    def of(cls, table: Table, settings: Mapping[str, Any]) -> Conditions:
        return cls(
            bgf_tables.PLACE[table.tournament],
            bgf_tables.time_weight(table.minutes, table.overtime),
            table.date >= date.fromisoformat(settings["white_squared_from"]),
            table.date >= date.fromisoformat(settings["board_2021"]),
            settings["bonus"],
        )


@dataclass(frozen=True, slots=True)
class Term:
    """One game from one side: every factor of annex 1, and the change in points, unrounded."""

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
        """Annex 2: ConFactor x (result - expected) x weights, and what a list gives for every game."""
        return self.con * (self.score - self.expected) * self.weight + self.bonus


def expected_of_black(black: float, white: float, stones: int) -> float:
    """Annex 2: expected score (0..1) of Black; A is the weaker player's, by the ratings without handicap."""
    adjusted = black + 100 * bgf_tables.handicap(stones) - white
    return 1 / (1 + math.exp(min(700.0, -adjusted / bgf_tables.a_factor(min(black, white)))))


def sides_of(game: Game, on: Conditions, ratings: tuple[float, float]) -> tuple[Term, Term] | None:
    """The game from a's and from b's side by their ratings; None where the board is not rated."""
    assert game.b is not None
    assert game.score is not None
    black_is_b = game.black == "b"
    black, white = (ratings[1], ratings[0]) if black_is_b else ratings
    of_black = expected_of_black(black, white, game.stones)
    a_factor = bgf_tables.a_factor(min(ratings))
    online = bgf_tables.ONLINE if game.online or game.correspondence else 1.0
    time = 1.0 if game.correspondence else on.time
    terms = []
    for side, (own, other) in enumerate((ratings, ratings[::-1])):
        board = bgf_tables.board_weight(game.board, own, fixed_weights=on.fixed_boards)
        if board is None:
            return None
        is_black = black_is_b == (side == 1)
        handicap = bgf_tables.handicap_weight(game.stones, black=is_black, squared=on.squared)
        terms.append(
            Term(
                (game.b, game.a)[side],
                other,
                own,
                (game.score, 1 - game.score)[side],
                game.stones,
                is_black,
                of_black if is_black else 1 - of_black,
                bgf_tables.con_factor(own),
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
    """Points for every game, won or lost, which the page promises without a formula; by a list's setting."""
    if kind == "egf2021":
        return math.log1p(math.exp((250 - own) / 80)) / 5
    if kind == "epsilon" and own >= opponent:
        return bgf_tables.con_factor(own) * EPSILON / (2 if own == opponent else 1)
    return 0.0
