"""What the lines of a list are chosen by, in its address: of the live list, of a dated one, of one as of a day."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Any

import django_filters
import numpy as np
from django import forms
from django.core.validators import MinValueValidator
from django.db.models import F, IntegerField, Q, QuerySet
from django.db.models.functions import Coalesce, ExtractYear
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext
from django_countries import countries

from portal.forms import DAY, FIRST_DAY
from portal.templatetags.portal_format import countries_by_name
from ratings.models import Club, DatedLine, Player, RatingList, Shown, Standing
from ratings.queries.choices import choices_of
from ratings.queries.lists import published_standings
from ratings.queries.past import Rows, by_rating, past_rows, ranks_among
from ratings.queries.ranks import Ranks
from ratings.queries.search import meant_by, name_has, parts_of
from ratings.translating import translated

MOST_GAMES = 99_999
SETTLED = "settled"
FIRST = ("q", "country", "active")  # the other filters are folded away until asked for
AGES = {
    "u12": (_("under 12"), 0, 11), "u16": (_("under 16"), 0, 15), "u20": (_("under 20"), 0, 19),
    "50": (_("50 and older"), 50, 150), "65": (_("65 and older"), 65, 150),
}  # fmt: skip


class WholeNumberFilter(django_filters.NumberFilter):
    field_class = forms.IntegerField


class LineFilter(django_filters.FilterSet):
    to_player = "player__"

    q = django_filters.CharFilter(label=_("Name"), method="by_name")
    country = django_filters.ChoiceFilter(label=_("Country"), field_name="player__country", empty_label=_("all"))
    club = django_filters.ChoiceFilter(label=_("Club"), method="by_club", empty_label=_("all"))
    grade = django_filters.ChoiceFilter(label=_("Grade"), method="by_grade", empty_label=_("all"))
    grade_to = django_filters.ChoiceFilter(label=_("… to grade"), method="by_grade", empty_label="–")
    category = django_filters.ChoiceFilter(label=_("Category"), method="by_category", empty_label=_("all"))
    age = django_filters.ChoiceFilter(label=_("Age"), method="by_age", empty_label=_("all"))
    games = WholeNumberFilter(
        label=_("Games at least"), field_name="games", lookup_expr="gte", min_value=0, max_value=MOST_GAMES
    )

    def __init__(self, data: Any, rating_list: RatingList, day: dt.date, queryset: QuerySet[Any]) -> None:
        super().__init__(data, queryset=queryset)
        self.day, self.system = day, rating_list.rating_system
        offered = choices_of(rating_list)
        legend = [(category, translated(category)) for category in self.system.legend]
        # a country whose last player left the list still has its address: with nobody
        asked = str(data.get("country", "")).upper()
        codes = dict.fromkeys([*offered.countries, *([asked] if asked in countries.countries else [])])
        named = countries_by_name(codes)
        self.offer("country", [(code, f"{name} ({code})") for name, code in named])
        if offered.clubs is None:
            self.filters["club"] = django_filters.CharFilter(label=_("Club (name or public id)"), method="by_club")
        else:
            self.offer("club", offered.clubs)
        self.offer("age", [(key, label) for key, (label, *_ages) in AGES.items()] if offered.ages else ())
        self.offer("category", [(SETTLED, _("without a mark")), *legend] if legend else ())
        grades = [(grade, grade) for grade in reversed(self.system.grades)] if rating_list.graded else ()
        self.offer("grade", grades)
        self.offer("grade_to", grades)

    def offer(self, name: str, choices: Sequence[Any]) -> None:
        """The choices of a filter, which is left out where there are none."""
        self.filters[name].extra["choices"] = choices
        if not choices:
            del self.filters[name]

    @property
    def wrong(self) -> list[str]:
        """What is asked that cannot be, in words."""
        self.form.is_valid()
        return [f"{self.form[name].label}: {' '.join(map(str, told))}" for name, told in self.form.errors.items()]

    @property
    def told(self) -> str:
        """All that the form is written from, but for the language."""
        given = [(name, self.data.getlist(name)) for name in self.filters if name in self.data]
        offered = (
            (name, str(one.extra.get("empty_label")), one.extra.get("choices")) for name, one in self.filters.items()
        )
        return repr([given, *offered])

    @property
    def chosen(self) -> bool:
        """Whether anything chooses among the players."""
        return bool(set(self.values) - {"active", "on"})

    @property
    def values(self) -> dict[str, Any]:
        """What is given, without values that cannot be."""
        self.form.is_valid()  # reads what is given
        given: dict[str, Any] = self.form.cleaned_data if self.is_bound else {}
        return {name: value for name, value in given.items() if value not in {None, ""}}

    @property
    def first_fields(self) -> list[forms.BoundField]:
        return [self.form[name] for name in FIRST if name in self.form.fields]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        return [self.form[name] for name in self.form.fields if name not in FIRST]

    @property
    def more_given(self) -> bool:
        """Whether one of the fields that are folded away was given, rightly or not."""
        return any(self.data.get(field.name) for field in self.more_fields)

    def by_name(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """By any parts of the names of those who are shown in full, by the public id anybody."""
        return queryset.filter(meant_by(value, self.to_player))

    def by_club(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """Present members; who is not shown by name is in no club."""
        clubs = Club.objects.filter(Q(public_id=value) | name_has(parts_of(value)))
        present = self.of_player(memberships__club__in=clubs.values("pk"), memberships__end__isnull=True)
        return queryset.filter(present).exclude(self.of_player(shown=Shown.ANONYMOUS))

    def of_player(self, **conditions: Any) -> Q:
        return Q(**{f"{self.to_player}{field}": value for field, value in conditions.items()})

    @property
    def grade_span(self) -> tuple[int, int]:
        """Places in the scale: of one grade, of all from it to the other one, or of all up to that."""
        grades, values = list(self.system.grades), self.values
        ends = [grades.index(values[name]) for name in ("grade", "grade_to") if name in values]
        return (min(ends) if "grade" in values else 0), max(ends)

    def by_grade(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        low, high = self.grade_span
        return queryset.filter(grade__in=self.system.grades[low : high + 1])

    def by_category(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        marked = Q(category__in=self.system.legend)
        return queryset.filter(~marked if value == SETTLED else Q(category=value))

    def by_age(self, queryset: QuerySet[Any], name: str, value: str) -> QuerySet[Any]:
        """By the year of birth, among those who are shown by name and let it be shown."""
        _label, youngest, oldest = AGES[value]
        of_date, year = ExtractYear(f"{self.to_player}birth_date"), F(f"{self.to_player}birth_year")
        years = Q(born__range=(self.day.year - oldest, self.day.year - youngest))
        queryset = queryset.alias(born=Coalesce(of_date, year, output_field=IntegerField()))
        return queryset.filter(years & self.of_player(birth_public=True, shown=Shown.FULL))


class StandingFilter(LineFilter):
    active = django_filters.ChoiceFilter(label=_("Players"), choices=[("all", _("all"))], method="unfiltered")
    on = django_filters.DateFilter(
        label=_("As of"), method="unfiltered", validators=[MinValueValidator(FIRST_DAY)], widget=DAY
    )

    class Meta:
        model = Standing
        fields = ()

    def __init__(self, data: Any, rating_list: RatingList, day: dt.date, queryset: QuerySet[Any] | None = None) -> None:
        self.active_on = None if data.get("active") == "all" else day
        standings = published_standings(rating_list, self.active_on) if queryset is None else queryset
        super().__init__(data, rating_list, day, standings)
        years = rating_list.years_active
        active = ngettext("active in the last %d year", "active in the last %d years", years) % years
        self.filters["active"].extra["empty_label"] = active

    @property
    def on_day(self) -> dt.date | None:
        """A past day whose list is asked for."""
        day: dt.date | None = self.values.get("on")
        return day if day and day < self.day else None

    def unfiltered(self, queryset: QuerySet[Any], name: str, value: Any) -> QuerySet[Any]:
        return queryset


class DatedFilter(LineFilter):
    class Meta:
        model = DatedLine
        fields = ()


class AsOfFilter(StandingFilter):
    """The same of the rows of a past day: players are chosen by the database, the rest by the rows' numbers."""

    to_player = ""
    of_players = frozenset({"q", "country", "club", "age"})

    class Meta:
        model = Player
        fields = ()

    def __init__(self, data: Any, rating_list: RatingList, day: dt.date) -> None:
        super().__init__(data, rating_list, day, Player.objects.all())
        self.rows = past_rows(rating_list, day)
        if self.active_on:
            self.rows = self.rows[self.rows["active"]]
        if "country" in self.filters:
            self.filters["country"].field_name = "country"
        for name in {"grade", "grade_to", "category", "games"} & set(self.filters):
            self.filters[name].method = "unfiltered"

    @property
    def chosen_rows(self) -> tuple[Rows, Ranks]:
        """From the highest rating down, and the ranks among all."""
        rows, values = self.rows, self.values
        fits = np.ones(len(rows), dtype=np.bool_)
        if self.of_players & set(values):
            fits &= np.isin(rows["player"], np.fromiter(self.qs.values_list("pk", flat=True), dtype=np.int64))
        if "grade" in values or "grade_to" in values:
            low, high = self.grade_span
            fits &= (rows["grade"] >= low) & (rows["grade"] <= high)
        if "category" in values:
            marked = [key.encode() for key in self.system.legend]
            category = values["category"]
            fits &= ~np.isin(rows["category"], marked) if category == SETTLED else rows["category"] == category.encode()
        fits &= rows["games"] >= values.get("games", 0)
        return by_rating(rows[fits]), ranks_among(rows)
