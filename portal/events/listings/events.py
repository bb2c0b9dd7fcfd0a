from __future__ import annotations

import datetime as dt
from typing import Any

import django_tables2 as tables
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from portal.lists.listings import WIDE, WIDE_NUMBER
from portal.templatetags.portal_format import flag, sorted_countries
from ratings.localize import join_details
from ratings.models import Event
from ratings.queries.events.events import countries_with, public_events
from ratings.queries.players.names import country_position


class EventListing(tables.Table):
    """Table of accepted events; on a phone a row has the day, the name, and a line with place and players."""

    label = _("Events")
    end = tables.DateColumn(
        verbose_name=_("Last day"),
        order_by=("end", "start"),
        attrs={"td": {"class": "pos"}},
    )
    name = tables.Column(
        verbose_name=_("Event"), linkify=lambda record: record.get_absolute_url(), attrs={"td": {"class": "name who"}}
    )
    line = tables.Column(
        verbose_name=_("Place, players"),
        empty_values=(),
        orderable=False,
        attrs={"td": {"class": "second-line only-narrow"}, "th": {"class": "only-narrow"}},
    )
    place = tables.Column(verbose_name=_("Place"), attrs=WIDE)
    country = tables.Column(verbose_name=_("Country"), accessor="country__name", attrs=WIDE)
    players = tables.Column(verbose_name=_("Players"), attrs=WIDE_NUMBER, orderable=False)
    lists = tables.ManyToManyColumn(
        verbose_name=_("List"), transform=lambda rating_list: rating_list.name, orderable=False, attrs=WIDE
    )

    class Meta:
        model = Event
        fields = ()
        sequence = ("end", "name", "line", "place", "country", "lists", "players")
        order_by = "-end"
        attrs = {"class": "listing stack named dated", "role": "table"}

    def __init__(self, events: QuerySet[Event], *, shows_lists: bool) -> None:
        super().__init__(events, exclude=() if shows_lists else ("lists",))

    def order_country(self, queryset: QuerySet[Event], is_descending: bool) -> tuple[QuerySet[Event], bool]:
        """Sort by country name in the active language, events without a country last, then newest first."""
        order = [code for _name, code in sorted_countries(countries_with(public_events()))]
        place = country_position(order[::-1] if is_descending else order)
        return queryset.order_by(place, "-end", "-start", "name"), True

    def render_end(self, value: dt.date) -> SafeString:
        return render_to_string("site/day.html", {"day": value})

    def render_country(self, record: Event, value: str) -> SafeString:
        return format_html("{} {}", flag(record.country), value)

    def render_line(self, record: Any) -> SafeString:
        """Return the second line of a row on a phone: flag, place and number of players."""
        players = ngettext("%(players)d player", "%(players)d players", record.players) % {"players": record.players}
        parts = [record.place or record.country.name, players if record.players else ""]
        return format_html('{} <span class="cut">{}</span>', flag(record.country), join_details(parts))
