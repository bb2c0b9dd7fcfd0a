"""Promotions of both FESA editions (2016 rule 10, 2000 rule 12).

Ratings after single games are fractions, so that a bound met exactly counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ratings.systems.compiling import compiled
from ratings.systems.fesa.messages import FesaMessage
from ratings.systems.grades import FESA_2000, FESA_2016, Grade
from ratings.systems.values import Award, AwardHow, Category, Decision, Ruling

from .tables import k_factor

NO_GRADE = -1
PROVISIONAL_FROM, ESTABLISHED_FROM = 9, 18  # number of games played, including the current one
FUTURE_LOSSES = 20  # for "bound to get it"
CATEGORIES = (Category.UNRATED, Category.PROVISIONAL, Category.ESTABLISHED)
NO_WAY, UPPER_BOUND, ABOVE_MP, ABOVE_LB, PROVISIONAL, BOUND_TO_GET_IT = range(6)
WAYS = {
    UPPER_BOUND: AwardHow.UPPER_BOUND,
    ABOVE_MP: AwardHow.GAMES_ABOVE_MP,
    ABOVE_LB: AwardHow.GAMES_ABOVE_LB,
    PROVISIONAL: AwardHow.PROVISIONAL,
    BOUND_TO_GET_IT: AwardHow.BOUND_TO_GET_IT,
}

GradeTable = Sequence[Grade] | NDArray[np.void]
"""Grades, lowest first, for Python code or as records for compiled loops."""
Moment = tuple[int, int]
"""Rating after a game as numerator and denominator."""


class Run(NamedTuple):
    """Number of consecutive games at or above LB, and whether one of them was at or above MP."""

    games: int = 0
    above: bool = False


class GradeState(NamedTuple):
    """Present grade of a player (index, -1 for none) and progress to the next grade.

    `waiting` is the grade that waits for approval, -1 for none.
    """

    grade: int = NO_GRADE
    lb_run: Run = Run()
    mp_run: int = 0
    waiting: int = NO_GRADE

    def decided(self, ruling: str, grade: int) -> GradeState:
        """Return the state after a ruling that takes effect at once.

        It clears the runs; approval and refusal end the waiting.
        """
        if ruling in (Ruling.GIVEN, Ruling.PRINTED) or (
            ruling in (Ruling.KEPT, Ruling.APPROVED) and grade > self.grade
        ):
            return GradeState(grade)
        if ruling in (Ruling.APPROVED, Ruling.DECLINED) and self.waiting != NO_GRADE:
            return GradeState(self.grade)
        return self


@dataclass(frozen=True, slots=True)
class Scale:
    """Grades of an edition, lowest first; a player without a grade starts below the first of them."""

    grades: tuple[Grade, ...]

    def index_of(self, name: str | None) -> int:
        """Return the index of a grade, -1 for None; raise ValueError if the scale has no such grade."""
        if name is None:
            return NO_GRADE
        if name not in self.names:
            details = {"name": name, "lowest": self.names[0], "highest": self.names[-1]}
            raise ValueError(FesaMessage.NOT_A_GRADE(**details))
        return self.names.index(name)

    def name_of(self, index: int) -> str | None:
        return None if index == NO_GRADE else self.grades[index].name

    def midpoint_of(self, name: str) -> int:
        return self.grades[self.index_of(name)].midpoint

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(grade.name for grade in self.grades)


SCALE_2016, SCALE_2000 = Scale(FESA_2016), Scale(FESA_2000)


@compiled
def get_category(unrated: bool, games: int) -> int:
    """Return the category, as an index of `CATEGORIES`, of a player with `games` rated games (rule 3)."""
    if unrated:
        return 0
    return 2 if games >= ESTABLISHED_FROM else 1


@compiled
def list_moments(before: int, after: int, games: int) -> list[Moment]:
    """Return the rating after each game of a table: before + i * (after - before) / games for game i (rule 10).

    For an unrated player, `before` is the rating after the table as well.
    """
    return [(games * before + i * (after - before), games) for i in range(1, games + 1)]


@compiled
def at_least(moment: Moment, bound: int) -> bool:
    return moment[0] >= bound * moment[1]


@compiled
def provisional_bound(grades: GradeTable, grade: int) -> int:
    """Return the rating at which provisional players win a grade, the UB of the grade above; 0 for never (rule 10).

    So the highest grade is never won as provisional.
    """
    return grades[grade + 1].upper_bound if grade + 1 < len(grades) else 0


@compiled
def can_win_grade(climb: GradeState, ceiling: int) -> bool:
    """Return True if the next grade can be won: none waits for approval, and it is below `ceiling`."""
    return climb.waiting == NO_GRADE and climb.grade + 1 < ceiling


@compiled
def promote(grades: GradeTable, climb: GradeState) -> GradeState:
    """Return the state after a promotion: both runs are cleared, and 5 and 6 Dan wait for Nihon Shogi Renmei."""
    grade = climb.grade + 1
    if grades[grade].needs_approval:
        return GradeState(climb.grade, Run(0, False), 0, grade)
    return GradeState(grade, Run(0, False), 0, NO_GRADE)


@compiled
def update_runs(grades: GradeTable, climb: GradeState, moment: Moment) -> tuple[GradeState, int]:
    """Extend or break the runs by one game; return the state, and the way in which it now promotes (rule 10)."""
    grade = grades[climb.grade + 1]
    games, above, mp_run = climb.lb_run.games, climb.lb_run.above, climb.mp_run
    if at_least(moment, grade.midpoint):
        games, above, mp_run = games + 1, True, mp_run + 1
    elif at_least(moment, grade.lower_bound):
        games, mp_run = games + 1, 0
    else:
        games, above, mp_run = 0, False, 0
    way = NO_WAY
    if grade.midpoint_games is not None and mp_run >= grade.midpoint_games:
        way = ABOVE_MP
    elif grade.lower_bound_games is not None and above and games >= grade.lower_bound_games:
        way = ABOVE_LB
    return GradeState(climb.grade, Run(games, above), mp_run, climb.waiting), way


@compiled
def count_game(grades: GradeTable, climb: GradeState, moment: Moment, played: int) -> tuple[GradeState, int]:
    """Test one game against the next grade; return the state, and the way in which it promotes (rule 10).

    `played` is the number of games up to this one. Games of provisional players neither extend nor break the runs.
    """
    if played >= ESTABLISHED_FROM:
        if at_least(moment, grades[climb.grade + 1].upper_bound):
            return climb, UPPER_BOUND
        return update_runs(grades, climb, moment)
    bound = provisional_bound(grades, climb.grade + 1)
    if played >= PROVISIONAL_FROM and bound and at_least(moment, bound):
        return climb, PROVISIONAL
    return climb, NO_WAY


@compiled
def is_bound_to_get_it(grades: GradeTable, climb: GradeState, after: int) -> bool:
    """Return True if losing the next games, k points each, could not prevent the next grade (rule 10)."""
    rating = after
    for _game in range(FUTURE_LOSSES):
        rating -= k_factor(rating)
        if rating < grades[climb.grade + 1].lower_bound:
            return False  # no run can grow below LB
        climb, way = update_runs(grades, climb, (rating, 1))
        if way != NO_WAY:
            return True
    return False


@compiled
def find_promotions(
    grades: GradeTable, climb: GradeState, ceiling: int, moments: Sequence[Moment], games_before: int, after: int
) -> tuple[GradeState, list[tuple[int, int, int]]]:
    """Return the grade state after one table, and the promotions as (grade, way, game) (rule 10).

    After a promotion the same game is tested against the following grade. Grades from `ceiling` on are not won.
    `after` is the new rating.
    """
    promotions = []
    for i, moment in enumerate(moments):
        while can_win_grade(climb, ceiling):
            climb, way = count_game(grades, climb, moment, games_before + i + 1)
            if way == NO_WAY:
                break
            promotions.append((climb.grade + 1, way, i + 1))
            climb = promote(grades, climb)
    established = games_before + len(moments) >= ESTABLISHED_FROM
    if established and can_win_grade(climb, ceiling) and is_bound_to_get_it(grades, climb, after):
        promotions.append((climb.grade + 1, BOUND_TO_GET_IT, len(moments)))
        climb = promote(grades, climb)
    return climb, promotions


def award_promotions(
    scale: Scale,
    start: GradeState,
    moments: Sequence[Moment],
    games_before: int,
    after: int,
    rulings: Sequence[Decision] = (),
) -> tuple[GradeState, tuple[Award, ...]]:
    """Return the grade state after one table, and the promotions.

    `moments` are the ratings after each game that counts, `after` is the new rating. `rulings` are the decisions on
    this player for this table: printed sets the grade whatever the rules say, withheld prevents the award of the
    grade, and so of those above it.
    """
    withheld = (scale.index_of(ruling.grade) for ruling in rulings if ruling.ruling == Ruling.WITHHELD)
    ceiling = min((grade for grade in withheld if grade > start.grade), default=len(scale.grades))
    climb, promotions = find_promotions(scale.grades, start, ceiling, moments, games_before, after)
    awards = tuple(make_award(scale, *promotion) for promotion in promotions)
    for ruling in rulings:
        if ruling.ruling == Ruling.PRINTED and scale.index_of(ruling.grade) != climb.grade:
            climb, awards = GradeState(scale.index_of(ruling.grade)), (Award(ruling.grade, AwardHow.PRINTED),)
    return climb, awards


def make_award(scale: Scale, grade: int, way: int, game: int) -> Award:
    return Award(scale.grades[grade].name, WAYS[way], game, scale.grades[grade].needs_approval)
