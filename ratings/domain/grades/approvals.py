"""Answers to approvals of grades: enter, confirm and reopen them.

Users cannot approve their own grades, or grades earned by results that they entered.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.lists.adjustments import delete_adjustment, save_adjustment
from ratings.domain.site.acting import acting_user
from ratings.domain.site.outbox import notify
from ratings.models import Approval, ApprovalStep, Decision
from ratings.systems.values import Ruling
from ratings.time_zones import find_today

from .announcing import queue_grade_messages
from .answer_links import find_answer_day, revoke_links
from .approval_locks import lock_in_state
from .approval_persons import check_not_behind_link, check_not_own
from .approval_steps import add_step, summarize_answer
from .questions import check_no_open_question
from .saved_answers import forget_saved_answer

State, What = Approval.State, ApprovalStep.What


@dataclass(frozen=True)
class Answer:
    """The answer of the approving body: granted from a day on, or declined with a reason.

    `letter` holds the name and bytes of a file.
    """

    granted: bool
    on: dt.date
    effective: dt.date | None = None
    signed_by: str = ""
    signer_office: str = ""
    reference: str = ""
    reason: str = ""
    letter: tuple[str, bytes] | None = None


@transaction.atomic
def answer(case: Approval, new_answer: Answer) -> None:
    """Enter the answer to an approval; it takes effect at once, or when the second approver of the list confirms it.

    Raise ValidationError if the acting user must not answer, if the approval is decided already, if the list is out of
    date, or if the answer is incomplete.
    """
    case = lock_to_answer(case)
    check_not_own(case, acting_user())
    check_no_open_question(case)
    enter_answer(case, new_answer)
    case.decided_by = acting_user()
    revoke_links(case)
    forget_saved_answer(case)
    add_step(case, What.ANSWERED, *summarize_answer(case))
    if case.list.second_approver:
        propose(case)
    else:
        _settle(case)


def lock_to_answer(case: Approval) -> Approval:
    """Return a locked approval that can be answered now; raise ValidationError if it cannot."""
    case = lock_in_state(case, State.WAITING, State.SENT)
    _check_up_to_date(case)
    return case


def enter_answer(case: Approval, new_answer: Answer) -> None:
    """Write an answer into a locked approval, without saving it; raise ValidationError if it is incomplete."""
    if problems := find_answer_problems(case, vars(new_answer)):
        raise ValidationError(problems)
    case.granted, case.answered_on = new_answer.granted, new_answer.on
    case.effective = new_answer.effective if new_answer.granted else None
    case.signed_by, case.signer_office = new_answer.signed_by, new_answer.signer_office
    case.reference, case.reason = new_answer.reference, new_answer.reason
    if new_answer.letter is not None:
        case.letter_name, case.letter = new_answer.letter
    case.decided_at = timezone.now()


def propose(case: Approval) -> None:
    """Save an answered approval that waits for its second person."""
    case.state = State.PROPOSED
    case.full_clean()
    case.save()
    notify("approval", case.pk)


@transaction.atomic
def confirm(case: Approval) -> None:
    """Confirm an answer as second approver, so that it takes effect.

    Raise ValidationError if the acting user entered the answer or must not answer, or if the list is out of date.
    """
    case = lock_in_state(case, State.PROPOSED)
    _check_up_to_date(case)
    user = acting_user()
    check_not_own(case, user)
    check_no_open_question(case)
    if user == case.decided_by:
        raise ValidationError(_("You entered this answer. Another approver must confirm it."))
    if case.answered_link is not None and user is not None:
        check_not_behind_link(case, case.answered_link, user)
    case.confirmed_by, case.confirmed_at = user, timezone.now()
    add_step(case, What.CONFIRMED)
    _settle(case)


@transaction.atomic
def reopen(case: Approval, reason: str = "") -> None:
    """Take back an unconfirmed answer, or reopen a settled approval and delete its decision.

    Both need a reason. The answer is saved as a step. The acting user must be one who may answer the approval.
    """
    case = lock_in_state(case, State.PROPOSED, State.APPROVED, State.DECLINED)
    check_not_own(case, acting_user())
    reason, counted_from = reason.strip(), None
    if not reason:
        raise ValidationError({"reason": _("Enter the reason for reopening the approval.")})
    if case.state != State.PROPOSED:
        _check_reopens(case)
        counted_from = case.decision.date if case.decision and case.granted else None
        if case.decision is not None:
            delete_adjustment(case.decision, case=case)
            if case.granted:
                queue_grade_messages(case.list, [case.decision], withdrawn=True)
    notes = [reason, *summarize_answer(case)]
    what = What.TAKEN_BACK if case.state == State.PROPOSED else What.REOPENED
    add_step(case, what, *notes, counted_from=counted_from, letter=case.letter, letter_name=case.letter_name)
    case.state = State.SENT if case.sent_on else State.WAITING
    case.answer_by = find_answer_day(case.list)
    case.decision = case.answered_link = None
    case.granted = case.answered_on = case.effective = case.letter = None
    case.decided_by = case.decided_at = case.confirmed_by = case.confirmed_at = None
    case.letter_name = case.signed_by = case.signer_office = case.reference = case.reason = ""
    case.save()
    notify("approval", case.pk)


def _check_reopens(case: Approval) -> None:
    """Raise ValidationError if a settled approval cannot be reopened now."""
    if case.player.merged_into_id is not None:
        raise ValidationError(_("This player was merged with another player: undo the merge first."))
    others = Approval.objects.filter(list=case.list_id, player=case.player_id).exclude(pk=case.pk)
    if others.filter(grade=case.grade, state__in=Approval.OPEN).exists():
        raise ValidationError(_("Another approval of this grade is open: answer that one."))
    order = case.list.rating_system.grading.grades
    higher = order[order.index(case.grade) + 1 :] if case.grade in order else ()
    if other := others.filter(grade__in=higher, state=State.APPROVED).first():
        raise ValidationError(_("%(grade)s was approved as well: reopen that first.") % {"grade": other.grade})


def _check_up_to_date(case: Approval) -> None:
    """Raise ValidationError while the list is out of date, since a rating run can remove the waiting grade."""
    if case.list.out_of_date_from is not None:
        raise ValidationError(_("The list is being rated again. Try again in a moment."))


def find_answer_problems(case: Approval, values: Mapping[str, Any]) -> list[str]:
    """Return all problems of an answer, given as values of the fields of Answer by their names.

    Values that could not be read are missing; what depends on them is not checked.
    """
    problems = []
    granted = values.get("granted")
    if granted and not all(str(values.get(name, "unread") or "").strip() for name in ("effective", "signed_by")):
        problems.append(_("Enter the day from which the grade counts, and who signed."))
    if granted is False and not values.get("reason", "unread").strip():
        problems.append(_("Enter the reason for declining."))
    counted = values.get("effective") if granted else None  # a declined grade counts from no day
    days = [day for day in (values.get("on"), counted) if day is not None]
    if days and max(days) > find_today(case.list.federation.time_zone):
        problems.append(_("The day cannot be in the future."))
    if days and min(days) < case.earned_on:
        problems.append(_("This day is before the day on which the grade was earned."))
    return problems


def _settle(case: Approval) -> None:
    """Close an answered approval and save its decision, if it needs one."""
    if case.granted or not case.is_requested or _is_waiting(case):
        case.decision = _build_decision(case)
        save_adjustment(case.decision, case=case)
        if case.granted:
            queue_grade_messages(case.list, [case.decision])
    case.state = State.APPROVED if case.granted else State.DECLINED
    case.full_clean()
    case.save()
    notify("approval", case.pk)


def _is_waiting(case: Approval) -> bool:
    """Return True if the grade of an approval was earned by results and waits on the list."""
    return case.list.standings.filter(player=case.player_id, waiting=case.grade).exists()


def _build_decision(case: Approval) -> Decision:
    """Return the unsaved decision of an answer, dated after the day of the table that earned the grade.

    A grade held elsewhere gets the ruling "given", since it doesn't depend on results that a correction could change.
    """
    earliest = case.earned_on if case.is_requested else case.earned_on + dt.timedelta(days=1)
    day = max(earliest, (case.effective if case.granted else case.answered_on) or earliest)
    granted = Ruling.GIVEN if case.is_requested else Ruling.APPROVED
    reason = ", ".join(filter(None, [case.signed_by, case.reference, case.reason])) or str(case.answered_on)
    return Decision(
        list=case.list,
        player=case.player,
        grade=case.grade,
        date=day,
        ruling=granted if case.granted else Ruling.DECLINED,
        reason=reason[:300],
        source=case.evidence[:200],
        made_by=acting_user(),
    )
