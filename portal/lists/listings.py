from __future__ import annotations

import datetime as dt
from typing import Any

import django_tables2 as tables
from django.db.models import F, FilteredRelation, Q, QuerySet
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from django_tables2.data import TableQuerysetData

from portal.lists.sparkline import draw_sparkline
from portal.site.page_links import player_address
from portal.templatetags.portal_format import (
    category_mark,
    flag,
    grade_badge,
    last_change_link,
    marked_name,
    native_name,
    plus_minus,
    rating,
    sorted_countries,
)
from portal.templatetags.portal_lists import period_change
from ratings.localize import format_day
from ratings.models import Club, DatedList, RatingList, Standing
from ratings.queries.lists.choices import choices_of
from ratings.queries.lists.dated import set_since
from ratings.queries.lists.deviations import set_deviations, with_deviation_states
from ratings.queries.lists.lists import with_clubs
from ratings.queries.lists.period_changes import Cause, add_corrections, find_period_causes
from ratings.queries.lists.ranks import Ranks
from ratings.queries.lists.recent_changes import NO_CHANGES, YEAR, RecentChanges, change_of_year, find_recent_changes
from ratings.queries.lists.stored_changes import read_changes_of_lines
from ratings.queries.players.names import by_public_name, country_position

NUMBER = {"td": {"class": "number"}, "th": {"class": "number"}}
WIDE_NUMBER = {"td": {"class": "number wide"}, "th": {"class": "number wide"}}
WIDE = {"td": {"class": "wide"}, "th": {"class": "wide"}}  # hidden on phones
ROOMY = {"td": {"class": "wide roomy"}, "th": {"class": "wide roomy"}}  # hidden on tablets and small windows too


class StandingData(TableQuerysetData):
    """Standings with their ranks and their changes since a dated list, read page by page.

    `number` is the number of standings that match a filter; None if nothing is filtered out.
    """

    def __init__(
        self,
        rating_list: RatingList,
        standings: QuerySet[Standing],
        ranks: Ranks,
        dated: DatedList | None,
        number: int | None,
    ) -> None:
        super().__init__(standings)
        self.rating_list, self.ranks, self.dated, self.number = rating_list, ranks, dated, number
        self.today = timezone.localdate()
        self.recent: dict[int, RecentChanges] = {}
        self.causes_since: dict[int, Cause] = {}
        self.causes_of_year: dict[int, Cause] = {}

    def __len__(self) -> int:
        return len(self.ranks) if self.number is None else self.number

    def __getitem__(self, key: slice) -> list[Standing]:
        if self.number is None and tuple(self.table.order_by) == ("-rating",):
            page = self.ranks.page(self.data, key.start, key.stop)
        else:
            page = self.data[key]
        page = with_clubs(with_deviation_states(page, self.rating_list))
        lines = set_deviations(set_since(self.ranks.rank_all(page), self.dated), self.rating_list, self.today)
        of_year = self.today - YEAR
        first_day = min(of_year, self.dated.day) if self.dated else of_year
        changes = read_changes_of_lines(self.rating_list, lines, first_day)
        self.recent = find_recent_changes(self.rating_list, lines, changes, self.today)
        self.causes_of_year = find_period_causes(self.rating_list, changes, of_year - dt.timedelta(days=1))
        if self.dated:
            causes = find_period_causes(self.rating_list, changes, self.dated.day)
            since = {line.player_id: line.since for line in lines}
            self.causes_since = add_corrections(self.rating_list, causes, since, self.dated.published_at)
        return lines


def order_nulls_last(queryset: QuerySet[Standing], value: Any, is_descending: bool) -> QuerySet[Standing]:
    """Return standings sorted by an expression, those without a value last in both directions, equal ones by name."""
    order = value.desc(nulls_last=True) if is_descending else value.asc(nulls_last=True)
    return queryset.order_by(order, *by_public_name("player__"))


