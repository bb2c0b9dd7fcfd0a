from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.db.models import F, QuerySet
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from portal.templatetags.portal_format import rating, sign_class, signed
from ratings.models import RatingList, Standing
from ratings.queries.names import by_public_name

NUMBER = {"td": {"class": "number"}, "th": {"class": "number"}}
WIDE = {"td": {"class": "wide"}, "th": {"class": "wide"}}  # left out on a phone


class StandingListing(tables.Table):
    rank = tables.Column(verbose_name=_("Rank"), orderable=False, attrs=NUMBER)
    name = tables.Column(
        verbose_name=_("Name"), accessor="player__public_name",
        linkify=lambda record: record.player.get_absolute_url(), attrs={"td": {"class": "name"}},
    )  # fmt: skip
    country = tables.Column(
        verbose_name=_("Country"), accessor="player__country__name", order_by=("player__country", "-rating"), attrs=WIDE
    )
    club = tables.Column(
        verbose_name=_("Club"), empty_values=(), orderable=False,
        attrs=WIDE,
    )  # fmt: skip
    grade = tables.Column(verbose_name=_("Grade"), order_by=("grade_index", "rating"))
    rating = tables.Column(
        verbose_name=_("Rating"), attrs={"td": {"class": "number strong"}, "th": {"class": "number"}},
    )  # fmt: skip
    games = tables.Column(verbose_name=_("Games"), attrs=NUMBER)
    change = tables.Column(verbose_name=_("±"), accessor="last_change", empty_values=(), attrs=NUMBER)
    last_played = tables.DateColumn(verbose_name=_("Last played"), format="Y-m-d")

    class Meta:
        model = Standing
        fields = ()
        sequence = ("rank", "name", "country", "club", "grade", "rating", "games", "change", "last_played")
        order_by = "-rating"
        attrs = {"class": "listing"}

    def __init__(self, rating_list: RatingList, *args: Any, **kwargs: Any) -> None:
        self.rating_list = rating_list
        if not rating_list.graded:
            kwargs["exclude"] = ("grade",)
        super().__init__(*args, **kwargs)

    def order_name(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        by_name = queryset.order_by(*by_public_name("player__"))
        return by_name.reverse() if is_descending else by_name, True

    def order_rating(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        """Highest first, equals by name."""
        first = F("rating").desc() if is_descending else F("rating").asc()
        return queryset.order_by(first, *by_public_name("player__")), True

    def render_club(self, record: Standing) -> SafeString | str:
        present = record.player.present  # type: ignore[attr-defined] # prefetched by the query
        if not present or record.player.is_anonymous:
            return ""
        return format_html('<a href="{}">{}</a>', present[0].club.get_absolute_url(), present[0].club)

    def render_rating(self, record: Standing) -> SafeString | str:
        text = rating(record.rating, self.rating_list)
        if record.category in ("unrated", "provisional"):
            return format_html('{}<abbr class="mark" title="{}">{}</abbr>', text, _(record.category),
                               "*" if record.category == "unrated" else "?")  # fmt: skip
        return text

    def render_change(self, record: Standing) -> SafeString | str:
        text = signed(record.last_change, self.rating_list)
        return format_html('<span class="{}">{}</span>', sign_class(record.last_change), text)
