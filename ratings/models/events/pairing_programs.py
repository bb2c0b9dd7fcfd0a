"""Pairing programs of an event: the secret by which one reads the roster, and the pages that it sends."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .events import Event


class PairingSecret(models.Model):
    """The secret by which pairing programs act for an event; the secret itself is not stored."""

    event = models.OneToOneField(Event, models.CASCADE, related_name="pairing_secret", verbose_name=_("event"))
    prefix = models.CharField(_("begins with"), max_length=12, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("made by"),
    )
    made_at = models.DateTimeField(_("created"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)

    class Meta:
        verbose_name = _("secret for pairing programs")
        verbose_name_plural = _("secrets for pairing programs")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.event} ({self.prefix}…)"


class PairingPage(models.Model):
    """Pairings or standings of a round, as a pairing program sent them last.

    `tables` is a list of tables, each a list of rows, each a list of cell texts; the first row has the titles.
    """

    class Kind(models.TextChoices):
        PAIRINGS = "pairings", _("pairings")
        STANDINGS = "standings", _("standings")

    event = models.ForeignKey(Event, models.CASCADE, related_name="pairing_pages", verbose_name=_("event"))
    kind = models.CharField(_("kind"), max_length=10, choices=Kind)
    round = models.PositiveSmallIntegerField(_("round"))
    tables = models.JSONField(_("tables"), default=list)
    received_at = models.DateTimeField(_("received"))

    class Meta:
        verbose_name = _("page of a pairing program")
        verbose_name_plural = _("pages of pairing programs")
        ordering = ["event", "round", "kind"]
        constraints = [models.UniqueConstraint(fields=["event", "kind", "round"], name="one_pairing_page_per_round")]

    def __str__(self) -> str:
        return f"{self.event}: {self.get_kind_display()} {self.round}"


class ErasedWord(models.Model):
    """Keyed hash of a word of an erased name, by which the word is found in what a pairing program sends again.

    The name is in the files of the program, which the portal cannot erase, and is not stored here any more.
    """

    event = models.ForeignKey(Event, models.CASCADE, related_name="erased_words", verbose_name=_("event"))
    digest = models.CharField(max_length=32, editable=False)

    class Meta:
        verbose_name = _("word of an erased name")
        verbose_name_plural = _("words of erased names")
        constraints = [models.UniqueConstraint(fields=["event", "digest"], name="erased_word_once_per_event")]

    def __str__(self) -> str:
        return f"{self.event_id} {self.digest}"
