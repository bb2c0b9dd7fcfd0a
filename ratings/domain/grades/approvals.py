"""Grades that wait for approval: opened by what a run found, sent, answered, confirmed; never one's own."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.models import Approval, Award, Claim, Decision, EventStep, RatingList, Table

from .acting import acting_user
from .outside import lay_down
from .wake import wake

State = Approval.State


def follow_all() -> None:
    """The same for every list on which a grade waits or a case is open."""
    waiting = RatingList.objects.filter(standings__waiting__gt="").values("pk")
    open_ = RatingList.objects.filter(approvals__state__in=Approval.OPEN).values("pk")
    for pk in RatingList.objects.filter(Q(pk__in=waiting) | Q(pk__in=open_)).values_list("pk", flat=True):
        follow_waiting(pk)


@transaction.atomic
def follow_waiting(list_id: int) -> None:
    """Open a case for every grade that waits on a list, and close those whose grade waits no more."""
    rating_list = RatingList.objects.select_for_update().get(pk=list_id)
    if rating_list.out_of_date_from is not None or not rating_list.graded:
        return
    waiting = dict(rating_list.standings.exclude(waiting="").values_list("player", "waiting"))
    for case in rating_list.approvals.filter(state__in=Approval.OPEN):
        if waiting.get(case.player_id) == case.grade:
            del waiting[case.player_id]
            _follow(case)
        else:
            case.state = State.FALLEN
            case.save(update_fields=["state"])
            wake("ratings.mail_approval", case.pk)
    for player, grade in waiting.items():
        award = _earned(rating_list, player, grade)
        if award is not None:
            case = Approval(list=rating_list, player_id=player, grade=grade, earned_on=award.day, table=award.table)
            case.save()
            wake("ratings.mail_approval", case.pk)


def _follow(case: Approval) -> None:
    """After a correction another table may be the one that earned it."""
    award = _earned(case.list, case.player_id, case.grade)
    if award is not None and (case.earned_on, case.table_id) != (award.day, award.table_id):
        case.earned_on, case.table = award.day, award.table
        case.save(update_fields=["earned_on", "table"])


def _earned(rating_list: RatingList, player: int, grade: str) -> Award | None:
    awards = rating_list.awards.filter(player=player, grade=grade, needs_approval=True)
    return awards.select_related("table").order_by("-day", "-place").first()


@transaction.atomic
def send(case: Approval, *, on: dt.date, reference: str) -> None:
    """Note that the dossier was sent to whoever approves."""
    case = _held(case, State.WAITING, State.SENT)
    case.state, case.sent_on, case.sent_reference, case.sent_by = State.SENT, on, reference, acting_user()
    case.full_clean()
    case.save()


@dataclass(frozen=True)
class Answer:
    """What came back: approved from a day on, or declined with a reason; `letter` is a file's name and bytes."""

    granted: bool
    on: dt.date
    effective: dt.date | None = None
    signed_by: str = ""
    reference: str = ""
    reason: str = ""
    letter: tuple[str, bytes] | None = None


@transaction.atomic
def answer(case: Approval, given: Answer) -> None:
    """Enter the answer; it holds at once, or when a second approver confirms it where the list wants one.

    ValidationError: it is one's own, it is decided already, or something is missing.
    """
    case = _held(case, State.WAITING, State.SENT)
    _check_rated(case)
    check_not_own(case, acting_user())
    _check(case, given)
    case.granted, case.answered_on, case.effective = given.granted, given.on, given.effective
    case.signed_by, case.reference, case.reason = given.signed_by, given.reference, given.reason
    if given.letter is not None:
        case.letter_name, case.letter = given.letter
    case.decided_by, case.decided_at = acting_user(), timezone.now()
    if case.list.second_approver:
        case.state = State.PROPOSED
        case.full_clean()
        case.save()
        wake("ratings.mail_approval", case.pk)
    else:
        _settle(case)


