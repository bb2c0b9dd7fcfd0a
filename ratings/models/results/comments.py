"""Comments of officers on rows and cells of submissions."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .submissions import Submission


class SubmissionComment(models.Model):
    """A comment on a cell of a submission, or on a whole row if `round` is None.

    A withdrawn comment stays recorded; a settled one needs nothing more from the organisers.
    """

    submission = models.ForeignKey(Submission, models.CASCADE, related_name="comments", verbose_name=_("submission"))
    row = models.PositiveSmallIntegerField(_("row"))
    round = models.PositiveSmallIntegerField(_("round"), null=True, blank=True)
    text = models.TextField(_("text"), max_length=1000)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)
    withdrawn_at = models.DateTimeField(_("withdrawn"), null=True, blank=True)
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("settled by")
    )

    class Meta:
        verbose_name = _("comment on results")
        verbose_name_plural = _("comments on results")
        ordering = ["row", "round", "pk"]

    def __str__(self) -> str:
        return f"{self.submission}: {self.row}" if self.round is None else f"{self.submission}: {self.row}.{self.round}"

    @property
    def is_open(self) -> bool:
        """Return True unless the comment was withdrawn or settled."""
        return self.withdrawn_at is None and self.settled_at is None
