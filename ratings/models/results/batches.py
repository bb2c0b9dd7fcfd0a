"""Batches of dropped result files, from which drafts are made without choosing an event first."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ratings.models.events.events import Event
from ratings.models.lists.lists import RatingList
from ratings.models.results.submissions import Submission


class FileBatch(models.Model):
    """Files that a person dropped together; only this person sees the batch."""

    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="batches", verbose_name=_("made by")
    )
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True, editable=False)
    lists = models.ManyToManyField(
        RatingList,
        blank=True,
        related_name="+",
        verbose_name=_("lists of new events"),
        help_text=_("Events made from these files are rated on these lists."),
    )

    class Meta:
        verbose_name = _("batch of files")
        verbose_name_plural = _("batches of files")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.made_at:%Y-%m-%d %H:%M}"

    def get_absolute_url(self) -> str:
        return reverse("batch", args=[self.pk])


class BatchFile(models.Model):
    """One file of a batch: its bytes, what was read, and the draft that was made from it.

    `head` holds what the reader of the file answered because the file does not say it: name, first_day, last_day.
    `missing` names what must be answered before an event can be made. `report` holds the figures of the draft that
    the page of the batch shows, computed for `checked_version` of the draft. `preview` is the summary of what the draft
    would do to the ratings, with messages as codes; None until a worker has computed it for `preview_key`.
    """

    class State(models.TextChoices):
        WAITING = "waiting", _("not read yet")
        FAILED = "failed", _("cannot be read")
        ASKS = "asks", _("needs an answer")
        READ = "read", _("read")
        KNOWN = "known", _("already there")
        PEOPLE = "people", _("new players")
        UNDONE = "undone", _("undone")

    class Found(models.TextChoices):
        NEW = "new", _("new event")
        RECOGNISED = "recognised", _("recognised event")

    batch = models.ForeignKey(FileBatch, models.CASCADE, related_name="files", verbose_name=_("batch"))
    name = models.CharField(_("file name"), max_length=200)
    data = models.BinaryField()
    digest = models.CharField(max_length=64, editable=False)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    found = models.CharField(_("event"), max_length=10, choices=Found, blank=True)
    event = models.ForeignKey(Event, models.SET_NULL, null=True, blank=True, related_name="+")
    submission = models.ForeignKey(Submission, models.SET_NULL, null=True, blank=True, related_name="batch_files")
    problems = models.JSONField(default=list, editable=False, help_text=_("[level, line, message] of each problem."))
    head = models.JSONField(default=dict, editable=False)
    missing = models.JSONField(default=list, editable=False)
    report = models.JSONField(default=dict, editable=False)
    checked_version = models.IntegerField(null=True, editable=False)
    preview = models.JSONField(null=True, editable=False)
    preview_key = models.CharField(max_length=16, blank=True, default="", db_default="", editable=False)
    preview_requested_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("file of a batch")
        verbose_name_plural = _("files of batches")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["batch", "digest"], name="each_file_once_in_a_batch")]

    def __str__(self) -> str:
        return self.name