@transaction.atomic
def confirm(case: Approval) -> None:
    """Let a second approver make the answer hold."""
    case = _held(case, State.PROPOSED)
    _check_rated(case)
    user = acting_user()
    check_not_own(case, user)
    if user == case.decided_by:
        raise ValidationError(_("You entered this answer; another approver confirms it."))
    case.confirmed_by, case.confirmed_at = user, timezone.now()
    _settle(case)


@transaction.atomic
def reopen(case: Approval) -> None:
    """Take back an answer that nobody has confirmed yet."""
    case = _held(case, State.PROPOSED)
    case.state = State.SENT if case.sent_on else State.WAITING
    check_not_own(case, acting_user())
    case.granted = case.answered_on = case.effective = case.decided_by = case.decided_at = case.letter = None
    case.letter_name = case.signed_by = case.reference = case.reason = ""
    case.save()


def _check_rated(case: Approval) -> None:
    """ValidationError while a run may still take away what waits."""
    if case.list.out_of_date_from is not None:
        raise ValidationError(_("The list is being rated again; look once more in a moment."))


def check_not_own(case: Approval, user: User | None) -> None:
    """ValidationError for the player himself, and for who made the event or entered its results."""
    if user is None:
        raise ValidationError(_("Somebody has to sign for it."))
    claimed = Claim.objects.filter(player=case.player_id, user=user, state=Claim.State.GRANTED)
    if case.player.account_id == user.pk or claimed.exists():
        raise ValidationError(_("Nobody approves his own grade."))
    if case.table is not None and _entered(case.table, user):
        raise ValidationError(_("You entered the results that earned this grade; another approver answers it."))


def _entered(table: Table, user: User) -> bool:
    """Whether the results of a table came from somebody: his event, his sheet or file, or submitted by him."""
    by_him = Q(made_by=user) | Q(uploads__by=user)
    handed_in = table.event.steps.filter(by=user, what__in=[EventStep.What.SUBMITTED, EventStep.What.PROPOSED])
    return table.event.created_by_id == user.pk or table.sheets.filter(by_him).exists() or handed_in.exists()


def _check(case: Approval, given: Answer) -> None:
    if given.granted and not (given.effective and given.signed_by.strip()):
        raise ValidationError(_("Say from which day on it counts, and who signed."))
    if given.effective and given.effective < case.earned_on:
        raise ValidationError({"effective": _("This is before the day on which it was earned.")})
    if not given.granted and not given.reason.strip():
        raise ValidationError({"reason": _("Say why it was declined.")})
    today = timezone.now().date()
    if max(given.on, given.effective or given.on) > today:
        raise ValidationError(_("A day that is still to come cannot be entered."))
    if given.on < case.earned_on:
        raise ValidationError({"on": _("This is before the day on which it was earned.")})


def _settle(case: Approval) -> None:
    """Lay down the decision. It stands at the start of a day, so never on the day of the table that earned it."""
    earliest = case.earned_on + dt.timedelta(days=1)
    day = max(earliest, (case.effective if case.granted else case.answered_on) or earliest)
    told = ", ".join(filter(None, [case.signed_by, case.reference, case.reason])) or str(case.answered_on)
    decision = Decision(
        list=case.list,
        player=case.player,
        grade=case.grade,
        date=day,
        ruling="approved" if case.granted else "declined",
        reason=told[:300],
        made_by=acting_user(),
    )
    lay_down(decision)
    case.decision, case.state = decision, State.APPROVED if case.granted else State.DECLINED
    case.full_clean()
    case.save()
    wake("ratings.mail_approval", case.pk)


def _held(case: Approval, *states: str) -> Approval:
    RatingList.objects.select_for_update().get(pk=case.list_id)  # in the order of `follow_waiting`
    several = Approval.objects.select_for_update(of=("self",)).select_related("list", "player", "table__event")
    held: Approval = several.get(pk=case.pk)
    if held.state not in states:
        raise ValidationError(_("This has been settled meanwhile: %(state)s.") % {"state": held.get_state_display()})
    return held
