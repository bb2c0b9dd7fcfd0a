from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ratings.models.message_fields import MessageField

from .lists import RatingList


class Study(models.Model):
    """Systems and options that officers compare on the history of a list, and the result when a worker has it.

    `definition` is the study of the format ratings-study/1, `result` the whole document. `runs_done` of `runs` are
    finished; `active_at` tells when a worker last worked on it.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        DONE = "done", _("finished")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    list = models.ForeignKey(RatingList, models.CASCADE, related_name="studies", verbose_name=_("list"))
    definition = models.JSONField(_("definition"))
    state = models.CharField(_("state"), max_length=9, choices=State.choices, default=State.WAITING)
    runs = models.PositiveIntegerField(_("runs"), default=0)
    runs_done = models.PositiveIntegerField(_("finished runs"), default=0)
    error = MessageField(_("error"), blank=True)
    result = models.JSONField(_("result"), null=True, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("made by"),
    )
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    active_at = models.DateTimeField(_("last active"), null=True, blank=True)
    finished_at = models.DateTimeField(_("finished"), null=True, blank=True)

    class Meta:
        verbose_name = _("study")
        verbose_name_plural = _("studies")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.list} {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("study", args=[self.list.slug, self.pk])

    @property
    def is_open(self) -> bool:
        """True while a worker works on the study or will begin to."""
        return self.state in (self.State.WAITING, self.State.RUNNING)
