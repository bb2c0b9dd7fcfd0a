from __future__ import annotations

import datetime as dt
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.systems import SYSTEMS, get_system
from ratings.systems.protocol import System

from .people import Player


def system_choices() -> list[tuple[str, str]]:
    """As a function, so that another system needs no migration."""
    return [(key, get_system(key).name) for key in SYSTEMS]


class RatingList(models.Model):
    """One federation's list by one system. Tables belong to events, and events are rated on lists."""

    slug = models.SlugField(_("short name in addresses"), unique=True)
    federation = models.CharField(_("federation"), max_length=100)
    name = models.CharField(_("name"), max_length=100)
    system = models.CharField(_("rating system"), max_length=20, choices=system_choices)
    options = models.JSONField(
        _("options of the system"),
        default=dict,
        blank=True,
        help_text=_('Those that differ from the default, as {"cap": 2200}; the list\'s page on its ratings names all.'),
    )
    comparison_to = models.ForeignKey(
        "self",
        models.CASCADE,
        null=True,
        blank=True,
        related_name="comparisons",
        verbose_name=_("comparison to"),
        limit_choices_to={"comparison_to": None},
        help_text=_(
            "Takes over the tables and prior grades of that list, and rates them by its own system and options, to be"
            " compared. It awards no grades."
        ),
    )
    active_years = models.PositiveSmallIntegerField(
        _("years without a game until a player is left out of the list"),
        null=True,
        blank=True,
        help_text=_("Empty: as the system has it (FESA 2, RIF 5, the others 2)."),
    )
    announced_before = models.PositiveSmallIntegerField(
        _("days before an event on which it is to be announced"), null=True, blank=True, help_text=_("FESA: 14.")
    )
    results_within = models.PositiveSmallIntegerField(
        _("days after an event within which its results are to come"), null=True, blank=True, help_text=_("FESA: 14.")
    )
    least_time = models.CharField(
        _("least time controls"),
        max_length=60,
        blank=True,
        help_text=_('Minutes and seconds, one of them is enough: "30+30 20+40" (FESA).'),
    )
    trusted = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="trusted_on",
        blank=True,
        verbose_name=_("trusted organisers"),
        help_text=_("Their results are accepted by themselves where nothing is wrong with them."),
    )
    officers = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="officer_of",
        blank=True,
        verbose_name=_("rating officers"),
        help_text=_("Empty: every rating officer looks after it."),
    )
    public = models.BooleanField(
        _("open to the public"),
        default=True,
        help_text=_("Until then nobody but staff sees it, no grade is announced and no correction is written."),
    )
    announce_after = models.PositiveSmallIntegerField(
        _("days after acceptance until grades are announced by themselves"),
        default=7,
        null=True,
        blank=True,
        help_text=_("Empty: only by an officer's click, or with a dated list."),
    )
    approvers = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="approver_of",
        blank=True,
        verbose_name=_("approvers of grades"),
        help_text=_("Empty: every approver."),
    )
    second_approver = models.BooleanField(
        _("a second approver confirms"), default=False, help_text=_("For grades that need approval.")
    )
    remind_after = models.PositiveSmallIntegerField(
        _("days until approvers are reminded of what waits"), default=30, null=True, blank=True
    )
    publish_on = models.CharField(
        _("publish the list by itself on"),
        max_length=100,
        blank=True,
        help_text=_('Month and day, as "01-01 06-01": the list as it stands at the end of that day, every year.'),
    )
    publish_from = models.DateField(default=dt.date.today, editable=False)
    out_of_date_from = models.DateField(
        _("out of date from"), null=True, blank=True, editable=False, help_text=_("The first day to rate again.")
    )

    revision = models.PositiveBigIntegerField(
        default=0, editable=False, help_text=_("Counts changes of inputs; a run stores only what it read whole.")
    )
    problem = models.TextField(
        _("why it could not be rated"), blank=True, editable=False, help_text=_("The next run tries again.")
    )

    class Meta:
        verbose_name = _("rating list")
        verbose_name_plural = _("rating lists")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("list", args=[self.slug])

    def clean(self) -> None:
        try:
            self.least_times  # noqa: B018 - reads what was written
        except ValueError:
            raise ValidationError({"least_time": _('Write minutes and seconds, as "30+30 20+40".')}) from None
        try:
            self.publish_days  # noqa: B018 - reads what was written
        except ValueError:
            raise ValidationError({"publish_on": _('Write month and day, as "01-01 06-01".')}) from None
        if self.system not in SYSTEMS:
            return  # told by the field itself
        if not isinstance(self.options, dict):
            raise ValidationError({"options": _('Write them as {"option": value}.')})
        try:
            get_system(self.system, self.options)
        except ValueError as error:
            raise ValidationError({"options": str(error)}) from None
        if self.comparison_to and self.pk:
            self._check_comparison()

    def _check_comparison(self) -> None:
        if self.comparison_to_id == self.pk or self.comparisons.exists():
            raise ValidationError({"comparison_to": _("A list that others are compared to is no comparison itself.")})
        if self.events.exists():
            raise ValidationError({"comparison_to": _("This list has events of its own; make a new list for it.")})

    @property
    def source(self) -> RatingList:
        """The list whose tables it rates: another one's where it is a comparison."""
        return self.comparison_to or self

    @property
    def label(self) -> str:
        """The name, marked where the list is a comparison."""
        return gettext("%s (comparison)") % self.name if self.comparison_to_id else self.name

    @property
    def least_times(self) -> list[tuple[int, int]]:
        """Minutes and seconds of `least_time`; ValueError where that is something else."""
        pairs = [written.split("+") for written in self.least_time.split()]
        return [(int(minutes), int(seconds)) for minutes, seconds in pairs]

    @property
    def publish_days(self) -> list[tuple[int, int]]:
        """Month and day of `publish_on`; ValueError where that is no day of every year."""
        days = [dt.date.fromisoformat(f"2001-{written}") for written in self.publish_on.split()]
        return [(day.month, day.day) for day in days]

    @property
    def graded(self) -> bool:
        """Whether players hold grades by this list."""
        return bool(self.rating_system.grades) and self.comparison_to_id is None

    @property
    def years_active(self) -> int:
        return self.rating_system.active_years if self.active_years is None else self.active_years

    def active_since(self, day: dt.date) -> dt.date:
        """The first day on which a last game still counts as active on `day`."""
        try:
            return day.replace(year=day.year - self.years_active)
        except ValueError:  # 29 February
            return day.replace(year=day.year - self.years_active, day=28) + dt.timedelta(days=1)

    @property
    def rating_system(self) -> System[Any]:
        return get_system(self.system, self.options)


