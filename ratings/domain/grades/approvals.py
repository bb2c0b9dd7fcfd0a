"""Steps of approvals of grades: open or request, withdraw, send, answer, confirm and reopen.

Users cannot approve their own grades, or grades earned by results that they entered.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.lists.adjustments import delete_adjustment, save_adjustment
from ratings.domain.site.acting import acting_user
from ratings.domain.site.outbox import notify
from ratings.models import AnswerLink, Approval, ApprovalStep, Award, Decision, EventStep, Player, RatingList, Table
from ratings.systems.values import Ruling

from .answer_links import revoke_links
from .approval_steps import add_step, summarize_answer
from .grade_approval import has_prepared, is_own, needs_approval

State, What = Approval.State, ApprovalStep.What


def update_all_approvals() -> None:
    """Open and close approvals on every list with a waiting grade or an open approval."""
    waiting = RatingList.objects.filter(standings__waiting__gt="").values("pk")
    open_ = RatingList.objects.filter(approvals__state__in=Approval.OPEN).values("pk")
    for pk in RatingList.objects.filter(Q(pk__in=waiting) | Q(pk__in=open_)).values_list("pk", flat=True):
        update_approvals(pk)


@transaction.atomic
def update_approvals(list_id: int) -> None:
    """Open an approval for every grade that waits on a list, and close those whose grade no longer waits.

    Requested approvals stay open, since their grades were not earned by results. Nothing is done while the list is out
    of date.
    """
    rating_list = RatingList.objects.select_for_update().get(pk=list_id)
    if rating_list.out_of_date_from is not None or not rating_list.has_grades:
        return
    waiting = dict(rating_list.standings.exclude(waiting="").values_list("player", "waiting"))
    for case in rating_list.approvals.filter(state__in=Approval.OPEN):
        if waiting.get(case.player_id) == case.grade:
            del waiting[case.player_id]
            if not case.is_requested:
                _update_earning_table(case)
        elif not case.is_requested:
            case.state = State.FALLEN
            case.save(update_fields=["state"])
            notify("approval", case.pk)
    for player, grade in waiting.items():
        award = _find_award(rating_list, player, grade)
        if award is not None:
            case = Approval(list=rating_list, player_id=player, grade=grade, earned_on=award.day, table=award.table)
            case.save()
            notify("approval", case.pk)


def _update_earning_table(case: Approval) -> None:
    """Update the day and table of an approval, since a correction can change which table earned the grade."""
    award = _find_award(case.list, case.player_id, case.grade)
    if award is not None and (case.earned_on, case.table_id) != (award.day, award.table_id):
        case.earned_on, case.table = award.day, award.table
        case.save(update_fields=["earned_on", "table"])


def _find_award(rating_list: RatingList, player: int, grade: str) -> Award | None:
    awards = rating_list.awards.filter(player=player, grade=grade, needs_approval=True)
    return awards.select_related("table").order_by("-day", "-place").first()


@transaction.atomic
def request_approval(
    rating_list: RatingList, player: Player, grade: str, *, held_since: dt.date, evidence: str
) -> Approval:
    """Open an approval of a grade that a player holds elsewhere; it has the same steps as for an earned grade.

    Raise ValidationError if the grade needs no approval, if the player holds it already, if the evidence is missing, if
    `held_since` is in the future, if an approval of the grade is open, if the player was merged, or without an acting
    user.
    """
    player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    rating_list = RatingList.objects.select_for_update().get(pk=rating_list.pk)
    user = acting_user()
    if user is None:
        raise ValidationError(_("Enter who signed."))
    if not needs_approval(rating_list, grade):
        raise ValidationError({"grade": _("This grade needs no approval.")})
    if player.merged_into_id is not None:
        raise ValidationError({"player": _("This player was merged with another player: choose that player.")})
    if not evidence.strip():
        raise ValidationError({"evidence": _("Enter the evidence that the player holds the grade.")})
    if held_since > timezone.now().date():
        raise ValidationError({"held_since": _("The day cannot be in the future.")})
    _check_higher(rating_list, player, grade)
    if rating_list.approvals.filter(player=player, grade=grade, state__in=Approval.OPEN).exists():
        raise ValidationError({"grade": _("An approval of this grade is open already.")})
    case = Approval(
        list=rating_list, player=player, grade=grade, earned_on=held_since, evidence=evidence.strip(), requested_by=user
    )
    case.full_clean()
    case.save()
    add_step(case, What.REQUESTED, evidence.strip())
    notify("approval", case.pk)
    return case


def _check_higher(rating_list: RatingList, player: Player, grade: str) -> None:
    """Raise ValidationError if the player holds the grade, or a higher one, already."""
    order = list(rating_list.rating_system.grading.grades)
    held = rating_list.standings.filter(player=player).values_list("grade", flat=True).first()
    if held and order.index(held) >= order.index(grade):
        raise ValidationError({"grade": _("The player holds %(grade)s already.") % {"grade": held}})


@transaction.atomic
def withdraw(case: Approval, reason: str) -> None:
    """Withdraw the request for an approval that is not answered yet; `reason` is required."""
    case = _lock_in_state(case, State.WAITING, State.SENT)
    if not case.is_requested:
        raise ValidationError(_("Results earned this grade; it waits until it is answered."))
    if not reason.strip():
        raise ValidationError({"reason": _("Enter the reason for withdrawing the request.")})
    case.state = State.WITHDRAWN
    case.save(update_fields=["state"])
    add_step(case, What.WITHDRAWN, reason.strip())
    notify("approval", case.pk)


@transaction.atomic
def send(case: Approval, *, on: dt.date, reference: str) -> None:
    """Record that the dossier was sent to the approving body, with the day and a reference."""
    case = _lock_in_state(case, State.WAITING, State.SENT)
    case.state, case.sent_on, case.sent_reference, case.sent_by = State.SENT, on, reference, acting_user()
    case.full_clean()
    case.save()
    add_step(case, What.SENT, f"{on} {reference}".strip())


@transaction.atomic
def undo_sending(case: Approval) -> None:
    """Record that the dossier was not sent; the step of sending stays in the approval's steps."""
    case = _lock_in_state(case, State.SENT)
    case.state, case.sent_on, case.sent_reference, case.sent_by = State.WAITING, None, "", None
    revoke_links(case)
    case.full_clean()
    case.save()
    add_step(case, What.NOT_SENT)


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
    enter_answer(case, new_answer)
    case.decided_by = acting_user()
    revoke_links(case)
    add_step(case, What.ANSWERED, summarize_answer(case))
    if case.list.second_approver:
        propose(case)
    else:
        _settle(case)


