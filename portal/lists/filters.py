"""Filters in the address of a list: for the current list and for a published list."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import django_filters
from django import forms
from django.core.validators import MinValueValidator
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django_countries import countries
from django_stubs_ext import StrOrPromise

from portal.site.fields import make_day_widget, make_name_widget
from portal.site.filter_chips import ChipFilterSet, Lens
from portal.templatetags.portal_format import colon, sorted_countries
from ratings.localize import category_label, join_details
from ratings.models import Change, Club, DatedLine, NameVisibility, RatingList, Standing
from ratings.queries.lists.choices import Choices, PublicGroups, birth_year, choices_of, public_birth_year, public_woman
from ratings.queries.lists.lists import published_standings
from ratings.queries.lists.recent_changes import YEAR
from ratings.queries.site.search import name_filter, parts_of, player_filter

from .forms import FIRST_DAY
from .player_groups import AGES, WOMEN, build_lenses

MAX_GAMES = 99_999
UNMARKED = "settled"


class WholeNumberFilter(django_filters.NumberFilter):
    field_class = forms.IntegerField


class ListFilter(ChipFilterSet):
    suggested_kind = "players"
    player_prefix = "player__"

    q = django_filters.CharFilter(label=_("Name"), method="by_name", widget=make_name_widget(_("Name")))
    country = django_filters.ChoiceFilter(label=_("Country"), field_name="player__country", empty_label=_("all"))
    club = django_filters.ChoiceFilter(label=_("Club"), method="by_club", empty_label=_("all"))
    grade = django_filters.ChoiceFilter(label=_("Grade"), method="by_grade", empty_label=_("all"))
    grade_to = django_filters.ChoiceFilter(label=_("… to grade"), method="by_grade", empty_label="–")
    category = django_filters.ChoiceFilter(label=_("Category"), method="by_category", empty_label=_("all"))
    age = django_filters.ChoiceFilter(label=_("Age"), method="by_age", empty_label=_("all"))
    gender = django_filters.ChoiceFilter(label=_("Women"), method="by_gender", choices=[(WOMEN, _("Women"))])
    games = WholeNumberFilter(
        label=_("Games at least"), field_name="games", lookup_expr="gte", min_value=0, max_value=MAX_GAMES
    )

    def __init__(self, data: Any, rating_list: RatingList, day: dt.date, queryset: QuerySet[Any]) -> None:
        super().__init__(data, queryset=queryset)
        self.day, self.system = day, rating_list.rating_system
        self.records_gender = rating_list.federation.records_gender
        offered = choices_of(rating_list)
        self.groups = self.groups_of(offered)
        legend = [(category, category_label(category)) for category in self.system.presentation.legend]
        # accept a country whose last player left the list: its address remains valid and shows no players
        requested_country = str(data.get("country", "")).upper()
        codes = dict.fromkeys(
            [*offered.countries, *([requested_country] if requested_country in countries.countries else [])]
        )
        named = sorted_countries(codes)
        self.set_choices("country", [(code, f"{name} ({code})") for name, code in named])
        if offered.clubs is None:
            self.use_club_search()
        else:
            self.set_choices("club", offered.clubs)
        has_ages = self.groups.youngest is not None or data.get("age") in AGES
        self.set_choices("age", [(key, label) for key, (label, *_ages) in AGES.items()] if has_ages else ())
        self.set_choices("category", [(UNMARKED, _("without a mark")), *legend] if legend else ())
        grades = [(grade, grade) for grade in reversed(self.system.grading.grades)] if rating_list.has_grades else ()
        self.set_choices("grade", grades)
        self.set_choices("grade_to", grades)

    def use_club_search(self) -> None:
        """Replace the choice of a club by a box for its name, which suggests clubs."""
        club_filter = django_filters.CharFilter(
            label=_("Club (name or public id)"), method="by_club", widget=make_name_widget(_("Club"))
        )
        # `method` is looked up on the parent, which django-filter sets for the filters of the class only
        club_filter.parent = self
        self.filters["club"] = club_filter
        self.suggested_in_chips = {"club": "clubs"}

    def groups_of(self, offered: Choices) -> PublicGroups:
        """Return the groups of the players among whom the filters choose."""
        return offered.groups

    def set_choices(self, name: str, choices: Sequence[Any]) -> None:
        """Set the choices of a filter, or remove the filter if there are none."""
        self.filters[name].extra["choices"] = choices
        if not choices:
            del self.filters[name]

    @property
    def error_messages(self) -> list[str]:
        """Error messages of invalid values, each with the label of its field."""
        self.form.is_valid()
        return [
            f"{colon(self.form[name].label)} {' '.join(map(str, errors))}" for name, errors in self.form.errors.items()
        ]

    @cached_property
    def unknown_values(self) -> dict[str, str]:
        """Requested countries, clubs and grades that are not on the list, by the name of their field."""
        self.form.is_valid()
        names = [name for fields in self.named_fields.values() for name in fields if name in self.form.errors]
        return {name: str(self.data.get(name, "")) for name in names}

    @property
    def unknown_texts(self) -> list[str]:
        """Sentences that name the requested countries, clubs and grades that are not on the list."""
        labels = {name: label for label, names in self.named_fields.items() for name in names}
        text = gettext("%(filter)s “%(value)s” is not on this list.")
        return [text % {"filter": labels[name], "value": value} for name, value in self.unknown_values.items()]

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        """Return the matching rows; none if a requested country, club or grade is not on the list."""
        return queryset.none() if self.unknown_values else super().filter_queryset(queryset)

    def describe_chip(self, names: Sequence[str]) -> str:
        """Return what a chip says that it filters by; unknown values as requested."""
        unknown = [self.unknown_values[name] for name in names if name in self.unknown_values]
        return join_details([self.describe_chosen(names), *unknown])

    @property
    def is_filtered(self) -> bool:
        """True if any filter other than `active` and `on` is set."""
        return bool(set(self.values) - {"active", "on"} or self.unknown_values)

    @property
    def number_chosen(self) -> int:
        """Number of filters that are set; both ends of a span of grades count as one."""
        return len(set(self.values) - {"grade_to"} | ({"grade"} if "grade_to" in self.values else set()))

    @property
    def lenses(self) -> list[Lens]:
        """Everyone, and the groups of players that one link chooses."""
        return build_lenses(self)

    @property
    def described(self) -> str:
        """The chosen groups of players, country, club and grades in one line; empty if none is chosen."""
        groups = [str(lens.label) for lens in self.lenses if lens.is_chosen and lens.removes]
        return join_details([*groups, *(self.describe_chosen(names) for names in self.named_fields.values())])

    @property
    def named_fields(self) -> dict[StrOrPromise, Sequence[str]]:
        """Names of the fields of the chips that have their own names."""
        return {_("Country"): ("country",), _("Club"): ("club",), _("Grade"): ("grade", "grade_to")}

    @property
    def chip_fields(self) -> dict[StrOrPromise, Sequence[str]]:
        """Country, club, grade, and all other filters."""
        elsewhere = {"q", "new", "gender", *(name for names in self.named_fields.values() for name in names)}
        return self.named_fields | {_("More"): tuple(name for name in self.form.fields if name not in elsewhere)}

    def by_name(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """Filter by any parts of the name, for players shown by full name, or by the public id of any player."""
        return queryset.filter(player_filter(value, self.player_prefix))

    def by_club(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """Filter by current membership; players shown anonymously count as members of no club."""
        clubs = Club.objects.filter(Q(public_id=value) | name_filter(parts_of(value)))
        present = self.player_q(memberships__club__in=clubs.values("pk"), memberships__end__isnull=True)
        return queryset.filter(present).exclude(self.player_q(shown=NameVisibility.ANONYMOUS))

    def player_q(self, **conditions: Any) -> Q:
        return Q(**{f"{self.player_prefix}{field}": value for field, value in conditions.items()})

    def describe(self, name: str) -> str:
        """Return the label of a filter's chosen value; for a suggested club, its name."""
        club = self._suggested_club if name in self.suggested_in_chips else None
        return club.name if club else super().describe(name)

    @cached_property
    def _suggested_club(self) -> Club | None:
        """The club whose public id is the value of the filter; None for a typed name."""
        return Club.objects.filter(public_id=self.values["club"]).first()

    @property
    def grade_span(self) -> tuple[int, int]:
        """First and last index in the grade scale: of one grade, of a range, or of all grades up to `grade_to`."""
        grades, values = list(self.system.grading.grades), self.values
        ends = [grades.index(values[name]) for name in ("grade", "grade_to") if name in values]
        return (min(ends) if "grade" in values else 0), max(ends)

    def by_grade(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        low, high = self.grade_span
        return queryset.filter(grade__in=self.system.grading.grades[low : high + 1])

    def by_category(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        marked = Q(category__in=self.system.presentation.legend)
        return queryset.filter(~marked if value == UNMARKED else Q(category=value))

    def by_age(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """Filter by age in years from the year of birth, among players with full name and public birth year."""
        _label, youngest, oldest = AGES[value]
        years = Q(born__range=(self.day.year - oldest, self.day.year - youngest))
        queryset = queryset.alias(born=birth_year(self.player_prefix))
        return queryset.filter(years & public_birth_year(self.player_prefix))

    def by_gender(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """Filter by women who make their gender public; of a federation that does not publish it, return none."""
        return queryset.filter(public_woman(self.player_prefix)) if self.records_gender else queryset.none()


class StandingFilter(ListFilter):
    active = django_filters.ChoiceFilter(label=_("Players"), choices=[("all", _("all"))], method="unfiltered")
    on = django_filters.DateFilter(
        label=_("As of"), method="unfiltered", validators=[MinValueValidator(FIRST_DAY)], widget=make_day_widget()
    )

    new = django_filters.ChoiceFilter(
        label=_("Newcomers"), choices=[("1", _("first event in the last 12 months"))], method="by_first_event"
    )

    class Meta:
        model = Standing
        fields = ()

    def __init__(self, data: Any, rating_list: RatingList, day: dt.date, queryset: QuerySet[Any] | None = None) -> None:
        self.active_on, self.rating_list = None if data.get("active") == "all" else day, rating_list
        standings = published_standings(rating_list, self.active_on) if queryset is None else queryset
        super().__init__(data, rating_list, day, standings)
        years = rating_list.effective_active_years
        self.filters["active"].extra["empty_label"] = (
            _("all")
            if years is None
            else ngettext("active in the last %d year", "active in the last %d years", years) % years
        )

    def groups_of(self, offered: Choices) -> PublicGroups:
        return offered.active_groups if self.active_on else offered.groups

    @property
    def on_day(self) -> dt.date | None:
        """Past day whose list is requested; None for the current list."""
        day: dt.date | None = self.values.get("on")
        return day if day and day < self.day else None

    def by_first_event(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """Filter by a first rated event on the list in the last twelve months."""
        earlier = Change.objects.filter(
            list=self.rating_list, player=OuterRef("player"), games__gt=0, day__lt=self.day - YEAR
        )
        return queryset.filter(~Exists(earlier), games__gt=0)

    def unfiltered(self, queryset: QuerySet[Any], name: str, value: Any) -> QuerySet[Any]:
        return queryset


class DatedFilter(ListFilter):
    class Meta:
        model = DatedLine
        fields = ()
