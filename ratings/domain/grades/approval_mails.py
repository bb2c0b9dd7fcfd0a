"""Mails about approvals of grades: to approvers when they have to act, and to all people concerned at the end."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.access import Action, may
from ratings.domain.site.mails import get_officers, queue_mail, users_with_permission
from ratings.domain.site.outbox import register_composer
from ratings.localize import format_day, format_days, join_clauses, join_parts
from ratings.models import Approval, ApprovalStep
from ratings.queries.grades.awards import overdue_approvals

from .questions import may_reply

State, What = Approval.State, ApprovalStep.What
REOPENED = (What.REOPENED, What.TAKEN_BACK)


def find_approvers(case: Approval) -> list[User]:
    """Return the users who may answer an approval."""
    return [user for user in users_with_permission("approve_grade") if may(user, Action.APPROVE, case)]


def find_recipients(case: Approval) -> list[User]:
    """Return the users who can answer questions about an approval: the officers of its list, and who sent the letter.

    Administrators, if there is nobody else.
    """
    people = [user for user in get_officers() if may(user, Action.KEEP_LIST, case)]
    people += [case.sent_by] if case.sent_by is not None else []
    able = [user for user in people if user.is_active and may_reply(user, case)]
    return able or list(User.objects.filter(is_superuser=True, is_active=True))


@register_composer("approval")
def send_approval(approval_id: int) -> None:
    """Send a mail about the state of an approval to the people concerned.

    Approvers are informed of every state, except of their own answer while it waits for confirmation. If the approval
    is answered, withdrawn or reopened, so are the officers of the list and the users who requested, answered and
    confirmed it. If it is answered or reopened, so is the player.
    """
    related = ("list__federation", "player__account", "table__event", "decided_by", "confirmed_by", "requested_by")
    case = Approval.objects.select_related(*related).defer("letter").filter(pk=approval_id).first()
    if case is None:
        return
    step = case.steps.select_related("by").last()
    reopened = step is not None and step.what in REOPENED
    people = [user for user in find_approvers(case) if user != case.decided_by or case.is_settled]
    if reopened or case.is_settled or case.state == State.WITHDRAWN:
        people += [user for user in (case.decided_by, case.confirmed_by, case.requested_by) if user is not None]
        people += [user for user in get_officers() if may(user, Action.KEEP_LIST, case)]
    if reopened:
        past = case.steps.filter(what__in=[What.ANSWERED, What.CONFIRMED], by__isnull=False)
        people += [earlier.by for earlier in past.select_related("by") if earlier.by is not None]
    was_settled = step is not None and step.what == What.REOPENED
    if (was_settled or case.is_settled) and case.player.account:
        people.append(case.player.account)
    subject = _("%(what)s: reopened, %(state)s") if reopened else _("%(what)s: %(state)s")
    _send_mail(
        case,
        [user for user in people if user.is_active],
        subject,
        join_clauses(step.note) if reopened and step else case.reason,
        reopened=reopened,
    )


def remind_approvers() -> int:
    """Remind approvers of overdue approvals, or officers of an open question; return the number of approvals."""
    cases = overdue_approvals(timezone.now())
    for case in cases:
        people = find_recipients(case) if case.open_question else find_approvers(case)
        _send_mail(case, people, _("%(what)s still waits: %(state)s"), case.reason)
        case.reminded_at = timezone.now()
        case.save(update_fields=["reminded_at"])
    return len(cases)


def _send_mail(case: Approval, people: list[User], subject: str, reason: str, *, reopened: bool = False) -> None:
    what = f"{case.player.name} {case.grade}"
    title = subject % {"what": what, "state": case.shown_state}
    facts, reasons = describe_case(case), _("Reason: %(reason)s") % {"reason": reason} if reason else ""
    for user in {user.pk: user for user in people}.values():
        own = user == case.player.account
        page = case.player.get_absolute_url() if own else case.get_absolute_url()
        next_step = describe_next_step(case, own=own, reopened=reopened)
        queue_mail([user.email], title, facts, reasons, next_step, path=page, federation=case.list.federation)


def describe_case(case: Approval, answer_by: dt.date | None = None) -> str:
    """Return lines with the player, the grade, the list, the event with its days, and the day to answer by.

    The event is the one that earned the grade; the day is `answer_by`, or the one of the approval.
    """
    country = str(case.player.country.name) if case.player.country else ""
    lines = [
        _("Player: %(player)s") % {"player": join_parts([case.player.name, country])},
        _("Grade: %(grade)s") % {"grade": case.grade},
        _("List: %(list)s") % {"list": join_parts([case.list, case.list.federation])},
    ]
    if event := case.event:
        days = format_days(event.start, event.end)
        lines.append(_("Event: %(event)s") % {"event": join_parts([event.name, days, event.place])})
    since = _("Held elsewhere since %(day)s") if case.is_requested else _("Earned on %(day)s")
    lines.append(since % {"day": format_day(case.earned_on)})
    if case.state == State.APPROVED:
        lines.append(_("Counts from %(day)s") % {"day": format_day(case.effective)})
    if case.is_open:
        lines.append(_("Answer by %(day)s") % {"day": format_day(answer_by or case.due_on)})
    return "\n".join(lines)


def describe_next_step(case: Approval, *, own: bool, reopened: bool) -> str:
    """Return what happens next with an approval, for the player (`own`) or for the people who work on it."""
    if own:
        return str(PLAYER_STEPS["reopened" if reopened else case.state])
    if case.is_open and case.open_question:
        return _("A question is open. Answer it on the approval’s page.")
    return str(NEXT_STEPS[case.state])


NEXT_STEPS: Mapping[str, object] = {
    State.WAITING: gettext_lazy("Send the letter with the dossier to the approving body from the approval’s page."),
    State.SENT: gettext_lazy("The approving body has the letter. Enter its answer on the approval’s page."),
    State.PROPOSED: gettext_lazy("Another approver checks the answer on the approval’s page, then confirms it."),
    State.APPROVED: gettext_lazy("The list is rated again within minutes; then the certificate can be printed."),
    State.DECLINED: gettext_lazy("The current grade remains. The approval can be reopened with a reason."),
    State.FALLEN: gettext_lazy("You need not do anything: no grade waits any more."),
    State.WITHDRAWN: gettext_lazy("You need not do anything. The grade can be requested again."),
}
PLAYER_STEPS: Mapping[str, object] = {
    State.APPROVED: gettext_lazy("Your page shows the grade within minutes, with a certificate to print."),
    State.DECLINED: gettext_lazy("Your current grade remains. Ask the federation if you have questions."),
    "reopened": gettext_lazy("The answer was taken back. You will receive an email when there is a new one."),
}
