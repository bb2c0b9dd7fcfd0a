"""A player's grade history on a list: how each grade came, its outcome, and decisions about it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from ratings.models import Approval, Decision, Event, Player, Standing
from ratings.queries.players.careers import Point
from ratings.systems.values import ANSWERING_RULINGS, AwardHow, Ruling

from .awards import ANNOUNCED, BY_DECISION, WAITING, approvals_of
from .certificates import certificate_codes


@dataclass(frozen=True)
class GradeLine:
    """A grade that was won, given or refused.

    `state` is its outcome: awarded, announced, waiting, approved, declined, fallen, kept, given, printed, withheld,
    outside; empty for a demotion.
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
    """Code of the certificate; empty if there is none."""


@dataclass
class _Records:
    """Approvals and decisions besides the awards; `used` holds those that already have a line."""

    cases: list[Approval]
    decisions: list[Decision]
    used: set[Approval | Decision]

    def mark_used(self, *items: Approval | Decision | None) -> None:
        self.used.update(item for item in items if item is not None)

    def case(self, award: Any) -> Approval | None:
        cases = (c for c in self.cases if (c.grade, c.earned_on) == (award.grade, award.day))
        return next((case for case in cases if case.state != Approval.State.FALLEN), None)

    def ruling(self, award: Any, *rulings: str) -> Decision | None:
        """Return the first decision with one of these rulings on the grade, after the day on which it was won."""
        later = (d for d in self.decisions if d.ruling in rulings and d.grade == award.grade and d.date > award.day)
        return next(later, None)

    def cause(self, award: Any) -> Decision | None:
        """Return the decision that gave the grade; None if there is none."""
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
    """Return the lines of a player's grade history, newest first; needs two queries.

    `awards` are the player's awards with their states, `line` the steps of their career.
    """
    rating_list = standing.list
    decisions = list(player.decisions.filter(list=rating_list).order_by("date", "pk"))
    records = _Records(approvals_of(player, rating_list), decisions, set())
    earned = [award for award in awards if award.how not in BY_DECISION and award.last_of_step]
    lines = [_earned_line(award, award.state, records) for award in earned]
    lines += [
        _decided_line(award, records) for award in awards if award.how in BY_DECISION and not _has_line(award, records)
    ]
    lines += _remaining_lines(records)
    lines += _adjustment_lines(line)
    by_pk = {award.pk: (award.day, award.grade) for award in awards}
    codes = {by_pk[pk]: code for pk, code in certificate_codes(standing, awards).items()}
    lines = [replace(line, code=_certificate_code(line, codes)) for line in lines]
    return sorted(lines, key=lambda line: line.day, reverse=True)


def _certificate_code(line: GradeLine, codes: Mapping[tuple[dt.date, str], str]) -> str:
    """Return the certificate code of a line; an approved grade has the code of the day of its approval."""
    approved = codes.get((line.decision.date, line.grade), "") if line.decision else ""
    return codes.get((line.day, line.grade), "") or approved


def _earned_line(award: Any, state: str, records: _Records) -> GradeLine:
    event = award.table.event if award.table else None
    if award.how == AwardHow.DEMOTION:
        return GradeLine(award.day, award.grade, award.how, "", event)
    if state == ANNOUNCED:
        return GradeLine(award.day, award.grade, award.how, state, event, decision=records.ruling(award, AwardHow.KEPT))
    if not award.needs_approval:
        return GradeLine(award.day, award.grade, award.how, state, event)
    case = records.case(award)
    decision = case.decision if case else records.ruling(award, *ANSWERING_RULINGS)
    records.mark_used(case, decision)
    answer = case.state if case and case.state in ANSWERING_RULINGS else decision.ruling if decision else WAITING
    return GradeLine(award.day, award.grade, award.how, answer, event, case, decision)


def _has_line(award: Any, records: _Records) -> bool:
    """Return True if the line of the earned grade already includes its approval."""
    return award.how == AwardHow.APPROVED and records.cause(award) in records.used


def _decided_line(award: Any, records: _Records) -> GradeLine:
    decision = records.cause(award)
    case = next((case for case in records.cases if decision is not None and case.decision_id == decision.pk), None)
    records.mark_used(case, decision)
    event = award.table.event if award.table else case.event if case else None
    corrected = award.how == AwardHow.KEPT or (case is not None and not case.is_requested)
    return GradeLine(award.day, award.grade, "", award.how, event, case, decision, corrected)


def _adjustment_lines(line: Sequence[Point]) -> Iterable[GradeLine]:
    """Yield lines for grades that adjustments changed."""
    for before, point in pairwise([None, *line]):
        if point and point.adjustment and point.grade and point.grade != (before.grade if before else ""):
            yield GradeLine(point.day, point.grade, "", "outside")


def _remaining_lines(records: _Records) -> Iterable[GradeLine]:
    """Yield lines without an award: approvals that fell away or were declined, and decisions on grades."""
    for case in records.cases:
        if case.is_requested and case.state != Approval.State.APPROVED:
            records.mark_used(case.decision)  # the grade was not won on this list
        elif case not in records.used and not case.is_open:
            refused = "declined" if case.state == Approval.State.DECLINED else "fallen"
            state = "given" if case.is_requested else refused
            records.mark_used(case.decision)
            yield GradeLine(case.earned_on, case.grade, "", state, case.event, case, case.decision)
    for decision in records.decisions:
        if decision not in records.used and decision.ruling not in (Ruling.KEPT, Ruling.PRINTED):
            yield GradeLine(decision.date, decision.grade, "", decision.ruling, decision=decision)
