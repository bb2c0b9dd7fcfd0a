from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from portal.lists.listings import WIDE_NUMBER
from portal.templatetags.portal_format import country_name, flag, rating
from ratings.localize import join_details
from ratings.matching import fold
from ratings.models import RatingList
from ratings.queries.players.countries import Country

UNKNOWN = float("-inf")  # sorts below every rating


class CountryListing(tables.Table):
    """Table of the countries on a list; links to countries end with `query`."""

    label = _("Countries")
    name = tables.Column(verbose_name=_("Country"), attrs={"td": {"class": "name who"}})
    line = tables.Column(
        verbose_name=_("Active, clubs"),
        empty_values=(),
        orderable=False,
        attrs={"td": {"class": "second-line only-narrow"}, "th": {"class": "only-narrow"}},
    )
    active = tables.Column(verbose_name=_("Active"), attrs=WIDE_NUMBER, initial_sort_descending=True)
    players = tables.Column(verbose_name=_("Players"), attrs=WIDE_NUMBER, initial_sort_descending=True)
    top = tables.Column(
        verbose_name=_("Mean of the ten best"),
        empty_values=(),
        initial_sort_descending=True,
        attrs={"td": {"class": "number strong rating"}, "th": {"class": "number"}},
    )
    clubs = tables.Column(verbose_name=_("Clubs"), attrs=WIDE_NUMBER, initial_sort_descending=True)
    events = tables.Column(verbose_name=_("Events"), attrs=WIDE_NUMBER, initial_sort_descending=True)

    class Meta:
        sequence = ("name", "line", "active", "players", "top", "clubs", "events")
        order_by = "-active"
        attrs = {"class": "listing stack named plain", "role": "table"}

    def __init__(
        self, rating_list: RatingList, countries: list[Country], query: str = "", *args: Any, **kwargs: Any
    ) -> None:
        self.rating_list, self.query = rating_list, query
        rows = [
            {
                **vars(country),
                "name": country_name(country.code),
                "top": UNKNOWN if country.top is None else country.top,
            }
            for country in countries
        ]
        if not any(country.players for country in countries):  # the list's statistics are not computed yet
            kwargs |= {"exclude": ("line", "active", "players", "top"), "order_by": "name"}
        super().__init__(sorted(rows, key=lambda row: fold(row["name"])), *args, **kwargs)

    def render_name(self, record: dict[str, Any], value: str) -> SafeString:
        address = reverse("country", args=[record["code"]]) + self.query
        return format_html('{} <a href="{}">{}</a>', flag(record["code"]), address, value)

    def render_line(self, record: dict[str, Any]) -> str:
        """Return the second line of a row on a phone: active players and clubs."""
        active, clubs = record["active"], record["clubs"]
        parts = [
            ngettext("%(players)d active player", "%(players)d active players", active) % {"players": active},
            ngettext("%(clubs)d club", "%(clubs)d clubs", clubs) % {"clubs": clubs} if clubs else "",
        ]
        return join_details(parts)

    def render_top(self, value: float) -> str:
        return rating(None if value == UNKNOWN else value, self.rating_list)
