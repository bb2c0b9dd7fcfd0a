"""Grading of the FESA systems: the requirements for the next grade, and decisions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from ratings.systems.grading_rules import GradingRules
from ratings.systems.messages import Message as _
from ratings.systems.progress import Progress
from ratings.systems.values import AwardHow, Category, Decision, Row, Ruling

from .grades import SCALE_2000, SCALE_2016, Scale, list_moments, provisional_bound
from .progress import progress
from .state import FesaState


class FesaGrading(GradingRules[FesaState]):
    """Grading of both editions."""

    approved_by = _("Nihon Shogi Renmei")
    scale: ClassVar[Scale]

    @property
    def grades(self) -> Sequence[str]:
        return self.scale.names

    @property
    def grades_needing_approval(self) -> Sequence[str]:
        return [grade.name for grade in self.scale.grades if grade.needs_approval]

    @property
    def bands(self) -> Sequence[tuple[str, int]]:
        return [(grade.name, grade.lower_bound) for grade in self.scale.grades]

    def decide(self, state: FesaState, decision: Decision) -> FesaState:
        ruling, grade = decision.ruling, self.scale.index_of(decision.grade)
        if (
            ruling == Ruling.APPROVED
            and self.settings["corrections"] == "revised"
            and state.grade_state.waiting != grade
        ):
            return state  # the promotion was lost with the results that earned it
        return replace(state, grade_state=state.grade_state.decided(ruling, grade))

    def progress(self, state: FesaState) -> Progress | None:
        return None if state.rating is None else progress(self.scale, state.grade_state, state.total_games)

    def ratings_after_games(self, row: Row) -> Sequence[float]:
        """Return the rating after each game of a row (rule 10).

        For unrated players this is the new rating throughout; for others it moves from game to game in equal steps.
        """
        if row.before is None or row.after is None or row.category == Category.UNRATED:
            return super().ratings_after_games(row)
        moments = list_moments(int(row.before), int(row.after), row.games)
        return [points / games for points, games in moments]

    def minimum_run_rating(self, grade: str, how: str) -> float | None:
        bounds = self.scale.grades[self.scale.index_of(grade)]
        return {
            "games above MP": bounds.midpoint,
            "games above LB": bounds.lower_bound,
            "bound to get it": bounds.lower_bound,
        }.get(how)

    def promotion_rating(self, grade: str, how: str) -> float | None:
        index = self.scale.index_of(grade)
        if how == AwardHow.PROVISIONAL:
            return provisional_bound(self.scale.grades, index)
        return self.scale.grades[index].upper_bound if how == AwardHow.UPPER_BOUND else None


class Grading2016(FesaGrading):
    """Grading of the edition of 2016."""

    scale = SCALE_2016


class Grading2000(FesaGrading):
    """Grading of the edition of 2000."""

    scale = SCALE_2000
