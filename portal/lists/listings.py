from __future__ import annotations

import django_tables2 as tables
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_tables2.data import TableQuerysetData

from portal.templatetags.portal_format import (
    category_mark,
    flag,
    grade_badge,
    rating,
    sign_class,
    signed,
    sorted_countries,
)
from ratings.models import DatedList, RatingList, Standing
from ratings.queries.lists.choices import choices_of
from ratings.queries.lists.dated import set_since
from ratings.queries.lists.lists import with_clubs
from ratings.queries.lists.ranks import Ranks
from ratings.queries.players.names import by_public_name, country_position

NUMBER = {"td": {"class": "number"}, "th": {"class": "number"}}
WIDE_NUMBER = {"td": {"class": "number wide"}, "th": {"class": "number wide"}}
WIDE = {"td": {"class": "wide"}, "th": {"class": "wide"}}  # hidden on phones


class StandingData(TableQuerysetData):
    """Standings with their ranks and their changes since a dated list, read page by page.

    `number` is the number of standings that match a filter; None if nothing is filtered out.
    """

    def __init__(
        self, standings: QuerySet[Standing], ranks: Ranks, dated: DatedList | None, number: int | None
    ) -> None:
        super().__init__(standings)
        self.ranks, self.dated, self.number = ranks, dated, number

    def __len__(self) -> int:
        return len(self.ranks) if self.number is None else self.number

    def __getitem__(self, key: slice) -> list[Standing]:
        if self.number is None and tuple(self.table.order_by) == ("-rating",):
            page = self.ranks.page(self.data, key.start, key.stop)
        else:
            page = self.data[key]
        return set_since(self.ranks.rank_all(with_clubs(page)), self.dated)


class StandingListing(tables.Table):
    label = _("Rating list")
    rank = tables.Column(verbose_name=_("Rank"), orderable=False, attrs=NUMBER)
    name = tables.Column(
        verbose_name=_("Name"), accessor="player__public_name",
        linkify=lambda record: record.player.get_absolute_url(), attrs={"td": {"class": "name"}},
    )  # fmt: skip
    country = tables.Column(
        verbose_name=_("Country"), accessor="player__country__name", attrs=WIDE,
    )  # fmt: skip
    club = tables.Column(
        verbose_name=_("Club"), empty_values=(), orderable=False,
        attrs=WIDE,
    )  # fmt: skip
    grade = tables.Column(verbose_name=_("Grade"), order_by=("grade_index", "rating"))
    rating = tables.Column(
        verbose_name=_("Rating"), attrs={"td": {"class": "number strong"}, "th": {"class": "number"}},
    )  # fmt: skip
    games = tables.Column(initial_sort_descending=True, verbose_name=_("Games"), attrs=NUMBER)
    since = tables.Column(verbose_name=_("± list"), empty_values=(), orderable=False, attrs=NUMBER)
    change = tables.Column(
        initial_sort_descending=True,
        verbose_name=_("± event"),
        accessor="last_change",
        empty_values=(),
        attrs=WIDE_NUMBER,
    )
    last_played = tables.DateColumn(
        initial_sort_descending=True, verbose_name=_("Last played"), format="Y-m-d", attrs={"td": {"class": "day"}},
    )  # fmt: skip

    class Meta:
        model = Standing
        fields = ()
        sequence = ("rank", "name", "country", "club", "grade", "rating", "games", "since", "change", "last_played")
        order_by = "-rating"
        attrs = {"class": "listing"}

    def __init__(self, rating_list: RatingList, data: StandingData) -> None:
        self.rating_list = rating_list
        self.active_since = rating_list.active_since(timezone.now().date())
        absent = {"grade": not self.rating_list.has_grades, "since": data.dated is None}
        super().__init__(data, exclude=[name for name, left_out in absent.items() if left_out])

    def order_name(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        by_name = queryset.order_by(*by_public_name("player__"))
        return by_name.reverse() if is_descending else by_name, True

    def order_country(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        """Sort by country name in the active language, players without a country last, then highest rating first."""
        order = [code for _name, code in sorted_countries(choices_of(self.rating_list).countries)]
        place = country_position(order[::-1] if is_descending else order, "player__country")
        return queryset.order_by(place, "-rating", *by_public_name("player__")), True

    def order_rating(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        """Sort by rating; players with equal ratings are sorted by name."""
        first = F("rating").desc() if is_descending else F("rating").asc()
        return queryset.order_by(first, *by_public_name("player__")), True

    def render_country(self, record: Standing, value: str) -> SafeString:
        return format_html("{} {}", flag(record.player.country), value)

    def render_grade(self, value: str) -> SafeString | str:
        return grade_badge(value)

    def render_club(self, record: Standing) -> SafeString | str:
        present = record.player.present  # type: ignore[attr-defined] # prefetched by the query
        if not present or record.player.is_anonymous:
            return ""
        return format_html('<a href="{}">{}</a>', present[0].club.get_absolute_url(), present[0].club)

    def render_rating(self, record: Standing) -> SafeString:
        return format_html("{}{}", rating(record.rating, self.rating_list), category_mark(record.category))

    def render_change(self, record: Standing) -> SafeString:
        return self.colored(record.last_change)

    def render_since(self, record: Standing) -> SafeString | str:
        since = record.since  # type: ignore[attr-defined] # set by the query
        if since is None:
            if not record.last_played or record.last_played < self.active_since:
                return ""
            return gettext("returned") if record.returned else gettext("new")  # type: ignore[attr-defined] # set by the query
        return self.colored(since)

    def colored(self, change: float | None) -> SafeString:
        return format_html('<span class="{}">{}</span>', sign_class(change), signed(change, self.rating_list))
