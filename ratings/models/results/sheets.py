"""Results on their way: sheets that people edit, the files they came from, and what happened to their event."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from .events import Event
from .lists import RatingList
from .people import Player
from .tables import Table


def empty_sheet() -> dict[str, Any]:
    return {}


class Sheet(models.Model):
    """One table's results as somebody entered them. Accepted sheets are the versions of their table, all kept."""

    class State(models.TextChoices):
        WORKING = "working", _("being entered")
        SUBMITTED = "submitted", _("submitted")
        RETURNED = "returned", _("returned")
        ACCEPTED = "accepted", _("accepted")

    event = models.ForeignKey(Event, models.CASCADE, related_name="sheets", verbose_name=_("event"))
    table = models.ForeignKey(
        Table, models.SET_NULL, null=True, blank=True, related_name="sheets", verbose_name=_("table"),
        help_text=_("What it became, or what it corrects."),
    )  # fmt: skip
    name = models.CharField(_("name"), max_length=100, blank=True, help_text=_("Needed where an event has several."))
    first_day = models.DateField(_("first day"))
    last_day = models.DateField(_("last day"))
    content = models.JSONField(_("results"), default=empty_sheet)
    warnings = models.JSONField(
        default=list, editable=False, help_text=_("What was submitted with a word: [row, round, message, word].")
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WORKING)
    reason = models.CharField(_("reason for the correction"), max_length=300, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("entered by")
    )
    made_at = models.DateTimeField(_("begun"), auto_now_add=True)
    changed_at = models.DateTimeField(_("changed"), auto_now=True)
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
        verbose_name = _("results sheet")
        verbose_name_plural = _("results sheets")
        ordering = ["last_day", "name", "pk"]
        constraints = [
            models.CheckConstraint(
                condition=Q(last_day__gte=models.F("first_day")),
                name="sheet_ends_after_its_start",
                violation_error_message=_("The last day is before the first day."),
            ),
            models.UniqueConstraint(
                fields=["table"], condition=~Q(state="accepted"), name="one_open_correction_per_table"
            ),
        ]
        indexes = [models.Index(fields=["state"])]

    def __str__(self) -> str:
        return f"{self.event} – {self.name}" if self.name else str(self.event)

    def get_absolute_url(self) -> str:
        return reverse("sheet", args=[self.pk])

    @property
    def is_open(self) -> bool:
        """It can be edited."""
        return self.state in (self.State.WORKING, self.State.RETURNED)


class Upload(models.Model):
    """The bytes that somebody gave, kept for ever beside the sheet or the list's opening that was made of them.

    A rating list that was only checked waits for a day.
    """

    RATING_LIST, WAITING = "rating list", "list, not stored"

    sheet = models.ForeignKey(Sheet, models.SET_NULL, null=True, related_name="uploads", verbose_name=_("sheet"))
    event = models.ForeignKey(Event, models.SET_NULL, null=True, related_name="uploads", verbose_name=_("event"))
    list = models.ForeignKey(
        RatingList, models.SET_NULL, null=True, blank=True, related_name="uploads", verbose_name=_("list")
    )
    name = models.CharField(_("file name"), max_length=200)
    form = models.CharField(_("format"), max_length=20)
    data = models.BinaryField()
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
    """What happened to an event on its way, by whom, and what was said."""

    class What(models.TextChoices):
        ANNOUNCED = "announced", _("announced")
        SUBMITTED = "submitted", _("submitted")
        RETURNED = "returned", _("returned")
        ACCEPTED = "accepted", _("accepted")
        PROPOSED = "proposed", _("correction proposed")
        CORRECTED = "corrected", _("corrected")
        REMAPPED = "remapped", _("a player was another")

    event = models.ForeignKey(Event, models.CASCADE, related_name="steps", verbose_name=_("event"))
    what = models.CharField(_("what"), max_length=10, choices=What)
    note = models.TextField(_("note"), blank=True)
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
    """Whom an organiser has once said that a written name means; offered to him again, and to nobody else."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="spellings")
    written = models.CharField(max_length=320)
    player = models.ForeignKey(Player, models.CASCADE, related_name="spellings")

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "written"], name="one_meaning_per_spelling_and_user")]

    def __str__(self) -> str:
        return self.written