def lock_to_answer(case: Approval) -> Approval:
    """Return a locked approval that can be answered now; raise ValidationError if it cannot."""
    case = _lock_in_state(case, State.WAITING, State.SENT)
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
    case = _lock_in_state(case, State.PROPOSED)
    _check_up_to_date(case)
    user = acting_user()
    check_not_own(case, user)
    if user == case.decided_by:
        raise ValidationError(_("You entered this answer. Another approver must confirm it."))
    if case.answered_link is not None and user is not None:
        _check_not_behind_link(case, case.answered_link, user)
    case.confirmed_by, case.confirmed_at = user, timezone.now()
    add_step(case, What.CONFIRMED)
    _settle(case)


def _check_not_behind_link(case: Approval, link: AnswerLink, user: User) -> None:
    """Raise ValidationError if a user may be the person who answered by a link: it counts as another person."""
    addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)}
    if link.mail.casefold() in {address.casefold() for address in addresses}:
        raise ValidationError(_("You answered this approval by link. Another approver must confirm it."))
    if case.list.second_approver and link.made_by_id == user.pk:
        raise ValidationError(
            _("You sent the link by which this was answered, and know its code. Another approver must confirm it.")
        )


@transaction.atomic
def reopen(case: Approval, reason: str = "") -> None:
    """Take back an unconfirmed answer, or reopen a settled approval and delete its decision.

    Both need a reason. The answer is saved as a step. The acting user must be one who may answer the approval.
    """
    case = _lock_in_state(case, State.PROPOSED, State.APPROVED, State.DECLINED)
    check_not_own(case, acting_user())
    reason, counted_from = reason.strip(), None
    if not reason:
        raise ValidationError({"reason": _("Enter the reason for reopening the approval.")})
    if case.state != State.PROPOSED:
        _check_reopens(case)
        counted_from = case.decision.date if case.decision and case.granted else None
        if case.decision is not None:
            delete_adjustment(case.decision, case=case)
    note = "; ".join(filter(None, [reason, summarize_answer(case)]))
    what = What.TAKEN_BACK if case.state == State.PROPOSED else What.REOPENED
    add_step(case, what, note, counted_from=counted_from, letter=case.letter, letter_name=case.letter_name)
    case.state = State.SENT if case.sent_on else State.WAITING
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


