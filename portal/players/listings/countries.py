from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from portal.lists.listings import NUMBER
from portal.templatetags.portal_format import country_name, rating
from ratings.matching import fold
from ratings.models import RatingList
from ratings.queries.players.countries import Country

UNKNOWN = float("-inf")  # sorts below every rating


class CountryListing(tables.Table):
    """Table of the countries on a list."""

    label = _("Countries")
    name = tables.Column(
        verbose_name=_("Country"), linkify=("country", [tables.A("code")]), attrs={"td": {"class": "name"}}
    )
    players = tables.Column(verbose_name=_("Players"), attrs=NUMBER)
    active = tables.Column(verbose_name=_("Active"), attrs=NUMBER)
    top = tables.Column(verbose_name=_("Mean of the ten best"), attrs=NUMBER, empty_values=())
    clubs = tables.Column(verbose_name=_("Clubs"), attrs=NUMBER)
    events = tables.Column(verbose_name=_("Events"), attrs=NUMBER)

    class Meta:
        sequence = ("name", "players", "active", "top", "clubs", "events")
        order_by = "-active"
        attrs = {"class": "listing first-stays"}

    def __init__(self, rating_list: RatingList, countries: list[Country], *args: Any, **kwargs: Any) -> None:
        self.rating_list = rating_list
        rows = [
            {
                **vars(country),
                "name": country_name(country.code),
                "top": UNKNOWN if country.top is None else country.top,
            }
            for country in countries
        ]
        super().__init__(sorted(rows, key=lambda row: fold(row["name"])), *args, **kwargs)

    def render_top(self, value: float) -> str:
        return rating(None if value == UNKNOWN else value, self.rating_list)
