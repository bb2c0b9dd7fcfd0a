"""Which events a page, a calendar file or a feed shows, as its address says."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from portal.choosing import Choosing
from ratings.models import Club, Event, RatingList
from ratings.queries.events import clubs_with, countries_with, known_events, years_of
from ratings.queries.lists import public_lists
from ratings.queries.search import name_has, parts_of


class CalendarFilter(Choosing):
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
        told = known_events()  # also of events that are over: the next one will be there
        self.offer(countries_with(told), clubs_with(told))

    @property
    def chosen(self) -> bool:
        """Whether the address chooses anything."""
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
        """By any parts of it, in any order."""
        return events.filter(name_has(parts_of(value)))
