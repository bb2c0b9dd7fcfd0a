from __future__ import annotations

import datetime as dt
from typing import Any

import django_filters
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from portal.templatetags.portal_format import country_name
from ratings.matching import fold
from ratings.models import Club, RatingList, Shown, Standing
from ratings.queries.lists import clubs_of, countries_of, published_standings


class StandingFilter(django_filters.FilterSet):
    q = django_filters.CharFilter(label=_("Name"), method="by_name")
    country = django_filters.ChoiceFilter(label=_("Country"), field_name="player__country", empty_label=_("all"))
    club = django_filters.ModelChoiceFilter(
        label=_("Club"), queryset=Club.objects.none(), to_field_name="public_id", method="by_club", empty_label=_("all")
    )
    grade = django_filters.ChoiceFilter(label=_("Grade"), empty_label=_("all"))
    active = django_filters.ChoiceFilter(
        label=_("Players"),
        choices=[("all", _("all"))],
        method="unfiltered",
    )

    class Meta:
        model = Standing
        fields = ("q", "country", "club", "grade", "active")

    def __init__(self, data: Any, rating_list: RatingList, today: dt.date) -> None:
        active_on = None if data.get("active") == "all" else today
        super().__init__(data, queryset=published_standings(rating_list, active_on))
        years = rating_list.years_active
        active = ngettext("active in the last %d year", "active in the last %d years", years) % years
        self.filters["active"].extra["empty_label"] = active
        countries = countries_of(rating_list)
        self.filters["country"].extra["choices"] = [(code, f"{country_name(code)} ({code})") for code in countries]
        self.filters["grade"].extra["choices"] = [
            (grade, grade) for grade in reversed(rating_list.rating_system.grades)
        ]
        if not rating_list.graded:
            del self.filters["grade"]
        self.filters["club"].queryset = clubs_of(rating_list)

    def by_name(self, queryset: QuerySet[Standing], name: str, value: str) -> QuerySet[Standing]:
        """By any parts of the names of those who are shown in full, by the public id anybody."""
        named = Q(player__shown=Shown.FULL)
        for part in fold(value).split():
            named &= Q(player__search_name__contains=part)
        return queryset.filter(named | Q(player__public_id__iexact=value.strip()))

    def by_club(self, queryset: QuerySet[Standing], name: str, value: Club) -> QuerySet[Standing]:
        queryset = queryset.filter(player__memberships__club=value, player__memberships__end__isnull=True)
        return queryset.exclude(player__shown=Shown.ANONYMOUS)

    def unfiltered(self, queryset: QuerySet[Standing], name: str, value: str) -> QuerySet[Standing]:
        return queryset