def check_not_own(case: Approval, user: User | None) -> None:
    """Raise ValidationError if the user is the player, or entered or prepared the basis of the approval."""
    if user is None:
        raise ValidationError(_("Enter who signed."))
    if is_own(case.player, user):
        raise ValidationError(_("You cannot approve your own grade."))
    if case.table is not None and _has_entered(case.table, user):
        raise ValidationError(_("You entered the results that earned this grade. Another approver must answer."))
    if has_prepared(case, user):
        raise ValidationError(
            _("You requested this approval or entered the records behind it. Another approver must answer.")
        )


def _has_entered(table: Table, user: User) -> bool:
    """Return True if a user created the event, a submission or a file of a table, or submitted its results."""
    by_user = Q(made_by=user) | Q(uploads__by=user)
    has_submitted = table.event.steps.filter(by=user, what__in=[EventStep.What.SUBMITTED, EventStep.What.PROPOSED])
    return table.event.created_by_id == user.pk or table.submissions.filter(by_user).exists() or has_submitted.exists()


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
    if days and max(days) > timezone.now().date():
        problems.append(_("The day cannot be in the future."))
    if days and min(days) < case.earned_on:
        problems.append(_("This day is before the day on which the grade was earned."))
    return problems


def _settle(case: Approval) -> None:
    """Close an answered approval and save its decision, if it needs one."""
    if case.granted or not case.is_requested or _is_waiting(case):
        case.decision = _build_decision(case)
        save_adjustment(case.decision, case=case)
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


def get_form_version(case: Approval) -> str:
    """Return the version that an approval's page sends with its forms, which changes with every step."""
    return f"{case.state}.{case.steps.count()}"


def check_unchanged(case: Approval, version: str) -> None:
    """Lock an approval and compare it with the version on the page from which a form was sent.

    An empty version is not compared, since API clients send none. Raise ValidationError if there was a step since.
    """
    if version and version != get_form_version(_lock(case)):
        raise ValidationError(
            _("Nothing was done: this approval has been changed since you opened the page. It is shown as it is now.")
        )


def _lock_in_state(case: Approval, *states: str) -> Approval:
    """Return a locked approval; raise ValidationError unless it is in one of the states."""
    stored = _lock(case)
    if stored.state not in states or stored.player_id != case.player_id:
        raise ValidationError(_("This has been settled meanwhile: %(state)s.") % {"state": stored.get_state_display()})
    return stored


def _lock(case: Approval) -> Approval:
    """Return the stored approval, locked in the same order as merging does: player, list, approval."""
    list(Player.objects.select_for_update(no_key=True).filter(pk=case.player_id))
    RatingList.objects.select_for_update().get(pk=case.list_id)
    approvals = Approval.objects.select_for_update(of=("self",)).select_related(
        "list", "player", "table__event", "decision", "answered_link"
    )
    stored: Approval = approvals.get(pk=case.pk)
    return stored
