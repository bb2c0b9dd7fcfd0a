"""Grading of the Belgian system: by the band of the rating, with some inertia at a loss."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ratings.systems.grading_rules import GradingRules
from ratings.systems.progress import Progress, Way
from ratings.systems.values import Award, AwardHow, Decision, Ruling

from . import tables
from .state import BgfState

GRADES = tuple(tables.grade_name(grade) for grade in range(-40, 9))


def displayed_grade(grade: int, top_label: str | None) -> str:
    """Return the grade that is shown for a grade's number: never above the list's option `top_label`."""
    return tables.grade_name(grade if top_label is None else min(grade, tables.grade_number(top_label)))


def get_award_way(before: int, grade: int) -> str:
    """Return the way in which a player won or lost a grade by the rating; both are given as numbers."""
    return AwardHow.ABOVE_BAND if grade > before else AwardHow.DEMOTION


def make_awards(before: str, grade: str, how: str) -> tuple[Award, ...]:
    """Return the award of a grade if another one was shown before."""
    return (Award(grade, how),) if grade != before else ()


class BgfGrading(GradingRules[BgfState]):
    """Grading of the Belgian system."""

    keeps_grades = False

    @property
    def grades(self) -> Sequence[str]:
        return GRADES

    @property
    def bands(self) -> Sequence[tuple[str, int]]:
        return [(name, tables.lower_bound(tables.grade_number(name))) for name in GRADES]

    def decide(self, state: BgfState, decision: Decision) -> BgfState:
        grade = tables.grade_number(decision.grade)
        if (
            decision.ruling == Ruling.DECLINED
            or state.rating is None
            or (decision.ruling == Ruling.KEPT and grade <= state.grade)
        ):
            return state
        return replace(state, grade=grade)

    def progress(self, state: BgfState) -> Progress | None:
        if state.rating is None:
            return None
        top = self.settings["top_label"]
        at_top = top is not None and state.grade >= tables.grade_number(top)
        lost = tables.demotion_bound(state.grade)
        if at_top:
            return Progress(None, (), lost_below=lost)
        way = Way(tables.promotion_bound(state.grade), above=True)
        return Progress(tables.grade_name(state.grade + 1), (way,), lost_below=lost)
