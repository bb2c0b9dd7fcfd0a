from __future__ import annotations

import django_tables2 as tables
from django.utils.translation import gettext_lazy as _

from portal.listings.standings import NUMBER
from ratings.models import Event


class EventListing(tables.Table):
    end = tables.DateColumn(verbose_name=_("Last day"), format="Y-m-d", order_by=("end", "start"))
    name = tables.Column(
        verbose_name=_("Event"), linkify=lambda record: record.get_absolute_url(), attrs={"td": {"class": "name"}}
    )
    place = tables.Column(verbose_name=_("Place"))
    country = tables.Column(verbose_name=_("Country"), accessor="country__name", order_by=("country", "-end"))
    players = tables.Column(verbose_name=_("Players"), attrs=NUMBER, orderable=False)

    lists = tables.ManyToManyColumn(verbose_name=_("List"), transform=lambda one: one.name, orderable=False)

    class Meta:
        model = Event
        fields = ()
        sequence = ("end", "name", "place", "country", "lists", "players")
        attrs = {"class": "listing"}
