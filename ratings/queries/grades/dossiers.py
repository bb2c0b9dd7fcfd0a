"""Everything about a grade that waits for approval: what earned it, what was before, what came since."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from typing import Any

from ratings.models import Approval, Award, Change

from .awards import with_state
from .evidence import CountedGame, evidence


@dataclass(frozen=True)
class Dossier:
    """`bound` is the rating that the games were counted from, or that was reached; `prior_grade` one held elsewhere."""

    case: Approval
    award: Award | None
    games: list[CountedGame]
    bound: float | None
    prior_grade: str
    earlier: list[Any]
    since: list[Change]
    graph: list[tuple[dt.date, float]]


def dossier_of(case: Approval) -> Dossier:
    """As the list stands now; a case that fell away or was settled long ago may have no award any more."""
    awards = case.list.awards.filter(player=case.player, grade=case.grade, needs_approval=True)
    award = awards.filter(day=case.earned_on).select_related("list", "table__event").order_by("-place").first()
    earlier = case.list.awards.filter(
        player=case.player, day__lte=case.earned_on, needs_approval=False, last_of_step=True
    )
    changes = case.list.changes.filter(player=case.player).select_related("table__event").defer("state")
    with_rating = changes.filter(after__isnull=False).order_by("day", "place")
    known = case.list.members.filter(player=case.player).values_list("prior_grade", flat=True).first()
    return Dossier(
        case,
        award,
        evidence(award) if award else [],
        _bound(award) if award else None,
        known or "",
        list(with_state(earlier).select_related("table__event").order_by("day", "place")),
        list(changes.filter(day__gt=case.earned_on, table__isnull=False, games__gt=0).order_by("day", "place")),
        [(change.day, change.after) for change in with_rating if change.after is not None],
    )


def _bound(award: Award) -> float | None:
    system = award.list.rating_system
    counted = system.counted_from(award.grade, award.how)
    return counted if counted is not None else system.reached_for(award.grade, award.how)
