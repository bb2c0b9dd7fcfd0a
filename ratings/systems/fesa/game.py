"""fesa-2016: what single games are worth, rules 1, 7, 8, 9 and 12. All values in rating points, unrounded."""

from __future__ import annotations

from dataclasses import dataclass

from .arithmetic import expected_score
from .fesa_grades import SCALE_2016, Scale
from .fesa_tables import k_factor
from .grades import FESA_2016

FLOOR = 400  # (1) a lower opponent counts as 400
BONUS_BELOW, BONUS_GAMES = 1800, 100  # (9)

Result = tuple[float, float]
"""(opponent's rating used, score): what `past` keeps of a game."""


# (12) the LB values as a scale: 20 Kyu's counts as 0 here, above 6 Dan it goes on in steps of 240.
LADDER = (0, *(grade.lower_bound for grade in FESA_2016[1:]), 2640, 2880, 3120)


def fractional_grade(rating: float) -> float:
    """(12) The rating as grades above 20 Kyu, linear between neighbouring LB values."""
    step = next((i for i in range(1, len(LADDER) - 1) if rating < LADDER[i]), len(LADDER) - 1)
    return step - 1 + (rating - LADDER[step - 1]) / (LADDER[step] - LADDER[step - 1])


def rating_of_grade(grade: float) -> int:
    """(12) The inverse of fractional_grade, rounded half to even; 1 below the scale."""
    if grade < 0:
        return 1
    step = min(int(grade) + 1, len(LADDER) - 1)
    return round(LADDER[step - 1] + (grade - (step - 1)) * (LADDER[step] - LADDER[step - 1]))


def seen_rating(own: float, opponent: float, handicap: float, *, gives: bool) -> float:
    """(1), (12): what an opponent counts for: at least 400, and then what the handicap (in grades) makes of it."""
    seen = max(FLOOR, opponent)
    if not handicap:
        return seen
    if not gives:
        return rating_of_grade(fractional_grade(seen) - handicap)
    return seen + own - rating_of_grade(fractional_grade(own) - handicap)


@dataclass(frozen=True, slots=True)
class Term:
    """One game of a rated player: points, unrounded. `change` is the formula or the upset gain, plus the bonus."""

    rating: float
    expected: float
    k: int
    formula: float
    upset_gain: float | None
    bonus: float

    @property
    def change(self) -> float:
        return (self.formula if self.upset_gain is None else self.upset_gain) + self.bonus


def rated_game(rating: float, opponent: float, score: float, bonus_games: int) -> Term:
    """(1) and (9): what one game is worth to a player standing at `rating` with so many bonus games used."""
    expected, k = expected_score(rating, opponent), k_factor(rating)
    formula = k * (score - expected)
    upset: float | None = None
    if score == 1 and opponent > rating:
        gain = k * (opponent - rating) / 160
        upset = gain if gain > formula else None
    bonus = (BONUS_BELOW - rating) / 200 if rating < BONUS_BELOW and bonus_games < BONUS_GAMES else 0.0
    return Term(rating, expected, k, formula, upset, bonus)


def with_dummy_draw(results: list[Result]) -> list[Result]:
    """(7) At 100 % a temporary draw against the highest rated opponent is inserted."""
    if results and all(score == 1 for _, score in results):
        return [*results, (max(rating for rating, _ in results), 0.5)]
    return results


def prior_results(grade: str, scale: Scale = SCALE_2016) -> tuple[Result, Result]:
    """(7) A prior grade counts as a defeat and a victory against its midpoint."""
    midpoint = scale.grades[scale.index_of(grade)].midpoint
    return (midpoint, 0), (midpoint, 1)
