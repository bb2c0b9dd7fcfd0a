"""Filters for the events of a page, a calendar file or a feed, taken from its address."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import django_filters
from django.db.models import QuerySet
from django.utils.functional import cached_property
from django.utils.translation import gettext_lazy as _
from django_stubs_ext import StrOrPromise

from portal.site.fields import make_name_widget
from portal.site.filter_chips import ChipFilterSet
from portal.site.filters import SubscriptionFilterSet
from ratings.models import Club, Event, RatingList
from ratings.queries.events.events import clubs_with, countries_with, events_with_page, years_of
from ratings.queries.lists.lists import public_lists
from ratings.queries.site.search import name_filter, parts_of


class CalendarFilter(SubscriptionFilterSet, ChipFilterSet):
    list = django_filters.ModelChoiceFilter(
        label=_("List"),
        field_name="lists",
        queryset=RatingList.objects.none(),
        to_field_name="slug",
        empty_label=_("all"),
    )
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

    @cached_property
    def has_several_lists(self) -> bool:
        """Return True if there is more than one list to choose from."""
        return bool(self.filters["list"].queryset.count() > 1)

    @property
    def rating_list(self) -> RatingList | None:
        """The chosen list; None if none is chosen."""
        return self.values.get("list")

    @property
    def shared_fields(self) -> dict[str, str]:
        """Fields of the address that the results, the calendar and both feeds share."""
        return {name: self.data[name] for name in CalendarFilter.Meta.fields if self.data.get(name)}

    @property
    def chip_fields(self) -> dict[StrOrPromise, Sequence[str]]:
        """Country, club, and the list if there are several."""
        chips: dict[StrOrPromise, Sequence[str]] = {_("Country"): ("country",), _("Club"): ("club",)}
        return {_("List"): ("list",), **chips} if self.has_several_lists else chips


class EventFilter(CalendarFilter):
    suggested_kind = "events"
    q = django_filters.CharFilter(label=_("Name"), method="by_name", widget=make_name_widget(_("Name")))
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

    @property
    def chip_fields(self) -> dict[StrOrPromise, Sequence[str]]:
        """The year, and the fields of the calendar."""
        return {_("Year"): ("year",), **super().chip_fields}
