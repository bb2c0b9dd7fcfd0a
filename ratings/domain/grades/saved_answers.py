"""Answers that approvers save for later: only for themselves, as typed, and without any effect."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.site.acting import acting_user
from ratings.models import Approval, SavedAnswer


def save_answer(case: Approval, values: Mapping[str, str]) -> SavedAnswer:
    """Save what the acting user typed into the form of an answer, in place of what they saved before."""
    if not case.is_open:
        raise ValidationError(_("This has been settled meanwhile: %(state)s.") % {"state": case.get_state_display()})
    defaults = {"values": dict(values), "deleted_at": None}
    saved, _created = SavedAnswer.objects.update_or_create(case=case, user=acting_user(), defaults=defaults)
    return saved


def delete_saved_answer(case: Approval) -> None:
    """Delete what the acting user saved; `restore_saved_answer` brings it back."""
    _saved_answers(case).filter(deleted_at=None).update(deleted_at=timezone.now())


def restore_saved_answer(case: Approval) -> None:
    """Bring back what the acting user deleted last."""
    _saved_answers(case).update(deleted_at=None)


def forget_saved_answer(case: Approval) -> None:
    """Delete for good what the acting user saved, since they have answered or asked."""
    _saved_answers(case).delete()


def find_saved_answer(case: Approval, user: User | AnonymousUser) -> SavedAnswer | None:
    """Return what a user saved for an approval, also if they deleted it; None if there is nothing."""
    return SavedAnswer.objects.filter(case=case, user=user.pk).first()


def _saved_answers(case: Approval) -> QuerySet[SavedAnswer]:
    return SavedAnswer.objects.filter(case=case, user=acting_user())
