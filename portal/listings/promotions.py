from __future__ import annotations

import django_tables2 as tables
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ratings.models import Award


class PromotionListing(tables.Table):
    day = tables.DateColumn(verbose_name=_("Date"), format="Y-m-d")
    player = tables.Column(
        verbose_name=_("Player"), accessor="player__name", order_by=("player__family_name", "player__given_name"),
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

    def render_how(self, value: str) -> str:
        return gettext(value)
