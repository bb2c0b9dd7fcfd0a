"""Certificates of grades: the awards that have one, and checks of printed certificates.

A certificate is identified by list, player, grade and day, as every run replaces awards; its code contains all four.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.text import slugify

from ratings.models import Approval, ApprovalStep, Decision, NameVisibility, Player, RatingList, Standing, Table
from ratings.systems.values import AwardHow, Ruling

from .awards import ANNOUNCED, FINAL, WAITING, with_state

SALT, LETTERS = "ratings.certificate", 12


class CheckResult(Enum):
    """The result of checking a printed certificate against the list as it is now.

    KEPT: its results were corrected, but the grade had been announced. CORRECTED: corrected results no longer earn the
    grade. WITHDRAWN: its approval was reopened. GONE: there is no award of the grade any more, for another reason.
    """

    CONFIRMED = "confirmed"
    KEPT = "kept"
    NOT_ANNOUNCED = "not announced"
    WAITING = "waiting"
    LOWER = "lower"
    CORRECTED = "corrected"
    WITHDRAWN = "withdrawn"
    GONE = "gone"


@dataclass(frozen=True)
class Certificate:
    """A printed certificate with the result of checking it; `award` is None if nothing earns the grade now.

    `withdrawn_on` is the day on which the approval behind it was reopened. `approved` is the award that waited for
    approval until then, None for a grade that needed none. `case` is the approval by which the grade counts, with the
    answer's signer and references; None if there is none.
    """

    code: str
    standing: Standing
    grade: str
    day: dt.date
    award: Any
    finding: CheckResult
    withdrawn_on: dt.date | None = None
    approved: Any = None
    case: Approval | None = None

    @property
    def confirmed(self) -> bool:
        return self.finding in (CheckResult.CONFIRMED, CheckResult.KEPT)

    @property
    def list(self) -> RatingList:
        return self.standing.list

    @property
    def player(self) -> Player:
        return self.standing.player

    @property
    def name(self) -> str:
        """The public name, given name first, as on a diploma."""
        return f"{self.player.public_given} {self.player.public_family}".strip()

    @property
    def how(self) -> AwardHow:
        """Way in which the grade was won; for an approved grade that of its results, if it is known."""
        award = self.approved or self.award
        return AwardHow(award.how) if award else AwardHow.KEPT

    @property
    def event(self) -> Any:
        award = self.approved or self.award
        return award.table.event if award and award.table else None


def certificate_codes(standing: Standing, awards: Iterable[Any]) -> dict[int, str]:
    """Return the certificate codes of awards, by award id; awards without a certificate are omitted.

    `awards` are all awards of the player on the list, with their state.
    """
    if not _has_certificates(standing.list, standing.player):
        return {}
    in_order = sorted(awards, key=_sort_key)
    check = _AwardCheck(standing, in_order)
    return {
        award.pk: _make_code(standing, award.grade, award.day)
        for award in in_order
        if _is_last_promotion(award) and check.finding(award) is CheckResult.CONFIRMED
    }


def find_certificate(code: str) -> Certificate | None:
    """Return the certificate of a code; None if the code is not of this site or the player must not be shown."""
    payload, _, signature = code.rpartition(".")
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    if not any(constant_time_compare(signature, _sign(payload, key)) for key in keys):
        return None
    slug, public_id, grade_slug, day = payload.split(".")
    standing = _find_standing(slug, public_id)
    if standing is None:
        return None
    grade = next((grade for grade in standing.list.rating_system.grading.grades if slugify(grade) == grade_slug), None)
    return None if grade is None else _check_certificate(code, standing, grade, dt.date.fromisoformat(day))


def _check_certificate(code: str, standing: Standing, grade: str, day: dt.date) -> Certificate:
    own = with_state(standing.list.awards.filter(player=standing.player)).select_related("table__event")
    awards = sorted(own, key=_sort_key)
    check = _AwardCheck(standing, awards)
    award = next((a for a in reversed(awards) if (a.grade, a.day) == (grade, day) and _is_last_promotion(a)), None)
    if award is not None and award.needs_approval:
        award = _find_approval(awards, award) or award
        day = award.day
    withdrawn_on = None
    if award is not None:
        finding = check.finding(award)
    elif _is_kept(standing, grade, day):
        finding = CheckResult.LOWER if check.is_lower(standing.grade, grade) else CheckResult.KEPT
    else:
        withdrawn_on = _withdrawal_day(standing, grade, day)
        finding = CheckResult.WITHDRAWN if withdrawn_on else _explain_loss(standing, day)
    approved = _find_approved(awards, award) if award and award.how == AwardHow.APPROVED else None
    is_decided = award is not None and award.how in {AwardHow.APPROVED, AwardHow.GIVEN}
    case = _find_case(standing, grade, day) if is_decided else None
    return Certificate(code, standing, grade, day, award, finding, withdrawn_on, approved, case)


def _find_approval(awards: Sequence[Any], waiting: Any) -> Any:
    """Return the award by which a waiting one was approved later; None if it still waits.

    Drafts of certificates name the day on which the grade was earned, as its first valid day is not known yet.
    """
    later = (a for a in awards if _sort_key(a) > _sort_key(waiting) and a.grade == waiting.grade)
    return next((a for a in later if a.how == AwardHow.APPROVED), None)


def _find_case(standing: Standing, grade: str, day: dt.date) -> Approval | None:
    """Return the approval whose decision gave a grade from a day on."""
    cases = Approval.objects.filter(list=standing.list, player=standing.player, grade=grade, decision__date=day)
    granted = cases.filter(state=Approval.State.APPROVED).defer("letter")
    return granted.select_related("list__federation", "player", "table__event").first()


def make_draft_code(case: Approval) -> str:
    """Return the code of the certificate that an approval may lead to; empty if the grade would have none.

    Its page says that the grade waits, and confirms the certificate once the grade was approved.
    """
    standing = _find_standing(case.list.slug, case.player.public_id)
    if standing is None or case.is_requested:
        return ""
    return _make_code(standing, case.grade, case.earned_on)


def _find_approved(awards: Sequence[Any], approval: Any) -> Any:
    """Return the award that waited until an approval; `awards` are all of the player, oldest first. None: unknown."""
    earlier = (a for a in awards if _sort_key(a) < _sort_key(approval) and a.grade == approval.grade)
    return next((a for a in reversed(list(earlier)) if a.needs_approval), None)


def _withdrawal_day(standing: Standing, grade: str, day: dt.date) -> dt.date | None:
    """Return the day on which an approval that counted from `day` was reopened last; None if none was."""
    reopened = ApprovalStep.objects.filter(
        case__list=standing.list, case__player=standing.player, case__grade=grade, counted_from=day
    )
    step = reopened.last()
    return step.at.date() if step else None


def _explain_loss(standing: Standing, day: dt.date) -> CheckResult:
    """Return CORRECTED if the player still has results of that day, which no longer earn the grade, else GONE."""
    tables = Table.objects.filter(last_day=day, event__lists=standing.list, entries__player=standing.player)
    return CheckResult.CORRECTED if tables.exists() else CheckResult.GONE


def _is_kept(standing: Standing, grade: str, day: dt.date) -> bool:
    """Return True if the grade was announced, which counts from the next day on, or confirmed from this day on."""
    held = Decision.objects.filter(list=standing.list, player=standing.player, grade=grade, ruling=Ruling.KEPT)
    return held.filter(date__in=[day, day + dt.timedelta(days=1)]).exists()


class _AwardCheck:
    """A check of one player's awards, which are oldest first."""

    def __init__(self, standing: Standing, awards: Sequence[Any]) -> None:
        system = standing.list.rating_system
        self.standing, self.awards, self.order = standing, awards, list(system.grading.grades)
        self.announces = system.settings.get("corrections") == "kept"

    def finding(self, award: Any) -> CheckResult:
        if award.state == WAITING:
            return CheckResult.WAITING
        if self.announces and award.state not in {ANNOUNCED, FINAL}:
            return CheckResult.NOT_ANNOUNCED
        later = [a.grade for a in self.awards if _sort_key(a) > _sort_key(award) and not a.needs_approval]
        lower = any(self.is_lower(grade, award.grade) for grade in (*later, self.standing.grade))
        return CheckResult.LOWER if lower else CheckResult.CONFIRMED

    def is_lower(self, grade: str, other: str) -> bool:
        return self.rank(grade) < self.rank(other)

    def rank(self, grade: str) -> int:
        return self.order.index(grade) if grade in self.order else -1


