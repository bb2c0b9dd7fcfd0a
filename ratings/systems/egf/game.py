"""Value of one game to both sides in egf-2021: expected score, con, weight and bonus."""

from __future__ import annotations

from dataclasses import dataclass

from ratings.systems.compiling import compiled
from ratings.systems.handicaps import handicap_of_stones
from ratings.systems.values import Game

from . import tables


@dataclass(frozen=True, slots=True)
class Term:
    """One game from one side, with every factor of the formula; `change` is in rating points, unrounded."""

    opponent: str
    opponent_rating: float
    rating: float
    score: float
    stones: int
    black: bool
    expected: float
    con: float
    time_class: str
    weight: float
    bonus: float

    @property
    def counted_ratings(self) -> tuple[float, float]:
        """The own rating and the opponent's, as the expected score uses them: Black's with the handicap."""
        points = tables.STEP * handicap_of_stones(self.stones)
        return (
            (self.rating + points, self.opponent_rating) if self.black else (self.rating, self.opponent_rating + points)
        )

    @property
    def weighted_bonus(self) -> float:
        return self.weight * self.bonus

    @property
    def change(self) -> float:
        return rating_change(self.weight, self.con, self.score, self.expected, self.bonus)


@compiled
def rating_change(weight: float, con: float, score: float, expected: float, bonus: float) -> float:
    """Return the change for a game: weight x (con x (result - expected) + bonus)."""
    return weight * (con * (score - expected) + bonus)


@compiled
def rating_after(before: float, change: float) -> float:
    """Return the rating after a table; `change` is the sum of the changes for its games."""
    return max(tables.LOWEST, before + change)


@compiled
def expected_of_a(a: float, b: float, stones: int, b_is_black: bool) -> float:
    """Return the expected score (0..1) of side a, by the ratings of a and b before the game."""
    if stones and b_is_black:
        return 1 - tables.expected_of_black(b, a, handicap_of_stones(stones))
    return tables.expected_of_black(a, b, handicap_of_stones(stones))


# reasons why a game is not rated; 0 if it is
WRONG_BOARD, CORRESPONDENCE, TOO_MANY_STONES, TOO_FAST = 1, 2, 3, 4


@compiled
def find_exclusion(board: int, correspondence: bool, stones: int, max_stones: int) -> int:
    """Return the reason why the rules rate no such game, whatever its table; 0 if they rate it."""
    if board != tables.FULL_BOARD:
        return WRONG_BOARD
    if correspondence:
        return CORRESPONDENCE
    return TOO_MANY_STONES if stones > max_stones else 0


def rate_game(
    game: Game, ratings: tuple[float, float], time_class: str, weight: float, *, with_bonus: bool
) -> tuple[Term, Term]:
    """Return the game from the sides of a and b, by their ratings at the start of the table.

    con and the bonus use the ratings without handicap, the expected scores those with it.
    """
    assert game.b is not None
    assert game.score is not None
    expected = expected_of_a(*ratings, game.stones, game.black == "b")
    a_is_black = game.black != "b"
    sides = (
        (game.b, ratings[0], ratings[1], game.score, expected, a_is_black),
        (game.a, ratings[1], ratings[0], 1 - game.score, 1 - expected, not a_is_black),
    )
    terms = [
        Term(
            opponent,
            other,
            own,
            score,
            game.stones,
            black,
            chance,
            tables.con_factor(own),
            time_class,
            weight,
            tables.bonus_points(own) if with_bonus else 0.0,
        )
        for opponent, own, other, score, chance, black in sides
    ]
    return terms[0], terms[1]
