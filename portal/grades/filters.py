from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from portal.site.fields import make_day_widget
from portal.site.filters import SubscriptionFilterSet
from ratings.models import Award, Club, NameVisibility, RatingList
from ratings.queries.grades.awards import with_state
from ratings.queries.lists.lists import clubs_of, countries_of, promotions


def in_club(queryset: QuerySet[Any], _name: str, value: Club) -> QuerySet[Any]:
    """Filter by current members of a club; players shown anonymously count as members of no club."""
    queryset = queryset.filter(player__memberships__club=value, player__memberships__end__isnull=True)
    return queryset.exclude(player__shown=NameVisibility.ANONYMOUS)


class PromotionFilter(SubscriptionFilterSet):
    since = django_filters.DateFilter(label=_("From"), field_name="day", lookup_expr="gte")
    until = django_filters.DateFilter(label=_("To"), field_name="day", lookup_expr="lte")
    event = django_filters.CharFilter(label=_("Event"), field_name="table__event__name", lookup_expr="icontains")
    country = django_filters.ChoiceFilter(label=_("Country"), field_name="player__country", empty_label=_("all"))
    club = django_filters.ModelChoiceFilter(
        label=_("Club"), queryset=Club.objects.none(), to_field_name="public_id", method=in_club, empty_label=_("all")
    )
    grade = django_filters.ChoiceFilter(label=_("Grade"), empty_label=_("all"))

    class Meta:
        model = Award
        fields = ("since", "until", "event", "country", "club", "grade")

    def __init__(self, data: Any, rating_list: RatingList) -> None:
        super().__init__(data, queryset=with_state(promotions(rating_list)))
        for name in ("since", "until"):
            self.filters[name].extra["widget"] = make_day_widget()
        grades = reversed(rating_list.rating_system.grading.grades)
        self.filters["grade"].extra["choices"] = [(grade, grade) for grade in grades]
        self.set_choices(countries_of(rating_list), clubs_of(rating_list))
