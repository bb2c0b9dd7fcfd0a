"""Results in the hall: people, boards, taps of helpers, and the links by which helpers join."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings.models.events.events import Event
from ratings.models.events.tables import Game
from ratings.models.players.people import new_public_id, validate_name

from .submissions import Submission


class Hall(models.Model):
    """The rounds of a running event, entered board by board on phones; its results become a submission.

    `people` holds the players: id, family, given, country, and the public id of the player if known. `version` changes
    with every change of people, boards and results. `provisional` holds the ratings that the worker computed for the
    version `rated_version`: for each list its slug and [id of the person, rating before, rating after].
    """

    event = models.OneToOneField(Event, models.CASCADE, related_name="hall", verbose_name=_("event"))
    rounds = models.PositiveSmallIntegerField(_("rounds"), default=5)
    people = models.JSONField(_("players"), default=list)
    submission = models.ForeignKey(
        Submission,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("submission"),
        help_text=_("The draft results that were made last from this hall."),
    )
    started_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("started by")
    )
    started_at = models.DateTimeField(_("started"), auto_now_add=True)
    changed_at = models.DateTimeField(_("changed"), auto_now_add=True)
    version = models.PositiveIntegerField(default=0, editable=False)
    provisional = models.JSONField(default=dict, editable=False)
    rated_version = models.IntegerField(default=-1, editable=False)
    rating_requested_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("hall")
        verbose_name_plural = _("halls")

    def __str__(self) -> str:
        return str(self.event)


class HallBoard(models.Model):
    """A pairing of a round; `first` and `second` are ids of people of the hall, without `second` it is a bye."""

    hall = models.ForeignKey(Hall, models.CASCADE, related_name="boards", verbose_name=_("hall"))
    round = models.PositiveSmallIntegerField(_("round"))
    number = models.PositiveSmallIntegerField(_("board"))
    first = models.PositiveSmallIntegerField(_("first player"))
    second = models.PositiveSmallIntegerField(_("second player"), null=True, blank=True)
    handicap = models.CharField(_("handicap"), max_length=2, choices=Game.Handicap, blank=True)
    giver = models.CharField(_("handicap giver"), max_length=1, choices=Game.Side, blank=True)
    stones = models.PositiveSmallIntegerField(_("handicap stones"), default=0)
    black = models.CharField(_("black"), max_length=1, choices=Game.Side, blank=True)

    class Meta:
        verbose_name = _("board in the hall")
        verbose_name_plural = _("boards in the hall")
        ordering = ["hall", "round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["hall", "round", "number"], name="one_board_of_a_number_per_round"),
            models.CheckConstraint(
                condition=Q(second__isnull=True) | ~Q(first=F("second")), name="no_board_against_oneself"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round}.{self.number}: {self.first}–{self.second or ''}"


class HallLink(models.Model):
    """An invitation to enter results in a hall, without an account, until it ends or is revoked.

    The address holds `key` with a signature, so that it can be shown again and nobody can make one. `helpers` are the
    devices that joined by it, as {device, name, at}, with `removed`, the time, for a device that can no longer send
    results by this link; None if nobody has.
    """

    hall = models.ForeignKey(Hall, models.CASCADE, related_name="links", verbose_name=_("hall"))
    key = models.CharField(max_length=10, unique=True, default=new_public_id, editable=False)
    label = models.CharField(_("label"), max_length=60, blank=True, validators=[validate_name])
    expires_at = models.DateTimeField(_("ends"))
    revoked_at = models.DateTimeField(_("revoked"), null=True, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("made by")
    )
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    helpers = models.JSONField(null=True, editable=False)

    class Meta:
        verbose_name = _("link for helpers")
        verbose_name_plural = _("links for helpers")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.hall} – {self.label or self.key}"

    def is_valid(self, now: dt.datetime | None = None) -> bool:
        """Return True unless the link has ended or was revoked."""
        return self.revoked_at is None and self.expires_at > (now or timezone.now())

    def admits(self, device: str) -> bool:
        """Return True if the link is valid and the device was not removed from it."""
        removed = any(helper["device"] == device and "removed" in helper for helper in self.helpers or ())
        return self.is_valid() and not removed


class HallResult(models.Model):
    """One tap: a person enters, clears or decides the result of a board. Rows are never changed.

    `uuid` comes from the device, so that a result that is sent twice is stored once. `device` tells the phones apart,
    `seen` is the last tap of this board that the phone displayed. A tap that `decides` answers two different results.
    """

    class Code(models.TextChoices):
        FIRST = "first", _("first player won")
        DRAW = "draw", _("draw")
        SECOND = "second", _("second player won")
        CLEAR = "clear", _("no result")

    board = models.ForeignKey(HallBoard, models.CASCADE, related_name="results", verbose_name=_("board"))
    uuid = models.UUIDField(unique=True, editable=False)
    code = models.CharField(_("result"), max_length=6, choices=Code)
    decides = models.BooleanField(_("decision"), default=False)
    seen = models.BigIntegerField(default=0, editable=False)
    device = models.CharField(max_length=20, editable=False)
    name = models.CharField(_("name"), max_length=60, blank=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    link = models.ForeignKey(
        HallLink, models.SET_NULL, null=True, blank=True, related_name="results", verbose_name=_("link")
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)

    class Meta:
        verbose_name = _("result in the hall")
        verbose_name_plural = _("results in the hall")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.board}: {self.code}"
