from __future__ import annotations

import datetime as dt
from typing import Any

import django_tables2 as tables
from django.db.models import QuerySet
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from portal.lists.listings import ROOMY, WIDE, WIDE_NUMBER
from portal.templatetags.portal_format import flag, grade_badge, marked_name, rating
from ratings.localize import format_day
from ratings.models import Player, RatingList
from ratings.queries.players.clubs import members_by_rating
from ratings.queries.players.names import by_public_name


class MemberListing(tables.Table):
    """Table of a club's members with their ratings on a list."""

    label = _("Members")
    name = tables.Column(
        verbose_name=_("Name"),
        accessor="public_name",
        attrs={"td": {"class": "name who"}},
    )
    line = tables.Column(
        verbose_name=_("Country, grade, last played"),
        empty_values=(),
        orderable=False,
        attrs={"td": {"class": "second-line only-narrow"}, "th": {"class": "only-narrow"}},
    )
    country = tables.Column(verbose_name=_("Country"), accessor="country__name", orderable=False, attrs=ROOMY)
    grade = tables.Column(verbose_name=_("Grade"), orderable=False, attrs=WIDE)
    rating = tables.Column(
        verbose_name=_("Rating"), attrs={"td": {"class": "number strong rating"}, "th": {"class": "number"}}
    )
    games = tables.Column(verbose_name=_("Games"), orderable=False, attrs=WIDE_NUMBER)
    last_played = tables.Column(verbose_name=_("Last played"), orderable=False, attrs=WIDE)
    start = tables.Column(verbose_name=_("Member since"), orderable=False, attrs=ROOMY)

    class Meta:
        model = Player
        fields = ()
        sequence = ("name", "line", "country", "grade", "rating", "games", "last_played", "start")
        order_by = "-rating"
        attrs = {"class": "listing stack plain", "role": "table"}
        default = "–"

    def __init__(self, rating_list: RatingList | None, *args: Any, **kwargs: Any) -> None:
        self.rating_list = rating_list
        if rating_list is None or not rating_list.has_grades:
            kwargs["exclude"] = ("grade",)
        super().__init__(*args, **kwargs)

    def order_name(self, queryset: QuerySet[Player], is_descending: bool) -> tuple[QuerySet[Player], bool]:
        by_name = queryset.order_by(*by_public_name())
        return by_name.reverse() if is_descending else by_name, True

    def order_rating(self, queryset: QuerySet[Player], is_descending: bool) -> tuple[QuerySet[Player], bool]:
        """Sort by rating; members without one come last in descending order, first in ascending order."""
        by_rating = members_by_rating(queryset)
        return by_rating if is_descending else by_rating.reverse(), True

    def render_name(self, record: Player) -> SafeString:
        query = f"?list={self.rating_list.slug}" if self.rating_list else ""
        return format_html('<a href="{}{}">{}</a>', record.get_absolute_url(), query, marked_name(record))

    def render_line(self, record: Any) -> SafeString:
        """Return the second line of a row on a phone: flag, country code, grade and the day of the last event."""
        grade = grade_badge(record.grade) if self.rating_list and self.rating_list.has_grades else ""
        day = format_day(record.last_played) if record.last_played else ""
        return format_html(
            '{} {} {} <span class="cut">{}</span>', flag(record.country), record.country.code or "", grade, day
        )

    def render_country(self, record: Player, value: str) -> SafeString:
        return format_html("{} {}", flag(record.country), value)

    def render_grade(self, value: str) -> SafeString | str:
        return grade_badge(value)

    def render_last_played(self, value: dt.date) -> str:
        return format_day(value)

    def render_start(self, value: dt.date) -> str:
        return format_day(value)

    def render_rating(self, value: float) -> str:
        return rating(value, self.rating_list)
