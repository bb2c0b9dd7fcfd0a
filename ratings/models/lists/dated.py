"""Lists as published on a day: the published lines never change; corrected values are stored beside them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from ratings.models.players.people import Player

from .lists import RatingList


class DatedList(models.Model):
    list = models.ForeignKey(RatingList, models.CASCADE, related_name="dated", verbose_name=_("list"))
    day = models.DateField(_("day"), help_text=_("The list as it stands at the end of this day."))
    published_at = models.DateTimeField(_("published"), auto_now_add=True)
    published_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        editable=False,
        related_name="+",
        verbose_name=_("published by"),
    )
    revised_at = models.DateTimeField(_("published again"), null=True, editable=False)

    class Meta:
        verbose_name = _("dated list")
        verbose_name_plural = _("dated lists")
        ordering = ["-day"]
        constraints = [models.UniqueConstraint(fields=["list", "day"], name="one_dated_list_a_day")]

    def __str__(self) -> str:
        return f"{self.list} {self.day}"

    def get_absolute_url(self) -> str:
        return reverse("dated_list", args=[self.list.slug, self.day.isoformat()])


class DatedLine(models.Model):
    """A player's line as first published, and as revised when the list was published again.

    After that, a line without original values was added by a correction, one without revised values removed.
    """

    dated = models.ForeignKey(DatedList, models.CASCADE, related_name="lines")
    player = models.ForeignKey(Player, models.PROTECT, related_name="dated_lines")
    rank = models.PositiveIntegerField(null=True)
    rating = models.FloatField(null=True)
    grade = models.CharField(max_length=10, blank=True)
    games = models.PositiveIntegerField(null=True)
    category = models.CharField(max_length=12, blank=True)
    deviation = models.FloatField(null=True, help_text="Deviation as first published, in rating points.")
    revised_rank = models.PositiveIntegerField(null=True)
    revised_rating = models.FloatField(null=True)
    revised_grade = models.CharField(max_length=10, blank=True)
    revised_games = models.PositiveIntegerField(null=True)
    revised_category = models.CharField(max_length=12, blank=True)

    class Meta:
        ordering = ["rank", "player__family_name", "player__given_name", "player"]
        constraints = [models.UniqueConstraint(fields=["dated", "player"], name="one_line_per_dated_list_and_player")]
        indexes = [models.Index(fields=["dated", "rank"])]

    def __str__(self) -> str:
        return f"{self.rank} {self.player_id} {self.rating}"
