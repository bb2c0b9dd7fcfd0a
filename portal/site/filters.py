"""What filters whose addresses are kept (subscriptions to feeds and calendars) share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import django_filters
from django.db.models import QuerySet
from django_countries import countries

from portal.templatetags.portal_format import countries_by_name
from ratings.models import Club


class Choosing(django_filters.FilterSet):
    """By `country` and `club` among others. An unknown choice chooses nothing."""

    def offer(self, codes: Iterable[str], clubs: QuerySet[Club]) -> None:
        """These and what the address names, also while nothing is of it: somebody may have subscribed to it."""
        named = dict.fromkeys([*codes, str(self.data.get("country", "")).upper()])
        by_name = countries_by_name(code for code in named if code in countries.countries)
        self.filters["country"].extra["choices"] = [(code, f"{name} ({code})") for name, code in by_name]
        several = clubs | Club.objects.filter(public_id=self.data.get("club", "")[:12])
        self.filters["club"].queryset = several.order_by("name")

    def filter_queryset(self, queryset: QuerySet[Any]) -> QuerySet[Any]:
        return super().filter_queryset(queryset) if self.is_valid() else queryset.none()
