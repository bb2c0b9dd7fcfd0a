"""Results of rating runs: never an input; they can be deleted and computed again.

The database checks no foreign keys here: the rows of a deleted input remain until the next run, which needs them to
find the players concerned, and then deletes them.
"""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from ratings.models.events.tables import Table
from ratings.models.lists.adjustments import Adjustment, Decision
from ratings.models.lists.lists import RatingList
from ratings.models.message_fields import MessageField, MessagesField
from ratings.models.players.people import Player


class Derived(models.Model):
    """One player's part in one step of a list's replay; (day, place) is the position of the step."""

    # runs write many rows, so there are no indexes for single fields: those below serve every query
    list = models.ForeignKey(
        RatingList,
        models.CASCADE,
        db_constraint=False,
        db_index=False,
        related_name="%(class)ss",
        verbose_name=_("list"),
    )
    player = models.ForeignKey(
        Player,
        models.CASCADE,
        db_constraint=False,
        db_index=False,
        related_name="%(class)ss",
        verbose_name=_("player"),
    )
    day = models.DateField(_("day"))
    place = models.PositiveIntegerField()
    table = models.ForeignKey(
        Table,
        models.DO_NOTHING,
        null=True,
        db_constraint=False,
        db_index=False,
        related_name="%(class)ss",
        verbose_name=_("table"),
    )

    class Meta:
        abstract = True


def is_carried_over(table: int | None, before: float | None, after: float | None, change: float | None) -> bool:
    """Return True if the points of a table count later only: the table left the rating as it was."""
    return bool(table and change and after == before)


class Change(Derived):
    """A player's rating before and after a step, and the state after it.

    A step is a table, an adjustment, a decision or a closing day.
    """

    adjustment = models.ForeignKey(
        Adjustment, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="changes"
    )
    decision = models.ForeignKey(
        Decision, models.DO_NOTHING, null=True, db_constraint=False, db_index=False, related_name="changes"
    )
    category = models.CharField(_("category"), max_length=12)
    category_after = models.CharField(_("category after"), max_length=12)
    before = models.FloatField(_("rating before"), null=True)
    after = models.FloatField(_("rating after"), null=True)
    change = models.FloatField(_("±"), null=True)
    games = models.PositiveIntegerField(_("games"))
    games_after = models.PositiveIntegerField(_("games so far"), null=True)
    performance = models.FloatField(_("performance"), null=True)
    grade_before = models.CharField(_("grade before"), max_length=10, blank=True)
    grade = models.CharField(_("grade"), max_length=10, blank=True)
    published = models.BooleanField(default=True)
    hidden = models.BooleanField(default=False, help_text=_("Not shown: withdrawn, or not to be published."))
    note = MessageField(blank=True)
    state = models.TextField(help_text=_("State after the step, as canonical JSON."))

    class Meta:
        verbose_name = _("change")
        verbose_name_plural = _("changes")
        ordering = ["day", "place"]
        constraints = [
            models.UniqueConstraint(fields=["player", "list", "day", "place"], name="one_change_per_step"),
            models.UniqueConstraint(fields=["table", "list", "player"], name="one_change_per_table"),
        ]
        indexes = [models.Index(fields=["list", "day"])]

    def __str__(self) -> str:
        return f"{self.player_id} {self.day}"

    @property
    def is_carried_over(self) -> bool:
        """Return True if the points count later only, on one of the system's closing days."""
        return is_carried_over(self.table_id, self.before, self.after, self.change)

    @property
    def is_closing(self) -> bool:
        """Return True if the system itself changed the rating, on one of its closing days."""
        return self.table_id is None and self.adjustment_id is None and self.decision_id is None


class RatedTable(models.Model):
    """The outcome of rating a table on a list."""

    list = models.ForeignKey(
        RatingList, models.CASCADE, db_constraint=False, db_index=False, related_name="rated_tables"
    )
    table = models.ForeignKey(Table, models.DO_NOTHING, db_constraint=False, db_index=False, related_name="ratings")
    day = models.DateField()
    place = models.PositiveIntegerField()
    rounds = models.PositiveIntegerField()
    settled = models.BooleanField()
    warnings = MessagesField(blank=True)
    needs_rating = models.BooleanField(
        default=False, db_column="stale", help_text=_("The table, or data of its players, has changed.")
    )

    class Meta:
        ordering = ["day", "place"]
        constraints = [models.UniqueConstraint(fields=["table", "list"], name="one_rating_per_list_and_table")]
        indexes = [models.Index(fields=["list", "day"])]

    def __str__(self) -> str:
        return f"{self.table_id} {self.day}"


class Award(Derived):
    """A grade won in a table or given by a decision."""

    grade = models.CharField(_("grade"), max_length=10)
    how = models.CharField(_("how"), max_length=20)
    game = models.PositiveIntegerField(_("game"), null=True)
    needs_approval = models.BooleanField(_("needs approval"), default=False)
    last_of_step = models.BooleanField(default=True, help_text=_("The public notice names the last grade only."))

    class Meta:
        verbose_name = _("award")
        verbose_name_plural = _("awards")
        ordering = ["day", "place", "pk"]
        indexes = [models.Index(fields=["list", "day"]), models.Index(fields=["player", "list"])]

    def __str__(self) -> str:
        return f"{self.player_id} {self.grade} {self.day}"


class Standing(models.Model):
    """A player's line on the current list."""

    list = models.ForeignKey(
        RatingList,
        models.CASCADE,
        db_constraint=False,
        db_index=False,
        related_name="standings",
        verbose_name=_("list"),
    )
    player = models.ForeignKey(
        Player, models.CASCADE, db_constraint=False, related_name="standings", verbose_name=_("player")
    )
    rating = models.FloatField(_("rating"), null=True)
    games = models.PositiveIntegerField(_("games"))
    grade = models.CharField(_("grade"), max_length=10, blank=True)
    grade_index = models.SmallIntegerField(default=-1)
    waiting = models.CharField(_("waiting for approval"), max_length=10, blank=True)
    category = models.CharField(_("category"), max_length=12)
    published = models.BooleanField()
    last_played = models.DateField(_("last played"), null=True)
    last_change = models.FloatField(_("±"), null=True)

    class Meta:
        verbose_name = _("standing")
        verbose_name_plural = _("standings")
        ordering = ["-rating", "player"]
        constraints = [models.UniqueConstraint(fields=["list", "player"], name="one_standing_per_list_and_player")]
        indexes = [
            models.Index(fields=["list", "-rating"]),
            models.Index(
                fields=["list", "last_played", "rating", "player"],
                condition=models.Q(published=True, rating__isnull=False),
                name="active_standings",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.rating}"
