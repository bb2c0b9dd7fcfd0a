from __future__ import annotations

import django_tables2 as tables
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from portal.listings.standings import NUMBER
from portal.templatetags.portal_format import countries_by_name
from ratings.models import Event
from ratings.queries.events import countries_with, public_events
from ratings.queries.names import place_of_country


class EventListing(tables.Table):
    label = _("Events")
    end = tables.DateColumn(verbose_name=_("Last day"), format="Y-m-d", order_by=("end", "start"))
    name = tables.Column(
        verbose_name=_("Event"), linkify=lambda record: record.get_absolute_url(), attrs={"td": {"class": "name"}}
    )
    place = tables.Column(verbose_name=_("Place"))
    country = tables.Column(verbose_name=_("Country"), accessor="country__name")
    players = tables.Column(verbose_name=_("Players"), attrs=NUMBER, orderable=False)

    lists = tables.ManyToManyColumn(verbose_name=_("List"), transform=lambda one: one.name, orderable=False)

    class Meta:
        model = Event
        fields = ()
        sequence = ("end", "name", "place", "country", "lists", "players")
        attrs = {"class": "listing"}

    def order_country(self, queryset: QuerySet[Event], is_descending: bool) -> tuple[QuerySet[Event], bool]:
        """By the countries' names in the language of the page, those without one last; of each the newest first."""
        order = [code for _name, code in countries_by_name(countries_with(public_events()))]
        place = place_of_country(order[::-1] if is_descending else order)
        return queryset.order_by(place, "-end", "-start", "name"), True
