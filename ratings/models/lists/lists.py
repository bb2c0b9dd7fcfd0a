from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.addresses import address_of
from ratings.models.events.tie_breaks import TIE_BREAK_LENGTH, validate_tie_breaks
from ratings.models.lists.federations import Federation
from ratings.models.message_fields import MessageField
from ratings.models.players.people import Player, validate_name
from ratings.models.site.versioned import Versioned
from ratings.systems import SYSTEMS, get_dated_system, get_system
from ratings.systems.dated import DatedSystem
from ratings.systems.protocol import System
from ratings.systems.values import OptionChange


def system_choices() -> list[tuple[str, str]]:
    """Return the choices of rating systems; a function, so that a new system needs no migration."""
    return [(key, get_system(key).name) for key in SYSTEMS]


class RatingList(Versioned):
    """A federation's rating list by one system. Tables belong to events, and events are rated on lists."""

    unversioned_fields = ("out_of_date_from", "revision", "problem")

    slug = models.SlugField(_("short name in addresses"), unique=True)
    federation = models.ForeignKey(Federation, models.PROTECT, related_name="lists", verbose_name=_("federation"))
    name = models.CharField(_("name"), max_length=100, validators=[validate_name])
    system = models.CharField(_("rating system"), max_length=20, choices=system_choices)
    options = models.JSONField(
        _("options of the system"),
        default=dict,
        blank=True,
        help_text=_("Only the options that differ from the default. The list's rules page shows all of them."),
    )
    option_changes = models.JSONField(
        _("changes of the options"),
        default=list,
        db_default=[],
        blank=True,
        editable=False,
        help_text=_("Options that replace earlier ones from a day on, as in the history format."),
    )
    successor = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        related_name="predecessors",
        verbose_name=_("continued by"),
        help_text=_("The list that began with the ratings of this one."),
    )
    begins_on = models.DateField(
        _("first day"),
        null=True,
        blank=True,
        editable=False,
        help_text=_("Of a successor list: results from this day on are rated here."),
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
    deviations_from = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("deviations from"),
        limit_choices_to={"comparison_to__isnull": False},
        help_text=_(
            "A comparison to this list by a system with deviations. Its deviations are shown beside this list's"
            " ratings, under its name. Leave empty to show none."
        ),
    )
    seed_list = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="seeded_lists",
        verbose_name=_("first ratings from"),
        limit_choices_to={"comparison_to": None},
        help_text=_(
            "Of a rapid or blitz list by FIDE's rules: a standard list of the same federation. Players without a rating"
            " here are rated from their rating there. This list is rated again when that one changes."
        ),
    )
    active_years = models.PositiveSmallIntegerField(
        _("years without a game until a player becomes inactive"),
        null=True,
        blank=True,
        help_text=_("Leave empty for the system's default (FESA 2, RIF 5, others 2)."),
    )
    announced_before = models.PositiveSmallIntegerField(
        _("days before an event by which it must be announced"), null=True, blank=True, help_text=_("FESA: 14.")
    )
    results_within = models.PositiveSmallIntegerField(
        _("days after an event by which its results must be submitted"), null=True, blank=True, help_text=_("FESA: 14.")
    )
    remind_organisers = models.PositiveSmallIntegerField(
        _("days between reminders of late results"),
        default=7,
        null=True,
        blank=True,
        help_text=_("Organisers are reminded by email from the day after the results were due. Leave empty for never."),
    )
    least_time = models.CharField(
        _("minimum time controls"),
        max_length=60,
        blank=True,
        help_text=_('Minutes and seconds, one of them is enough: "30+30 20+40" (FESA).'),
    )
    tie_breaks = models.CharField(
        _("tie-breaks"),
        max_length=TIE_BREAK_LENGTH,
        blank=True,
        default="",
        db_default="",
        validators=[validate_tie_breaks],
        help_text=_(
            "Used for events that specify none themselves. If empty, an event shows places only if its results have "
            "official places."
        ),
    )
    requires_membership = models.BooleanField(
        _("players must be members of the federation"),
        default=False,
        db_default=False,
        help_text=_("Players whose membership has lapsed, or of whom none is recorded, become a question."),
    )
    trusted = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="trusted_on",
        blank=True,
        verbose_name=_("trusted organisers"),
        help_text=_("Their results are accepted automatically if no problem is found."),
    )
    officers = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="officer_of",
        blank=True,
        verbose_name=_("rating officers"),
        help_text=_("Leave empty for all rating officers."),
    )
    public = models.BooleanField(
        _("open to the public"),
        default=True,
        help_text=_("Until then only staff see the list, no grade is announced, and no correction is logged."),
    )
    announce_after = models.PositiveSmallIntegerField(
        _("days after acceptance until grades are announced automatically"),
        default=7,
        null=True,
        blank=True,
        help_text=_("Leave empty to announce grades only by hand or with a dated list."),
    )
    approvers = models.ManyToManyField(
        settings.AUTH_USER_MODEL,
        related_name="approver_of",
        blank=True,
        verbose_name=_("approvers of grades"),
        help_text=_("Leave empty for all approvers."),
    )
    second_approver = models.BooleanField(
        _("a second approver confirms"), default=False, help_text=_("For grades that need approval.")
    )
    four_eyes = models.BooleanField(
        _("a second officer confirms"),
        default=False,
        help_text=_("Decisions, adjustments and corrections wait until another officer confirms them."),
    )
    remind_after = models.PositiveSmallIntegerField(
        _("days until approvers are reminded of open approvals"), default=30, null=True, blank=True
    )
    answer_within = models.PositiveSmallIntegerField(
        _("days in which approvals are to be answered"),
        default=30,
        db_default=30,
        validators=[MinValueValidator(1), MaxValueValidator(90)],
        help_text=_("The letter names the last of these days. On that day the approvers are reminded."),
    )
    approving_body = models.CharField(
        _("approving body"),
        max_length=100,
        blank=True,
        default="",
        db_default="",
        validators=[validate_name],
        help_text=_("It answers approvals of high grades. Leave empty for the one that the rules name."),
    )
    approving_person = models.CharField(
        _("person who answers for the approving body"),
        max_length=100,
        blank=True,
        default="",
        db_default="",
        validators=[validate_name],
        help_text=_("They receive the letters, and answer by a link in them and a code told by phone."),
    )
    approving_office = models.CharField(
        _("office of this person"),
        max_length=100,
        blank=True,
        default="",
        db_default="",
        validators=[validate_name],
        help_text=_("For example “Chair of the Grades Committee”. Printed on certificates."),
    )
    approving_mail = models.EmailField(
        _("email of this person"), blank=True, default="", db_default="", help_text=_("Must not belong to an account.")
    )
    signer = models.CharField(
        _("signer of certificates"),
        max_length=100,
        blank=True,
        default="",
        db_default="",
        validators=[validate_name],
        help_text=_("The person who signs certificates for the federation."),
    )
    signer_office = models.CharField(
        _("office of the signer"),
        max_length=100,
        blank=True,
        default="",
        db_default="",
        validators=[validate_name],
        help_text=_("For example “Rating officer, European Shogi Federation”."),
    )
    publish_on = models.CharField(
        _("publish the list automatically on"),
        max_length=100,
        blank=True,
        help_text=_(
            'Months and days, for example "01-01 06-01": the list is published every year as of the end of these days.'
        ),
    )
    publish_from = models.DateField(default=dt.date.today, editable=False)
    out_of_date_from = models.DateField(
        _("out of date from"), null=True, blank=True, editable=False, help_text=_("The first day to rate again.")
    )

    revision = models.PositiveBigIntegerField(
        default=0,
        editable=False,
        help_text=_("Number of changes of inputs. A run stores its results only if this has not changed meanwhile."),
    )
    problem = MessageField(
        _("why it could not be rated"), blank=True, editable=False, help_text=_("The next run tries again.")
    )

    class Meta:
        verbose_name = _("rating list")
        verbose_name_plural = _("rating lists")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return address_of("list", self.slug)

    def clean(self) -> None:
        try:
            self.least_times  # noqa: B018 - raises ValueError for invalid text
        except ValueError:
            raise ValidationError({"least_time": _('Enter minutes and seconds, for example "30+30 20+40".')}) from None
        try:
            self.publish_days  # noqa: B018 - raises ValueError for invalid text
        except ValueError:
            raise ValidationError({"publish_on": _('Enter months and days, for example "01-01 06-01".')}) from None
        if self.system not in SYSTEMS:
            return  # the field reports the error
        if not isinstance(self.options, dict):
            raise ValidationError({"options": _('Enter the options as {"option": value}.')})
        try:
            get_system(self.system, self.options)
        except ValueError as error:
            raise ValidationError({"options": str(error)}) from None
        try:
            self.dated_system  # noqa: B018 - raises ValueError for invalid changes
        except ValueError as error:
            raise ValidationError(str(error)) from None
        if self.comparison_to and self.pk:
            self._check_comparison()
        if self.deviations_from:
            self._check_deviations(self.deviations_from)
        if self.seed_list:
            self._check_seed_list(self.seed_list)

    def _check_comparison(self) -> None:
        if self.comparison_to_id == self.pk or self.comparisons.exists():
            raise ValidationError(
                {"comparison_to": _("A list that other lists are compared to cannot be a comparison itself.")}
            )
        if self.events.exists():
            raise ValidationError(
                {"comparison_to": _("This list has events of its own: create a new list for the comparison.")}
            )

    def _check_deviations(self, other: RatingList) -> None:
        if self.pk is None or other.comparison_to_id != self.pk:
            raise ValidationError({"deviations_from": _("Choose a comparison to this list.")})
        if not other.rating_system.rating.has_deviations:
            raise ValidationError({"deviations_from": _("Choose a list whose system has deviations.")})
        if not other.public:
            raise ValidationError({"deviations_from": _("Choose a public list.")})

    def _check_seed_list(self, other: RatingList) -> None:
        if other.federation_id != self.federation_id:
            raise ValidationError({"seed_list": _("Choose a list of the same federation.")})
        if not self.rating_system.rating.takes_ratings_from(other.rating_system.rating):
            text = _(
                "Only a rapid or blitz list by FIDE's rules takes first ratings, from a standard list by these rules."
            )
            raise ValidationError({"seed_list": text})

    @property
    def source(self) -> RatingList:
        """The list whose tables this list rates: another list for a comparison, else this one."""
        return self.comparison_to or self

    @property
    def deviation_source(self) -> RatingList | None:
        """Return the list whose deviations are shown with this list's ratings: this one, a comparison, or None."""
        if self.system in SYSTEMS and SYSTEMS[self.system].rating_class.has_deviations:
            return self
        other = self.deviations_from
        return other if other is not None and other.public else None

    @property
    def label(self) -> str:
        """The name, with a mark if the list is a comparison."""
        return gettext("%s (comparison)") % self.name if self.comparison_to_id else self.name

    @property
    def least_times(self) -> list[tuple[int, int]]:
        """Pairs of minutes and seconds from `least_time`; raises ValueError if it is invalid."""
        pairs = [text.split("+") for text in self.least_time.split()]
        return [(int(minutes), int(seconds)) for minutes, seconds in pairs]

    @property
    def publish_days(self) -> list[tuple[int, int]]:
        """Pairs of month and day from `publish_on`; raises ValueError for a day that some years lack."""
        days = [dt.date.fromisoformat(f"2001-{text}") for text in self.publish_on.split()]
        return [(day.month, day.day) for day in days]

    def next_publication(self, today: dt.date) -> dt.date | None:
        """Return the next day as of whose end the list is published, from today on; None without such days."""
        days = [dt.date(year, *day) for year in (today.year, today.year + 1) for day in self.publish_days]
        return min((day for day in days if day >= today), default=None)

    @property
    def has_grades(self) -> bool:
        """Return True if players can hold grades on this list."""
        return bool(self.rating_system.grading.grades) and self.comparison_to_id is None

    @property
    def effective_active_years(self) -> int | None:
        """Years without a game after which a player is left off the list; None if nobody is."""
        return self.rating_system.rating.active_years if self.active_years is None else self.active_years

    def active_since(self, day: dt.date) -> dt.date:
        """Return the earliest day of a last game with which a player is still active on `day`."""
        years = self.effective_active_years
        if years is None:
            return dt.date.min
        year = max(day.year - years, dt.MINYEAR)
        try:
            return day.replace(year=year)
        except ValueError:  # 29 February
            return day.replace(year=year, day=28) + dt.timedelta(days=1)

    @property
    def decimals(self) -> int:
        """Number of decimals with which ratings of the list are displayed."""
        return SYSTEMS[self.system].presentation_class.decimals

    @property
    def parsed_option_changes(self) -> tuple[OptionChange, ...]:
        """The changes of the options as the rating engine reads them."""
        return tuple(
            OptionChange(dt.date.fromisoformat(change["date"]), change["options"], change["reason"])
            for change in self.option_changes
        )

    def set_option_changes(self, changes: Iterable[OptionChange]) -> None:
        """Set the changes of the options, without saving the list."""
        ordered = sorted(changes, key=lambda change: change.date)
        self.option_changes = [
            {"date": f"{change.date}", "options": dict(change.options), "reason": change.reason} for change in ordered
        ]

    @property
    def dated_system(self) -> DatedSystem[Any]:
        """The rating system with the options of each day."""
        return get_dated_system(self.system, self.options, self.parsed_option_changes)

    @property
    def rating_system(self) -> System[Any]:
        """The rating system with the options in force today."""
        return self.rating_system_on(timezone.localdate())

    def rating_system_on(self, day: dt.date) -> System[Any]:
        """Return the rating system with the options in force on a day."""
        return self.dated_system.on(day)


