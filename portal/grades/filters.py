from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from portal.site.fields import make_day_widget
from portal.site.filter_chips import ChipFilterSet, Lens
from portal.site.filters import SubscriptionFilterSet
from ratings.models import Award, Club, NameVisibility, RatingList
from ratings.queries.grades.awards import with_state
from ratings.queries.lists.list_countries import countries_of
from ratings.queries.lists.lists import clubs_of, promotions

DAN = "Dan"


def in_club(queryset: QuerySet[Any], _name: str, value: Club) -> QuerySet[Any]:
    """Filter by current members of a club; players shown anonymously count as members of no club."""
    queryset = queryset.filter(player__memberships__club=value, player__memberships__end__isnull=True)
    return queryset.exclude(player__shown=NameVisibility.ANONYMOUS)


def with_dan(queryset: QuerySet[Any], _name: str, _value: str) -> QuerySet[Any]:
    """Filter by promotions to a Dan grade."""
    return queryset.filter(grade__endswith=DAN)


class PromotionFilter(SubscriptionFilterSet, ChipFilterSet):
    """Filter of the promotions on a list, with a choice of the years in which there were promotions."""

    dan = django_filters.ChoiceFilter(label=_("Dan only"), choices=[("1", _("Dan only"))], method=with_dan)
    country = django_filters.ChoiceFilter(label=_("Country"), field_name="player__country", empty_label=_("all"))
    club = django_filters.ModelChoiceFilter(
        label=_("Club"), queryset=Club.objects.none(), to_field_name="public_id", method=in_club, empty_label=_("all")
    )
    grade = django_filters.ChoiceFilter(label=_("Grade"), empty_label=_("all"))
    year = django_filters.ChoiceFilter(
        label=_("Year"), field_name="day", lookup_expr="year", choices=(), empty_label=_("all")
    )
    event = django_filters.CharFilter(label=_("Event"), field_name="table__event__name", lookup_expr="icontains")
    since = django_filters.DateFilter(label=_("From"), field_name="day", lookup_expr="gte")
    until = django_filters.DateFilter(label=_("To"), field_name="day", lookup_expr="lte")

    class Meta:
        model = Award
        fields = ("dan", "country", "club", "grade", "year", "event", "since", "until")

    def __init__(self, data: Any, rating_list: RatingList, years: Iterable[int] = ()) -> None:
        super().__init__(data, queryset=with_state(promotions(rating_list)))
        for name in ("since", "until"):
            self.filters[name].extra["widget"] = make_day_widget()
        grades = list(reversed(rating_list.rating_system.grading.grades))
        self.has_dan = any(grade.endswith(DAN) for grade in grades)
        self.filters["grade"].extra["choices"] = [(grade, grade) for grade in grades]
        requested = str(data.get("year", ""))  # somebody may have subscribed to a year without promotions
        offered = dict.fromkeys([*map(str, years), *re.findall(r"^[1-9][0-9]{3}$", requested)])
        self.filters["year"].extra["choices"] = [(year, year) for year in offered]
        self.set_choices(countries_of(rating_list), clubs_of(rating_list))

    @property
    def lenses(self) -> list[Lens]:
        """All promotions, and those to a Dan grade if the list has them."""
        values = self.values
        lenses = [Lens(_("All grades"), self.address_with(dan="", grade=""), not {"dan", "grade"} & set(values))]
        if self.has_dan:
            chosen = "dan" in values
            lenses.append(Lens(_("Dan only"), self.address_with(dan="" if chosen else "1"), chosen, removes=True))
        return lenses

    @property
    def chip_fields(self) -> dict[StrOrPromise, Sequence[str]]:
        """Country, club, grade, year, and the fields that few need."""
        return {
            _("Country"): ("country",),
            _("Club"): ("club",),
            _("Grade"): ("grade",),
            _("Year"): ("year",),
            _("More"): ("event", "since", "until"),
        }
