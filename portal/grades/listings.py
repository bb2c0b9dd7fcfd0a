from __future__ import annotations

from typing import Any

import django_tables2 as tables
from django.db.models import QuerySet
from django.utils.translation import gettext_lazy as _

from portal.lists.listings import WIDE
from portal.templatetags.portal_grades import award_state
from ratings.localize import award_label
from ratings.models import Award, RatingList
from ratings.queries.players.names import by_public_name


class PromotionListing(tables.Table):
    label = _("Promotions")
    day = tables.DateColumn(verbose_name=_("Date"), format="Y-m-d")
    player = tables.Column(
        verbose_name=_("Player"), accessor="player__public_name",
        linkify=lambda record: record.player.get_absolute_url(), attrs={"td": {"class": "name"}},
    )  # fmt: skip
    country = tables.Column(verbose_name=_("Country"), accessor="player__country__name", orderable=False, attrs=WIDE)
    grade = tables.Column(verbose_name=_("Grade"), orderable=False, attrs={"td": {"class": "strong"}})
    how = tables.Column(verbose_name=_("How"), orderable=False)
    state = tables.Column(verbose_name=_("State"), orderable=False)
    event = tables.Column(
        verbose_name=_("Event"), accessor="table__event", orderable=False,
        linkify=lambda record: record.table.event.get_absolute_url() if record.table else None,
    )  # fmt: skip

    class Meta:
        model = Award
        fields = ()
        sequence = ("day", "player", "country", "grade", "state", "how", "event")
        attrs = {"class": "listing"}

    def __init__(self, rating_list: RatingList, *args: Any, **kwargs: Any) -> None:
        self.rating_list = rating_list
        super().__init__(*args, **kwargs)

    def order_player(self, queryset: QuerySet[Award], is_descending: bool) -> tuple[QuerySet[Award], bool]:
        by_name = queryset.order_by(*by_public_name("player__"))
        return by_name.reverse() if is_descending else by_name, True

    def render_how(self, value: str) -> str:
        return award_label(value)

    def render_state(self, record: Award) -> str:
        return award_state(record, self.rating_list)
