from __future__ import annotations

import django_tables2 as tables
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from portal.lists.listings import NUMBER
from portal.templatetags.portal_format import sorted_countries
from ratings.models import Event
from ratings.queries.events.events import countries_with, public_events
from ratings.queries.players.names import country_position


class EventListing(tables.Table):
    label = _("Events")
    end = tables.DateColumn(verbose_name=_("Last day"), format="Y-m-d", order_by=("end", "start"))
    name = tables.Column(
        verbose_name=_("Event"), linkify=lambda record: record.get_absolute_url(), attrs={"td": {"class": "name"}}
    )
    place = tables.Column(verbose_name=_("Place"))
    country = tables.Column(verbose_name=_("Country"), accessor="country__name")
    players = tables.Column(verbose_name=_("Players"), attrs=NUMBER, orderable=False)

    lists = tables.ManyToManyColumn(
        verbose_name=_("List"), transform=lambda rating_list: rating_list.name, orderable=False
    )

    class Meta:
        model = Event
        fields = ()
        sequence = ("end", "name", "place", "country", "lists", "players")
        order_by = "-end"
        attrs = {"class": "listing"}

    def order_country(self, queryset: QuerySet[Event], is_descending: bool) -> tuple[QuerySet[Event], bool]:
        """Sort by country name in the active language, events without a country last, then newest first."""
        order = [code for _name, code in sorted_countries(countries_with(public_events()))]
        place = country_position(order[::-1] if is_descending else order)
        return queryset.order_by(place, "-end", "-start", "name"), True
