from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from portal.lists.listings import NUMBER, WIDE
from portal.templatetags.portal_format import rating
from ratings.models import Player, RatingList
from ratings.queries.players.clubs import members_by_rating
from ratings.queries.players.names import by_public_name


class MemberListing(tables.Table):
    """Table of a club's members with their ratings on a list."""

    label = _("Members")
    name = tables.Column(
        verbose_name=_("Name"), accessor="public_name",
        linkify=lambda record: record.get_absolute_url(), attrs={"td": {"class": "name"}},
    )  # fmt: skip
    grade = tables.Column(verbose_name=_("Grade"), orderable=False)
    rating = tables.Column(
        verbose_name=_("Rating"), attrs={"td": {"class": "number strong"}, "th": {"class": "number"}}
    )
    games = tables.Column(verbose_name=_("Games"), orderable=False, attrs=NUMBER)
    last_played = tables.DateColumn(verbose_name=_("Last played"), orderable=False, format="Y-m-d")
    country = tables.Column(verbose_name=_("Country"), accessor="country__name", orderable=False, attrs=WIDE)
    start = tables.DateColumn(verbose_name=_("Member since"), orderable=False, format="Y-m-d", attrs=WIDE)

    class Meta:
        model = Player
        fields = ()
        sequence = ("name", "grade", "rating", "games", "last_played", "country", "start")
        order_by = "-rating"
        attrs = {"class": "listing first-stays"}
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

    def render_rating(self, value: float) -> str:
        return rating(value, self.rating_list)
