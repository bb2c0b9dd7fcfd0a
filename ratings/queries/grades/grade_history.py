"""A player's grades on a list as he may tell them: how each came, what became of it, and what people decided."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ratings.models import Approval, Decision, Event, Player, Standing

from .awards import ANNOUNCED, BY_DECISION, WAITING, approvals_of
from .careers import Point
from .certificates import codes_of

ANSWERS = ("approved", "declined")


@dataclass(frozen=True)
class GradeLine:
    """A grade that was won, given or refused. `state` is what became of it: awarded, announced, waiting, approved,
    declined, fallen, kept, given, printed, withheld, outside; empty for a demotion.
    """

    day: dt.date
    grade: str
    how: str
    state: str
    event: Event | None = None
    case: Approval | None = None
    decision: Decision | None = None
    corrected: bool = False
    code: str = ""
    """Of its certificate, where it has one."""


@dataclass
class _Past:
    """What is known besides the awards, and what of it an award has told already."""

    cases: list[Approval]
    decisions: list[Decision]
    told: set[Approval | Decision]

    def tell(self, *several: Approval | Decision | None) -> None:
        self.told.update(one for one in several if one is not None)

    def case(self, award: Any) -> Approval | None:
        asked = (c for c in self.cases if (c.grade, c.earned_on) == (award.grade, award.day))
        return next((case for case in asked if case.state != Approval.State.FALLEN), None)

    def ruling(self, award: Any, *rulings: str) -> Decision | None:
        """The first of such decisions about the grade after the day on which it was won."""
        later = (d for d in self.decisions if d.ruling in rulings and d.grade == award.grade and d.date > award.day)
        return next(later, None)

    def cause(self, award: Any) -> Decision | None:
        """The decision that gave the grade."""
        return next(
            (
                d
                for d in self.decisions
                if (d.ruling, d.grade) == (award.how, award.grade)
                and (d.date == award.day if d.before_id is None else d.before_id == award.table_id)
            ),
            None,
        )


def grade_history(player: Player, standing: Standing, awards: Sequence[Any], line: Sequence[Point]) -> list[GradeLine]:
    """Newest first, from his awards with their states and the steps of his career: two queries."""
    rating_list = standing.list
    decisions = list(player.decisions.filter(list=rating_list).order_by("date", "pk"))
    past = _Past(approvals_of(player, rating_list), decisions, set())
    earned = [award for award in awards if award.how not in BY_DECISION and award.last_of_step]
    lines = [_earned(award, award.state, past) for award in earned]
    lines += [_decided(award, past) for award in awards if award.how in BY_DECISION and not _is_told(award, past)]
    lines += _left(past)
    lines += _given_outside(line)
    by_pk = {award.pk: (award.day, award.grade) for award in awards}
    codes = {by_pk[pk]: code for pk, code in codes_of(standing, awards).items()}
    lines = [replace(line, code=_code(line, codes)) for line in lines]
    return sorted(lines, key=lambda line: line.day, reverse=True)


def _code(line: GradeLine, codes: Mapping[tuple[dt.date, str], str]) -> str:
    """An approved grade's certificate is of the day of its approval."""
    approved = codes.get((line.decision.date, line.grade), "") if line.decision else ""
    return codes.get((line.day, line.grade), "") or approved


def _earned(award: Any, state: str, past: _Past) -> GradeLine:
    event = award.table.event if award.table else None
    if award.how == "demotion":
        return GradeLine(award.day, award.grade, award.how, "", event)
    if state == ANNOUNCED:
        return GradeLine(award.day, award.grade, award.how, state, event, decision=past.ruling(award, "kept"))
    if not award.needs_approval:
        return GradeLine(award.day, award.grade, award.how, state, event)
    case = past.case(award)
    decision = case.decision if case else past.ruling(award, *ANSWERS)
    past.tell(case, decision)
    answer = case.state if case and case.state in ANSWERS else decision.ruling if decision else WAITING
    return GradeLine(award.day, award.grade, award.how, answer, event, case, decision)


def _is_told(award: Any, past: _Past) -> bool:
    """Whether the line of the earning tells the approval already."""
    return award.how == "approved" and past.cause(award) in past.told


def _decided(award: Any, past: _Past) -> GradeLine:
    decision = past.cause(award)
    case = next((case for case in past.cases if decision is not None and case.decision_id == decision.pk), None)
    past.tell(case, decision)
    event = award.table.event if award.table else case.event if case else None
    corrected = award.how == "kept" or case is not None
    return GradeLine(award.day, award.grade, "", award.how, event, case, decision, corrected)


def _given_outside(line: Sequence[Point]) -> Iterable[GradeLine]:
    """Other grades that adjustments brought."""
    for before, point in pairwise([None, *line]):
        if point and point.adjustment and point.grade and point.grade != (before.grade if before else ""):
            yield GradeLine(point.day, point.grade, "", "outside")


def _left(past: _Past) -> Iterable[GradeLine]:
    """What left no award: grades that fell away with a correction, and decisions that refused or confirmed one."""
    for case in past.cases:
        if case not in past.told and not case.is_open:
            state = "declined" if case.state == Approval.State.DECLINED else "fallen"
            past.tell(case.decision)
            yield GradeLine(case.earned_on, case.grade, "", state, case.event, case, case.decision)
    for decision in past.decisions:
        if decision not in past.told and decision.ruling not in ("kept", "printed"):
            yield GradeLine(decision.date, decision.grade, "", decision.ruling, decision=decision)