def _sort_key(award: Any) -> tuple[dt.date, int, int]:
    return award.day, award.place, award.pk


def _is_last_promotion(award: Any) -> bool:
    """Return True if an award is the last grade of its step and no demotion."""
    return bool(award.last_of_step and award.how != AwardHow.DEMOTION)


def _has_certificates(rating_list: RatingList, player: Player) -> bool:
    return rating_list.public and rating_list.has_grades and player.shown == NameVisibility.FULL


def _find_standing(slug: str, public_id: str) -> Standing | None:
    """Return the public standing of a player, following merges, if they are shown by name; else None."""
    player = Player.objects.filter(public_id=public_id).select_related("merged_into").first()
    current = player and (player.merged_into or player)
    lines = Standing.objects.filter(list__slug=slug, player=current, published=True, rating__isnull=False)
    standing = lines.select_related("list__federation", "player").first()
    return standing if standing and _has_certificates(standing.list, standing.player) else None


def _make_code(standing: Standing, grade: str, day: dt.date) -> str:
    payload = f"{standing.list.slug}.{standing.player.public_id}.{slugify(grade)}.{day}"
    return f"{payload}.{_sign(payload, settings.SECRET_KEY)}"


def _sign(payload: str, key: str | bytes) -> str:
    """Return the signature that shows that a code was created by this site."""
    return salted_hmac(SALT, payload, secret=key, algorithm="sha256").hexdigest()[:LETTERS]
