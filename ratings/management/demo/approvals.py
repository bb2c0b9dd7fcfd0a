"""Answers to approvals of grades that were earned long ago, as an approver entered them then."""

from __future__ import annotations

import datetime as dt

from django.contrib.auth.models import User

from ratings.domain.grades.approval_opening import update_approvals
from ratings.domain.grades.approvals import Answer, answer
from ratings.domain.grades.parcels import send
from ratings.domain.runs.rerating import rerate
from ratings.domain.site.acting import act_as
from ratings.models import Approval, Decision, RatingList

from .times import backdate

RECENT = dt.timedelta(weeks=8)
"""Approvals of grades earned since then still wait."""
AFTER = dt.timedelta(days=45)
"""Time from the event to the answer."""
DECLINED = 3
"""Every third grade is declined, beginning with the second one."""
SIGNED_BY, OFFICE = "Kitagawa Haruo", "Secretary"
SIGNERS = {
    "approving_person": SIGNED_BY,
    "approving_office": OFFICE,
    "approving_mail": "grades@renmei.example",
    "signer": "Karin Nilsson",
    "signer_office": "Rating officer",
}
"""Who answers for the approving body of a list with such grades, and who signs its certificates."""
REASON = "Fewer than six of the games were played over the board"


def answer_old_approvals(approver: User, today: dt.date) -> None:
    """Open the approvals of all waiting grades, and answer the old ones until no old one waits."""
    for rating_list in RatingList.objects.filter(comparison_to=None).order_by("pk"):
        if rating_list.rating_system.grading.grades_needing_approval:
            RatingList.objects.filter(pk=rating_list.pk).update(**SIGNERS)
        answered = 0
        while True:
            update_approvals(rating_list.pk)
            case = _find_old_case(rating_list, today)
            if case is None:
                break
            answered += 1
            _answer(case, approver, granted=answered % DECLINED != 2)
            rerate(rating_list.pk)
        for case in rating_list.approvals.filter(state__in=Approval.OPEN):
            _date_opening(case)


def _find_old_case(rating_list: RatingList, today: dt.date) -> Approval | None:
    old = rating_list.approvals.filter(state__in=Approval.OPEN, earned_on__lt=today - RECENT)
    return old.select_related("list", "player", "table__event").order_by("earned_on", "pk").first()


def _date_opening(case: Approval) -> None:
    backdate(Approval.objects.filter(pk=case.pk), case.earned_on + dt.timedelta(days=2), "opened_at")


def _answer(case: Approval, approver: User, *, granted: bool) -> None:
    """Enter the answer to an approval, dated some weeks after the event that earned the grade."""
    _date_opening(case)
    sent, day = case.earned_on + dt.timedelta(days=6), case.earned_on + AFTER
    reference = f"Letter {day:%Y}-{day.month:02}"
    with act_as(approver):
        send(case, on=sent, reference=f"Letter of {sent}")
        if granted:
            entered = Answer(
                True, day, effective=case.earned_on, signed_by=SIGNED_BY, signer_office=OFFICE, reference=reference
            )
        else:
            entered = Answer(False, day, signed_by=SIGNED_BY, signer_office=OFFICE, reference=reference, reason=REASON)
        answer(case, entered)
    steps = list(case.steps.order_by("pk"))
    for step, of_step in zip(steps, (sent, day), strict=True):
        backdate(case.steps.filter(pk=step.pk), of_step, "at")
    backdate(Approval.objects.filter(pk=case.pk), day, "decided_at")
    backdate(Decision.objects.filter(approval=case), day, "made_at")
