"""Persons who must not answer an approval: the player, and those who entered or prepared what it is based on."""

from __future__ import annotations

from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db.models import Q
from django.utils.translation import gettext as _

from ratings.models import AnswerLink, Approval, EventStep, Table

from .grade_approval import has_prepared, is_own


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


def check_not_behind_link(case: Approval, link: AnswerLink, user: User) -> None:
    """Raise ValidationError if a user may be the person who answered by a link: it counts as another person."""
    addresses = {user.email, *EmailAddress.objects.filter(user=user).values_list("email", flat=True)}
    if link.mail.casefold() in {address.casefold() for address in addresses}:
        raise ValidationError(_("You answered this approval by link. Another approver must confirm it."))
    if case.list.second_approver and link.made_by_id == user.pk:
        raise ValidationError(
            _("You sent the link by which this was answered, and know its code. Another approver must confirm it.")
        )
