"""Base class of filters whose addresses are used in subscriptions to feeds and calendars."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import django_filters
from django.db.models import QuerySet
from django_countries import countries

from portal.templatetags.portal_format import sorted_countries
from ratings.models import Club


class SubscriptionFilterSet(django_filters.FilterSet):
    """Filter set with `country`, `club` and other fields; an invalid choice selects nothing."""

    def set_choices(self, codes: Iterable[str], clubs: QuerySet[Club]) -> None:
        """Set the choices of country and club; those in the address stay, as somebody may have subscribed to it."""
        all_codes = dict.fromkeys([*codes, str(self.data.get("country", "")).upper()])
        by_name = sorted_countries(code for code in all_codes if code in countries.countries)
        self.filters["country"].extra["choices"] = [(code, f"{name} ({code})") for name, code in by_name]
        offered = clubs | Club.objects.filter(public_id=self.data.get("club", "")[:12])
        self.filters["club"].queryset = offered.order_by("name")

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return super().filter_queryset(queryset) if self.is_valid() else queryset.none()
