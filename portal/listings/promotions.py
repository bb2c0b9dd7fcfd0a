from __future__ import annotations

import django_tables2 as tables
from django.db.models import QuerySet
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models import Award
from ratings.queries.names import by_public_name


class PromotionListing(tables.Table):
    day = tables.DateColumn(verbose_name=_("Date"), format="Y-m-d")
    player = tables.Column(
        verbose_name=_("Player"), accessor="player__public_name",
        linkify=lambda record: record.player.get_absolute_url(), attrs={"td": {"class": "name"}},
    )  # fmt: skip
    grade = tables.Column(verbose_name=_("Grade"), orderable=False, attrs={"td": {"class": "strong"}})
    how = tables.Column(verbose_name=_("How"), orderable=False)
    event = tables.Column(
        verbose_name=_("Event"), accessor="table__event", orderable=False,
        linkify=lambda record: record.table.event.get_absolute_url() if record.table else None,
    )  # fmt: skip

    class Meta:
        model = Award
        fields = ()
        sequence = ("day", "player", "grade", "how", "event")
        attrs = {"class": "listing"}

    def order_player(self, queryset: QuerySet[Award], is_descending: bool) -> tuple[QuerySet[Award], bool]:
        by_name = queryset.order_by(*by_public_name("player__"))
        return by_name.reverse() if is_descending else by_name, True

    def render_how(self, value: str) -> str:
        return gettext(value)
