"""Filters for the events of a page, a calendar file or a feed, taken from its address."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from portal.site.filters import SubscriptionFilterSet
from ratings.models import Club, Event, RatingList
from ratings.queries.events.events import clubs_with, countries_with, events_with_page, years_of
from ratings.queries.lists.lists import public_lists
from ratings.queries.site.search import name_filter, parts_of


class CalendarFilter(SubscriptionFilterSet):
    list = django_filters.ModelChoiceFilter(
        label=_("List"), field_name="lists", queryset=RatingList.objects.none(), to_field_name="slug",
        empty_label=_("all"),
    )  # fmt: skip
    country = django_filters.ChoiceFilter(label=_("Country"), empty_label=_("all"))
    club = django_filters.ModelChoiceFilter(
        label=_("Club"), queryset=Club.objects.none(), to_field_name="public_id", empty_label=_("all")
    )

    class Meta:
        model = Event
        fields = ("list", "country", "club")

    def __init__(self, data: Any, events: QuerySet[Event]) -> None:
        super().__init__(data, queryset=events)
        self.filters["list"].queryset = public_lists().filter(comparison_to=None)
        public = events_with_page()  # past events included: the next one may be there
        self.set_choices(countries_with(public), clubs_with(public))

    @property
    def is_filtered(self) -> bool:
        """True if the address sets any filter."""
        return any(self.data.get(name) for name in self.filters)


class EventFilter(CalendarFilter):
    q = django_filters.CharFilter(label=_("Name"), method="by_name")
    year = django_filters.ChoiceFilter(label=_("Year"), field_name="end__year", empty_label=_("all"))

    class Meta:
        model = Event
        fields = ("q", "list", "country", "year", "club")

    def __init__(self, data: Any, events: QuerySet[Event]) -> None:
        super().__init__(data, events)
        self.filters["year"].extra["choices"] = [(str(year), str(year)) for year in years_of(events)]

    def by_name(self, events: QuerySet[Event], _field: str, value: str) -> QuerySet[Event]:
        """Filter by any parts of the name, in any order."""
        return events.filter(name_filter(parts_of(value)))