class ListPlayer(Versioned):
    """Data about a player that belongs to one list, besides their games."""

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
        help_text=_("Set for an outsider: this rating is used for their opponents and never changes."),
    )
    fixed_deviation = models.FloatField(
        _("deviation as an outsider"),
        null=True,
        blank=True,
        help_text=_("How uncertain that rating is, in rating points. Leave empty if unknown."),
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
        grades = self.list.rating_system.grading.ranks
        if self.prior_grade and not grades:
            raise ValidationError({"prior_grade": _("This list's system has no grades.")})
        if self.prior_grade and self.prior_grade not in grades:
            raise ValidationError({"prior_grade": _("A grade from %s to %s.") % (grades[0], grades[-1])})
        if self.list.comparison_to_id:
            raise ValidationError({"list": _("A comparison takes this over from its list.")})
        if self.fixed_rating is not None:
            try:
                self.list.rating_system.rating.read(self.outsider_state or {}, fixed=True)
            except ValueError as error:
                raise ValidationError({"fixed_rating": str(error)}) from None
        elif self.fixed_deviation is not None:
            raise ValidationError({"fixed_deviation": _("A deviation needs a rating as an outsider.")})

    @property
    def outsider_state(self) -> dict[str, float] | None:
        """State of an outsider in the history format's JSON; None for other players."""
        if self.fixed_rating is None:
            return None
        values = {"rating": self.fixed_rating, "deviation": self.fixed_deviation}
        known = {name: value for name, value in values.items() if value is not None}
        return {name: int(value) if value == int(value) else value for name, value in known.items()}