class StandingListing(tables.Table):
    label = _("Rating list")
    rank = tables.Column(
        verbose_name=_("Rank"), orderable=False, attrs={"td": {"class": "number pos"}, "th": {"class": "number"}}
    )
    name = tables.Column(
        verbose_name=_("Name"),
        accessor="player__public_name",
        attrs={"td": {"class": "name who"}},
    )
    line = tables.Column(
        verbose_name=_("Country, grade, club"),
        empty_values=(),
        orderable=False,
        attrs={"td": {"class": "second-line only-narrow"}, "th": {"class": "only-narrow"}},
    )
    country = tables.Column(
        verbose_name=_("Country"),
        accessor="player__country__name",
        attrs=WIDE,
    )
    club = tables.Column(
        verbose_name=_("Club"),
        empty_values=(),
        orderable=False,
        attrs=ROOMY,
    )
    grade = tables.Column(verbose_name=_("Grade"), order_by=("grade_index", "rating"), default="", attrs=WIDE)
    rating = tables.Column(
        verbose_name=_("Rating"),
        attrs={"td": {"class": "number strong rating"}, "th": {"class": "number"}},
    )
    change = tables.Column(
        initial_sort_descending=True,
        verbose_name=_("± event"),
        accessor="last_change",
        empty_values=(),
        attrs={"td": {"class": "number delta"}, "th": {"class": "number"}},
    )
    since = tables.Column(initial_sort_descending=True, verbose_name=_("± list"), empty_values=(), attrs=WIDE_NUMBER)
    year = tables.Column(
        initial_sort_descending=True,
        verbose_name=_("12 months"),
        empty_values=(),
        attrs={"td": {"class": "number wide year"}, "th": {"class": "number wide"}},
    )
    games = tables.Column(
        initial_sort_descending=True,
        verbose_name=_("Games"),
        attrs={"td": {"class": "number wide roomy"}, "th": {"class": "number wide roomy"}},
    )
    last_played = tables.Column(
        initial_sort_descending=True,
        verbose_name=_("Last played"),
        attrs={"td": {"class": "day wide"}, "th": {"class": "wide"}},
    )

    class Meta:
        model = Standing
        fields = ()
        sequence = (
            "rank",
            "name",
            "line",
            "country",
            "club",
            "grade",
            "rating",
            "change",
            "since",
            "year",
            "games",
            "last_played",
        )
        order_by = "-rating"
        attrs = {"class": "listing stack ranking", "role": "table"}

    def __init__(self, rating_list: RatingList, data: StandingData, *, is_whole: bool = False) -> None:
        """Build the listing; with `is_whole`, omit the curves of twelve months, because they are not printed."""
        self.rating_list, self.is_whole = rating_list, is_whole
        self.active_since = rating_list.active_since(data.today)
        self.has_grades = rating_list.has_grades
        self.clubs: dict[int, SafeString | str] = {}
        absent = {"grade": not self.has_grades, "since": data.dated is None}
        super().__init__(data, exclude=[name for name, left_out in absent.items() if left_out])

    def order_name(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        by_name = queryset.order_by(*by_public_name("player__"))
        return by_name.reverse() if is_descending else by_name, True

    def order_country(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        """Sort by country name in the active language, players without a country last, then highest rating first."""
        order = [code for _name, code in sorted_countries(choices_of(self.rating_list).countries)]
        place = country_position(order[::-1] if is_descending else order, "player__country")
        return queryset.order_by(place, "-rating", *by_public_name("player__")), True

    def order_change(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        """Sort by the change in the last event; players without an event come last."""
        return order_nulls_last(queryset, F("last_change"), is_descending), True

    def order_last_played(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        """Sort by the day of the last event; players without an event come last."""
        return order_nulls_last(queryset, F("last_played"), is_descending), True

    def order_rating(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        """Sort by rating; players with equal ratings are sorted by name."""
        first = F("rating").desc() if is_descending else F("rating").asc()
        return queryset.order_by(first, *by_public_name("player__")), True

    def order_since(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        """Sort by the change since the dated list; players who were not on it come last."""
        assert self.data.dated is not None
        on_list = FilteredRelation("player__dated_lines", condition=Q(player__dated_lines__dated=self.data.dated))
        since = F("rating") - F("listed_before__rating")
        return order_nulls_last(queryset.annotate(listed_before=on_list), since, is_descending), True

    def order_year(self, queryset: QuerySet[Standing], is_descending: bool) -> tuple[QuerySet[Standing], bool]:
        """Sort by the change of the last twelve months; players without one come last."""
        return order_nulls_last(queryset, change_of_year(self.data.today), is_descending), True

    def render_name(self, record: Standing) -> SafeString | str:
        """Return the name as a link, and behind it the name in the player's own script."""
        address = player_address(record.player, self.data.rating_list)
        link = format_html('<a href="{}">{}</a>', address, marked_name(record.player))
        native = native_name(record.player)
        return format_html("{} {}", link, native) if native else link

    def render_line(self, record: Standing) -> SafeString:
        """Return the second line of a row on a phone: flag, country code, grade and club."""
        country = record.player.country
        grade = grade_badge(record.grade) if self.has_grades else ""
        club = self.render_club(record)
        return format_html('{} {} {} <span class="cut">{}</span>', flag(country), country.code or "", grade, club)

    def render_country(self, record: Standing, value: str) -> SafeString:
        return format_html("{} {}", flag(record.player.country), value)

    def render_grade(self, value: str) -> SafeString | str:
        return grade_badge(value)

    def render_club(self, record: Standing) -> SafeString | str:
        """Return the player's club as a link; the same link stands in two columns and in many rows."""
        present = record.player.present  # type: ignore[attr-defined] # prefetched by the query
        if not present or record.player.is_anonymous:
            return ""
        club = present[0].club
        if club.pk not in self.clubs:
            self.clubs[club.pk] = self.link_club(club)
        return self.clubs[club.pk]

    def link_club(self, club: Club) -> SafeString:
        return format_html('<a href="{}?list={}">{}</a>', club.get_absolute_url(), self.rating_list.source.slug, club)

    def render_rating(self, record: Standing) -> SafeString:
        deviation = plus_minus(record.deviation, self.rating_list)  # type: ignore[attr-defined] # set by the data
        shown = rating(record.rating, self.rating_list)
        return format_html("{}{}{}", shown, category_mark(record.category), deviation and format_html(" {}", deviation))

    def render_change(self, record: Standing) -> SafeString:
        """Return the change by the last event or the word “new”, as a link to its explanation."""
        return last_change_link(record, self.recent_changes(record), self.rating_list)

    def render_last_played(self, value: dt.date) -> str:
        return format_day(value)

    def render_year(self, record: Standing) -> SafeString:
        """Return the curve and the change of the last twelve months, as a link to what explains it."""
        recent = self.recent_changes(record)
        curve = "" if self.is_whole else draw_sparkline(recent.points, self.data.today)
        change = period_change(recent.change, self.rating_list, record.player, self.data.causes_of_year)
        return format_html("{} {}", curve, change)

    def render_since(self, record: Standing) -> SafeString | str:
        since = record.since  # type: ignore[attr-defined] # set by the query
        if since is None:
            if not record.last_played or record.last_played < self.active_since:
                return ""
            return pgettext("player", "returned") if record.returned else gettext("new")  # type: ignore[attr-defined] # set by the query
        return period_change(since, self.rating_list, record.player, self.data.causes_since)

    def recent_changes(self, record: Standing) -> RecentChanges:
        recent: dict[int, RecentChanges] = self.data.recent
        return recent.get(record.player_id, NO_CHANGES)
