"""Questions about approvals before they are answered, and answers that approvers save for later."""

from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings.models.grades.approvals import Approval
from ratings.models.grades.parcels import AnswerLink


class ApprovalQuestion(models.Model):
    """A question that an approver, or the person of an answer link, asks before the approval goes on.

    At most one question of an approval is open: neither answered nor withdrawn.
    """

    case = models.ForeignKey(Approval, models.CASCADE, related_name="questions", verbose_name=_("approval"))
    text = models.CharField(_("question"), max_length=1000)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("asked by")
    )
    link = models.ForeignKey(
        AnswerLink, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("asked by link")
    )
    person = models.CharField(_("person without an account"), max_length=100, blank=True)
    asked_at = models.DateTimeField(_("asked"), auto_now_add=True)
    reply = models.CharField(_("answer"), max_length=1000, blank=True)
    replied_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("answered by"),
    )
    replied_at = models.DateTimeField(_("answered"), null=True, blank=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)

    class Meta:
        verbose_name = _("question about an approval")
        verbose_name_plural = _("questions about approvals")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["case"],
                condition=Q(replied_at__isnull=True, withdrawn_at__isnull=True),
                name="one_open_question_per_approval",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.case}: {self.text[:40]}"

    @property
    def is_open(self) -> bool:
        """Return True while the question is neither answered nor withdrawn."""
        return self.replied_at is None and self.withdrawn_at is None

    @property
    def days(self) -> int:
        """The number of days until the question was answered or withdrawn, or until today."""
        return ((self.replied_at or self.withdrawn_at or timezone.now()) - self.asked_at) // dt.timedelta(days=1)


def no_values() -> dict[str, Any]:
    return {}


class SavedAnswer(models.Model):
    """The unfinished answer of one approver to an approval, as typed; nobody else sees it, and it decides nothing."""

    case = models.ForeignKey(Approval, models.CASCADE, related_name="saved_answers", verbose_name=_("approval"))
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("saved by"))
    values = models.JSONField(_("fields"), default=no_values)
    saved_at = models.DateTimeField(_("saved"), auto_now=True)
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True)

    class Meta:
        verbose_name = _("saved answer")
        verbose_name_plural = _("saved answers")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["case", "user"], name="one_saved_answer_per_approver")]

    def __str__(self) -> str:
        return f"{self.case}: {self.user}"
