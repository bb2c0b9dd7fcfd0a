"""Which events a page, a calendar file or a feed shows, as its address says."""

from __future__ import annotations

from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _
from django_countries import countries

from portal.templatetags.portal_format import countries_by_name
from ratings.models import Club, Event, RatingList
from ratings.queries.events import clubs_with, countries_with, known_events, years_of
from ratings.queries.lists import public_lists
from ratings.queries.search import name_has, parts_of


class CalendarFilter(django_filters.FilterSet):
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
        # what an address names is chosen also while it has no event: somebody may have subscribed to it
        told = known_events()  # also of events that are over: the next one will be there
        codes = dict.fromkeys([*countries_with(told), str(data.get("country", "")).upper()])
        named = countries_by_name(code for code in codes if code in countries.countries)
        self.filters["country"].extra["choices"] = [(code, f"{name} ({code})") for name, code in named]
        several = clubs_with(told) | Club.objects.filter(public_id=data.get("club", "")[:12])
        self.filters["club"].queryset = several.order_by("name")

    def filter_queryset(self, queryset: QuerySet[Event]) -> QuerySet[Event]:
        """An unknown choice chooses nothing."""
        return super().filter_queryset(queryset) if self.is_valid() else queryset.none()

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
