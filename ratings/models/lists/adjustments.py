"""Manual entries beside results: adjustments of ratings, and decisions on grades."""

from __future__ import annotations

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from ratings.localize import translate_message
from ratings.models.events.tables import Table
from ratings.models.message_fields import MessageField
from ratings.models.players.people import Player
from ratings.models.site.versioned import Versioned
from ratings.systems.messages import message_of
from ratings.systems.state_checks import check_state, is_number
from ratings.systems.values import RULINGS

from .lists import RatingList


class Given(Versioned):
    """A manual entry: dated, with its author and a reason.

    Rating runs write none, except the starting ratings of a list that continues another one.
    """

    date = models.DateField(_("date"))
    before = models.ForeignKey(
        Table,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("just before the table"),
        help_text=_("Empty: at the start of the day."),
    )
    reason = MessageField(_("reason"), max_length=300)
    source = models.CharField(_("source"), max_length=200, blank=True)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, editable=False, related_name="+"
    )
    made_at = models.DateTimeField(_("entered"), auto_now_add=True)

    list_id: int
    list: RatingList

    class Meta:
        abstract = True

    def clean(self) -> None:
        if self.list_id is not None and self.list.comparison_to_id:
            raise ValidationError({"list": _("A comparison takes this over from its list.")})
        if self.before and not self.before.event.lists.filter(pk=self.list_id).exists():
            raise ValidationError({"before": _("This table is not rated on the list.")})


class Adjustment(Given):
    """A state set for one player by hand, or a shift of the whole list in rating points."""

    list = models.ForeignKey(RatingList, models.CASCADE, related_name="adjustments", verbose_name=_("list"))
    player = models.ForeignKey(
        Player, models.PROTECT, null=True, blank=True, related_name="adjustments", verbose_name=_("player")
    )
    set = models.JSONField(
        _("state"), null=True, blank=True, help_text=_('For example {"rating": 1500, "games": 50}; see the docs.')
    )
    shift = models.FloatField(_("shift of every rated player"), null=True, blank=True)

    class Meta:
        verbose_name = _("adjustment")
        verbose_name_plural = _("adjustments")
        ordering = ["date", "pk"]
        indexes = [models.Index(fields=["list", "date"], name="adjustments_by_day")]
        constraints = [
            models.CheckConstraint(
                condition=Q(player__isnull=False, set__isnull=False, shift__isnull=True)
                | Q(player__isnull=True, set__isnull=True, shift__isnull=False),
                name="adjustment_sets_one_or_shifts_all",
                violation_error_message=_("Either a state for one player or a shift of the whole list."),
            )
        ]

    def __str__(self) -> str:
        return f"{self.date} {self.player or _('whole list')}"

    def clean(self) -> None:
        super().clean()
        try:
            check_state({"shift": self.shift}, {"shift": is_number})
        except ValueError as error:
            raise ValidationError({"shift": translate_message(message_of(error))}) from None
        if self.set is not None and self.list_id is not None:
            system = self.list.rating_system
            try:
                system.rating.adjust(system.rating.with_rating(system.rating.newcomer(), 1500), self.set)
            except (ValueError, TypeError, AttributeError) as error:
                raise ValidationError({"set": translate_message(message_of(error))}) from None


class Decision(Given):
    """A decision on a grade, identified by (list, player, grade, date)."""

    list = models.ForeignKey(RatingList, models.CASCADE, related_name="decisions", verbose_name=_("list"))
    player = models.ForeignKey(Player, models.PROTECT, related_name="decisions", verbose_name=_("player"))
    grade = models.CharField(_("grade"), max_length=10)
    ruling = models.CharField(_("ruling"), max_length=10, choices=[(ruling, _(ruling)) for ruling in RULINGS])

    class Meta:
        verbose_name = _("decision on a grade")
        verbose_name_plural = _("decisions on grades")
        ordering = ["date", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["list", "player", "grade", "date", "ruling"],
                condition=Q(before__isnull=True),
                name="one_decision_per_grade_and_date",
            ),
            models.UniqueConstraint(
                fields=["list", "player", "grade", "before", "ruling"],
                condition=Q(before__isnull=False),
                name="one_decision_per_grade_and_table",
            ),
            models.CheckConstraint(condition=Q(ruling__in=RULINGS), name="ruling_is_one_of_the_rulings"),
        ]

    def __str__(self) -> str:
        return f"{self.date} {self.player} {self.grade} {self.ruling}"

    def clean(self) -> None:
        super().clean()
        if self.list_id is not None and self.grade not in self.list.rating_system.grading.grades:
            raise ValidationError({"grade": _("Not a grade of this list's system.")})