class ListPlayer(models.Model):
    """What a list must know of a player besides his games."""

    list = models.ForeignKey(RatingList, models.CASCADE, related_name="members", verbose_name=_("list"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="on_lists", verbose_name=_("player"))
    prior_grade = models.CharField(
        _("prior grade"),
        max_length=10,
        blank=True,
        help_text=_("An official grade held before the first rated table, or the declared rank."),
    )
    prior_evidence = models.CharField(
        _("how the prior grade is known"), max_length=200, blank=True, help_text=_("Diploma, federation's list …")
    )
    start_year = models.PositiveSmallIntegerField(_("start year"), null=True, blank=True)
    member = models.BooleanField(_("member"), default=True)
    withdrawn = models.BooleanField(_("rating withdrawn"), default=False)
    fixed_rating = models.FloatField(
        _("rating as an outsider"),
        null=True,
        blank=True,
        help_text=_("Set for an outsider: this rating is used for his opponents and never changes."),
    )

    class Meta:
        verbose_name = _("player of the list")
        verbose_name_plural = _("players of the list")
        constraints = [models.UniqueConstraint(fields=["list", "player"], name="one_row_per_list_and_player")]

    def __str__(self) -> str:
        return f"{self.player} – {self.list}"

    def clean(self) -> None:
        if self.list_id is None:
            return
        grades = self.list.rating_system.grades
        if self.prior_grade and not grades:
            raise ValidationError({"prior_grade": _("This list's system has no grades.")})
        if self.prior_grade and self.prior_grade not in grades:
            raise ValidationError({"prior_grade": _("A grade from %s to %s.") % (grades[0], grades[-1])})
        if self.list.comparison_to_id:
            raise ValidationError({"list": _("A comparison takes this over from its list.")})
        if self.fixed_rating is not None:
            shown = int(self.fixed_rating) if self.fixed_rating == int(self.fixed_rating) else self.fixed_rating
            try:
                self.list.rating_system.read({"rating": shown}, fixed=True)
            except ValueError as error:
                raise ValidationError({"fixed_rating": str(error)}) from None
