"""Records of rating runs, and of their corrections for players who did not play."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.models.lists.lists import RatingList
from ratings.models.message_fields import MessagesField
from ratings.models.players.people import Player


def no_rows() -> list[object]:
    return []


class RunQuerySet(models.QuerySet["Run"]):
    def finished(self) -> RunQuerySet:
        """Return the runs that stored their results."""
        return self.filter(state=Run.State.FINISHED, preview=False)

    def ended_since(self, at: object) -> RunQuerySet:
        """Return the runs that ended at a time or later, the first one first; `at` is a time or an expression."""
        return self.filter(ended_at__gte=at).order_by("ended_at", "pk")

    def latest_first(self) -> RunQuerySet:
        """Return the runs in the order in which they ended, the last one first."""
        return self.order_by("-ended_at", "-pk")


class Run(models.Model):
    """A rating run of a list, or a preview of one, with its user, progress and results."""

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        RUNNING = "running", _("running")
        FINISHED = "finished", _("finished")
        FAILED = "failed", _("failed")
        CANCELLED = "cancelled", _("cancelled")

    list = models.ForeignKey(RatingList, models.CASCADE, related_name="runs", verbose_name=_("list"))
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.WAITING)
    preview = models.BooleanField(_("preview"), default=False, help_text=_("Computed and not stored."))
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("queued by")
    )
    reasons = MessagesField(_("reasons"), blank=True, db_column="reason")
    since = models.DateField(_("from the day"), null=True)
    to_do = models.PositiveIntegerField(_("tables to do"), default=0)
    done = models.PositiveIntegerField(_("tables done"), default=0)
    visited = models.PositiveIntegerField(_("tables rated"), default=0)
    players_changed = models.PositiveIntegerField(_("players changed"), default=0)
    biggest = models.JSONField(
        _("biggest changes"), default=no_rows, help_text=_("[player, before, after], biggest first")
    )
    histogram = models.JSONField(_("histogram"), default=no_rows, help_text=_("[from, to, players] of the changes"))
    grades = models.JSONField(_("changed grades"), default=no_rows, help_text=_("[player, before, after]"))
    cancel = models.BooleanField(_("cancellation requested"), default=False)
    error = models.TextField(_("error"), blank=True)
    asked_at = models.DateTimeField(_("queued"), auto_now_add=True)
    started_at = models.DateTimeField(_("started"), null=True)
    ended_at = models.DateTimeField(_("ended"), null=True)

    objects = RunQuerySet.as_manager()

    class Meta:
        verbose_name = _("rating run")
        verbose_name_plural = _("rating runs")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["list"], condition=Q(state="waiting", preview=False), name="one_waiting_run_per_list"
            )
        ]
        indexes = [models.Index(fields=["list", "-ended_at"])]

    def __str__(self) -> str:
        return f"{self.list} {self.asked_at:%Y-%m-%d %H:%M}"

    @property
    def skipped(self) -> int:
        """Number of tables not rated again, as the states of their players were the same as before."""
        return self.done - self.visited


class Correction(models.Model):
    """A change of a player's current rating without a new game: the ratings before and after."""

    run = models.ForeignKey(Run, models.CASCADE, related_name="corrections", verbose_name=_("run"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="corrections", verbose_name=_("player"))
    before = models.FloatField(_("before"), null=True)
    after = models.FloatField(_("after"), null=True)
    hidden = models.BooleanField(default=False)
    path = models.JSONField(null=True, editable=False)
    """Steps through which the correction reached the player, in the form of `path_to_json`; None if unknown."""

    class Meta:
        verbose_name = _("correction")
        verbose_name_plural = _("corrections")
        ordering = ["-run_id", "pk"]
        constraints = [models.UniqueConstraint(fields=["run", "player"], name="one_correction_per_run_and_player")]

    def __str__(self) -> str:
        return f"{self.player_id}: {self.before} → {self.after}"

    @property
    def change(self) -> float | None:
        return None if self.before is None or self.after is None else self.after - self.before


class Heartbeat(models.Model):
    """Time of the last run of a periodic process."""

    name = models.CharField(max_length=20, unique=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.at}"
