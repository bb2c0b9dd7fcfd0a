"""Mails about grades that wait for approval: to approvers when there is something to do, to the player at the end."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.models import Approval
from ratings.queries.awards import overdue

from .mails import holders, post

State = Approval.State


def approvers(case: Approval) -> list[User]:
    """Who may answer a case."""
    return [user for user in holders("approve_grade") if may(user, Action.APPROVE, case)]


def send_approval(approval_id: int) -> None:
    """Tell approvers of a grade that waits or is to be confirmed; of a settled one the player, too."""
    case = Approval.objects.select_related("list", "player__account", "table__event").filter(pk=approval_id).first()
    if case is None:
        return
    people = [user for user in approvers(case) if user != case.decided_by]
    if case.state in (State.APPROVED, State.DECLINED) and case.player.account:
        people.append(case.player.account)
    _mail(case, people, _("%(what)s: %(state)s"))


def remind() -> int:
    """Remind approvers of what has waited too long; the number of cases."""
    cases = overdue(timezone.now())
    for case in cases:
        _mail(case, approvers(case), _("%(what)s still waits: %(state)s"))
        case.reminded_at = timezone.now()
        case.save(update_fields=["reminded_at"])
    return len(cases)


def _mail(case: Approval, people: list[User], subject: str) -> None:
    what = f"{case.player.name} {case.grade}"
    title = subject % {"what": what, "state": case.get_state_display()}
    earned = _("earned on %(day)s") % {"day": case.earned_on}
    for user in {user.pk: user for user in people}.values():
        own = user == case.player.account
        page = case.player.get_absolute_url() if own else case.get_absolute_url()
        post([user.email], title, title, f"{earned} – {case.list}", case.reason, path=page)
