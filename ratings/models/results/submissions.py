"""Submissions of results: submissions that users edit, uploaded files, and the steps of events."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ratings.models.events.events import Event
from ratings.models.events.tables import Table
from ratings.models.lists.lists import RatingList
from ratings.models.message_fields import MessageField
from ratings.models.players.people import Player
from ratings.systems.messages import message_from_json


class Submission(models.Model):
    """The results of one table as entered; all accepted submissions are stored as the versions of their table.

    `report` holds the figures of the last check, made for `checked_version`; see `domain/results/draft_reports.py`.
    """

    class State(models.TextChoices):
        WORKING = "working", _("being entered")
        SUBMITTED = "submitted", _("submitted")
        RETURNED = "returned", _("returned")
        ACCEPTED = "accepted", _("accepted")
        DELETED = "deleted", _("deleted")

    OPEN = (State.WORKING, State.RETURNED)
    """States in which the results can be edited."""
    IN_PROGRESS = (*OPEN, State.SUBMITTED)

    event = models.ForeignKey(Event, models.CASCADE, related_name="submissions", verbose_name=_("event"))
    table = models.ForeignKey(
        Table,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="submissions",
        verbose_name=_("table"),
        help_text=_("The table that these results became, or that they correct."),
    )
    name = models.CharField(_("name"), max_length=100, blank=True, help_text=_("Needed where an event has several."))
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    content = models.JSONField(_("results"), default=dict)
    warnings = models.JSONField(
        default=list, editable=False, help_text=_("Confirmed warnings: [row, round, message, reason].")
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WORKING)
    reason = MessageField(_("reason for the correction"), max_length=300, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("entered by")
    )
    made_at = models.DateTimeField(_("created"), auto_now_add=True)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)
    changed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("changed by")
    )
    version = models.PositiveIntegerField(default=0, editable=False, help_text=_("Number of times it was saved."))
    report = models.JSONField(null=True, editable=False)
    checked_version = models.IntegerField(null=True, editable=False)
    deleted_at = models.DateTimeField(_("deleted"), null=True, blank=True, editable=False)
    deleted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("deleted by")
    )
    replaced_by = models.ForeignKey(
        "self", models.SET_NULL, null=True, blank=True, related_name="replaced", verbose_name=_("replaced by")
    )
    accepted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("accepted by"),
    )
    accepted_at = models.DateTimeField(_("accepted"), null=True, blank=True)

    class Meta:
        db_table = "ratings_sheet"  # the name of the model in the first edition, whose code works until an upgrade ends
        verbose_name = _("submission")
        verbose_name_plural = _("submissions")
        ordering = ["last_day", "name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(last_day__gte=models.F("first_day")),
                name="sheet_ends_after_its_start",
                violation_error_message=_("The last day is before the first day."),
            ),
            models.UniqueConstraint(
                fields=["table"],
                condition=~Q(state__in=["accepted", "deleted"]),
                name="one_open_correction_per_table",
            ),
        ]
        indexes = [models.Index(fields=["state"])]

    def __str__(self) -> str:
        return f"{self.event} – {self.name}" if self.name else str(self.event)

    def get_absolute_url(self) -> str:
        return reverse("submission", args=[self.pk])

    @property
    def confirmed_warnings(self) -> list[tuple[int | None, int | None, str, str]]:
        """Return the warnings with which the results were submitted: row, round, message and the reason given."""
        return [(row, round_, message_from_json(message), reason) for row, round_, message, reason in self.warnings]

    @property
    def is_open(self) -> bool:
        """Return True if the submission can be edited."""
        return self.state in self.OPEN


class Upload(models.Model):
    """An uploaded file, stored permanently with the submission or the starting list that was created from it.

    A rating list that was only checked is stored for a day.
    """

    RATING_LIST, WAITING = "rating list", "list, not stored"

    submission = models.ForeignKey(
        Submission,
        models.SET_NULL,
        null=True,
        related_name="uploads",
        verbose_name=_("submission"),
        db_column="sheet_id",
    )
    event = models.ForeignKey(Event, models.SET_NULL, null=True, related_name="uploads", verbose_name=_("event"))
    list = models.ForeignKey(
        RatingList, models.SET_NULL, null=True, blank=True, related_name="uploads", verbose_name=_("list")
    )
    name = models.CharField(_("file name"), max_length=200)
    format = models.CharField(_("format"), max_length=20, db_column="form")
    data = models.BinaryField()
    reading = models.JSONField(
        null=True,
        blank=True,
        editable=False,
        help_text="Of a rating list: the columns and players that a person chose; see `domain/lists/file_reading.py`.",
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("upload")
        verbose_name_plural = _("uploads")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.name


class EventStep(models.Model):
    """A step in the history of an event: action, user, time and note."""

    class What(models.TextChoices):
        ANNOUNCED = "announced", _("announced")
        UNANNOUNCED = "unannounced", _("taken out of the calendar")
        READ = "read", _("results read from a file")
        HALL = "hall", _("results taken over from the hall")
        REPLACED = "replaced", _("draft replaced by a newer file")
        SUBMITTED = "submitted", _("submitted")
        EDITED = "edited", _("results changed by an officer")
        WITHDRAWN = "withdrawn", _("submission withdrawn")
        RETURNED = "returned", _("returned")
        RETURN_UNDONE = "return undone", _("return undone")
        ACCEPTED = "accepted", _("accepted")
        ACCEPTANCE_UNDONE = "acceptance undone", _("acceptance undone")
        PROPOSED = "proposed", _("correction proposed")
        CORRECTED = "corrected", _("corrected")
        REMAPPED = "remapped", _("results moved to another player")
        DRAFT_DELETED = "sheet deleted", _("draft results deleted")
        DRAFT_RESTORED = "sheet restored", _("draft results restored")
        TABLE_DELETED = "table deleted", _("table deleted")
        TABLE_RESTORED = "table restored", _("table restored")
        DELETED = "deleted", _("event deleted")
        RESTORED = "restored", _("event restored")
        VOIDED = "voided", _("event voided")
        UNVOIDED = "unvoided", _("event counts again")
        SHARED = "shared", _("shared")
        UNSHARED = "unshared", _("no longer shared")
        REMINDED = "reminded", _("organisers reminded of missing results")
        OFFICERS_REMINDED = "officers reminded", _("officers reminded of waiting results")

    event = models.ForeignKey(Event, models.CASCADE, related_name="steps", verbose_name=_("event"))
    what = models.CharField(_("what"), max_length=20, choices=What)
    note = MessageField(_("note"), blank=True)
    data = models.JSONField(default=dict, blank=True, editable=False, help_text=_("Data needed to undo the step."))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("step of an event")
        verbose_name_plural = _("steps of events")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.event}: {self.get_what_display()}"


class Spelling(models.Model):
    """The player that an organiser has chosen for a written name; suggested to this organiser only."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="spellings")
    written = models.CharField(max_length=320)
    player = models.ForeignKey(Player, models.CASCADE, related_name="spellings")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "written"], name="one_meaning_per_spelling_and_user")]

    def __str__(self) -> str:
        return self.written
