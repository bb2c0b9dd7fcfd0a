"""Mails about approvals of grades: to approvers when they have to act, and to all people concerned at the end."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.domain.site.mails import get_officers, queue_mail, users_with_permission
from ratings.domain.site.outbox import register_composer
from ratings.models import Approval, ApprovalStep
from ratings.queries.grades.awards import overdue_approvals

State = Approval.State
ANSWERED = (State.APPROVED, State.DECLINED)


def find_approvers(case: Approval) -> list[User]:
    """Return the users who may answer an approval."""
    return [user for user in users_with_permission("approve_grade") if may(user, Action.APPROVE, case)]


@register_composer("approval")
def send_approval(approval_id: int) -> None:
    """Send a mail about the state of an approval to the people concerned.

    Approvers are informed of every state, except of their own answer while it waits for confirmation. If the approval
    is answered, withdrawn or reopened, so are the officers of the list and the users who requested, answered and
    confirmed it. If it is answered or reopened, so is the player.
    """
    related = ("list", "player__account", "table__event", "decided_by", "confirmed_by", "requested_by")
    case = Approval.objects.select_related(*related).defer("letter").filter(pk=approval_id).first()
    if case is None:
        return
    step = case.steps.select_related("by").last()
    reopened = step is not None and step.what == ApprovalStep.What.REOPENED
    people = [user for user in find_approvers(case) if user != case.decided_by or case.state in ANSWERED]
    if reopened or case.state in (*ANSWERED, State.WITHDRAWN):
        people += [user for user in (case.decided_by, case.confirmed_by, case.requested_by) if user is not None]
        people += [user for user in get_officers() if may(user, Action.KEEP_LIST, case)]
    if reopened:
        past = case.steps.filter(what__in=[ApprovalStep.What.ANSWERED, ApprovalStep.What.CONFIRMED], by__isnull=False)
        people += [earlier.by for earlier in past.select_related("by") if earlier.by is not None]
    if (reopened or case.state in ANSWERED) and case.player.account:
        people.append(case.player.account)
    subject = _("%(what)s: reopened, %(state)s") if reopened else _("%(what)s: %(state)s")
    _send_mail(
        case, [user for user in people if user.is_active], subject, step.note if reopened and step else case.reason
    )


def remind_approvers() -> int:
    """Remind approvers of overdue approvals, and return the number of approvals."""
    cases = overdue_approvals(timezone.now())
    for case in cases:
        _send_mail(case, find_approvers(case), _("%(what)s still waits: %(state)s"), case.reason)
        case.reminded_at = timezone.now()
        case.save(update_fields=["reminded_at"])
    return len(cases)


def _send_mail(case: Approval, people: list[User], subject: str, reason: str) -> None:
    what = f"{case.player.name} {case.grade}"
    title = subject % {"what": what, "state": case.get_state_display()}
    since = _("held elsewhere since %(day)s") if case.is_requested else _("earned on %(day)s")
    lines = [f"{since % {'day': case.earned_on}} – {case.list}"]
    if case.state == State.APPROVED:
        lines.append(_("counts from %(day)s") % {"day": case.effective})
    for user in {user.pk: user for user in people}.values():
        own = user == case.player.account
        page = case.player.get_absolute_url() if own else case.get_absolute_url()
        queue_mail([user.email], title, title, *lines, reason, path=page, federation=case.list.federation)
