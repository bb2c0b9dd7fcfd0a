"""Dossiers of grades that need approval: the games that earned the grade, earlier grades, later results."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from ratings.models import Approval, Award, Change

from .awards import with_state
from .evidence import CountedGame, counted_games


@dataclass(frozen=True)
class Dossier:
    """All data on the approval of a grade.

    `bound` is the rating that the games were counted from, or that was reached, in rating points; `prior_grade` is a
    grade held elsewhere; `since` are the changes after the grade was earned.
    """

    case: Approval
    award: Award | None
    games: list[CountedGame]
    bound: float | None
    prior_grade: str
    earlier: list[Any]
    since: list[Change]
    graph: list[tuple[dt.date, float]]


def build_dossier(case: Approval) -> Dossier:
    """Return the dossier of an approval by the current list; the award of a closed approval may no longer exist."""
    awards = case.list.awards.filter(player=case.player, grade=case.grade, needs_approval=True)
    award = awards.filter(day=case.earned_on).select_related("list", "table__event").order_by("-place").first()
    earlier = case.list.awards.filter(
        player=case.player, day__lte=case.earned_on, needs_approval=False, last_of_step=True
    )
    changes = case.list.changes.filter(player=case.player).select_related("table__event").defer("state")
    with_rating = changes.filter(after__isnull=False).order_by("day", "place")
    prior_grade = case.list.members.filter(player=case.player).values_list("prior_grade", flat=True).first()
    return Dossier(
        case,
        award,
        counted_games(award) if award else [],
        _required_rating(award) if award else None,
        prior_grade or "",
        list(with_state(earlier).select_related("table__event").order_by("day", "place")),
        list(changes.filter(day__gt=case.earned_on, table__isnull=False, games__gt=0).order_by("day", "place")),
        [(change.day, change.after) for change in with_rating if change.after is not None],
    )


def _required_rating(award: Award) -> float | None:
    system = award.list.rating_system
    counted = system.grading.minimum_run_rating(award.grade, award.how)
    return counted if counted is not None else system.grading.promotion_rating(award.grade, award.how)
