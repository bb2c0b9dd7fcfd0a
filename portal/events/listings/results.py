"""Results of a table in finishing order, sortable by each column."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

import django_tables2 as tables
from django.core.paginator import Paginator
from django.http import HttpRequest, QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from portal.lists.listings import WIDE, WIDE_NUMBER
from portal.site.page_links import player_address
from portal.site.whole_lists import ROWS_PER_PART
from portal.templatetags.portal_format import (
    change_link,
    colon,
    first_rating_link,
    flag,
    format_place,
    grade_badge,
    marked_name,
    points,
    rating,
    shortest,
)
from portal.templatetags.portal_grades import award_state
from ratings.matching import fold
from ratings.models import RatingList
from ratings.queries.events.crosstables import Crosstable, CrosstableRow
from ratings.queries.events.performances import performances
from ratings.systems.presentation import Presentation
from ratings.systems.tiebreaks import Placing
from ratings.systems.values import ANSWERING_RULINGS, AwardHow


@dataclass(frozen=True)
class Result:
    """A player's result in a table; the attributes are the values by which columns are sorted."""

    row: CrosstableRow
    placing: Placing | None
    tie_break: float | None
    performance: float | None
    grade: int

    @property
    def place(self) -> int:
        return self.placing.place if self.placing else 0

    @property
    def name(self) -> str:
        return fold(self.row.entry.player.public_name)

    @property
    def before(self) -> float | None:
        return self.row.change.before if self.row.change else None

    @property
    def points(self) -> float:
        return self.row.won

    @property
    def macmahon(self) -> float:
        return self.row.points

    @property
    def change(self) -> float | None:
        return self.row.change.change if self.row.change else None

    @property
    def after(self) -> float | None:
        return self.row.change.after if self.row.change else None


class ResultListing(tables.Table):
    label = _("Results")
    is_whole = False
    place = tables.Column(
        verbose_name=pgettext_lazy("finishing order", "Rank"),
        attrs={"td": {"class": "number pos"}, "th": {"class": "number"}},
    )
    name = tables.Column(verbose_name=_("Player"), attrs={"td": {"class": "name who"}})
    line = tables.Column(
        verbose_name=_("Country, grade, rating before"),
        empty_values=(),
        orderable=False,
        attrs={"td": {"class": "second-line only-narrow"}, "th": {"class": "only-narrow"}},
    )
    grade = tables.Column(verbose_name=_("Grade"), initial_sort_descending=True, attrs=WIDE)
    before = tables.Column(verbose_name=_("Before"), empty_values=(), initial_sort_descending=True, attrs=WIDE_NUMBER)
    points = tables.Column(
        verbose_name=_("Points"),
        initial_sort_descending=True,
        attrs={"td": {"class": "number strong rating"}, "th": {"class": "number"}},
    )
    macmahon = tables.Column(verbose_name=_("MacMahon"), initial_sort_descending=True, attrs=WIDE_NUMBER)
    tie_break = tables.Column(empty_values=(), initial_sort_descending=True, attrs=WIDE_NUMBER)
    performance = tables.Column(
        verbose_name=_("Performance"), empty_values=(), initial_sort_descending=True, attrs=WIDE_NUMBER
    )
    change = tables.Column(
        verbose_name=_("Change"),
        empty_values=(),
        initial_sort_descending=True,
        attrs={"td": {"class": "number delta"}, "th": {"class": "number"}},
    )
    after = tables.Column(
        verbose_name=_("Rating"),
        empty_values=(),
        initial_sort_descending=True,
        attrs={"td": {"class": "number wide strong"}, "th": {"class": "number wide"}},
    )

    class Meta:
        attrs = {"class": "listing stack", "role": "table"}

    def __init__(self, results: list[Result], crosstable: Crosstable, rating_list: RatingList | None) -> None:
        self.rating_list = rating_list
        rated = rating_list is not None
        present = {
            "place": bool(crosstable.placings),
            "tie_break": crosstable.has_order,
            "macmahon": crosstable.with_macmahon,
            "before": rated,
            "grade": rating_list is not None and rating_list.has_grades,
            "performance": rated,
            "change": rated,
            "after": rated,
        }
        super().__init__(results, exclude=[name for name, is_present in present.items() if not is_present])
        if crosstable.has_order:
            names = (rating_list.rating_system.presentation if rating_list else Presentation).tie_breaks
            self.columns["tie_break"].column.verbose_name = names[crosstable.shown_tie_breaks[0]]

    def render_place(self, record: Result) -> str:
        return format_place(record.place, is_shared=record.placing is not None and record.placing.shared)

    def render_name(self, record: Result) -> SafeString:
        player = record.row.entry.player
        link = format_html('<a href="{}">{}</a>', player_address(player, self.rating_list), marked_name(player))
        return format_html('<span class="not-narrow">{} </span>{}', flag(player.country), link)

    def render_line(self, record: Result) -> SafeString:
        """Return the second line of a row on a phone: flag, country code, the rating before and grade."""
        country, before = record.row.entry.player.country, rating(record.before, self.rating_list)
        grade = self.render_grade(record) if self.rating_list and self.rating_list.has_grades else ""
        shown = before if self.rating_list else ""
        return format_html("{} {} <span>{}</span> {}", flag(country), country.code or "", shown, grade)

    def render_grade(self, record: Result) -> SafeString | str:
        """Return the grade after the table, with a tag where it changed here."""
        before = record.row.change.grade_before if record.row.change else ""
        award = record.row.new_grade
        if award is None:
            return grade_badge(before)
        if award.needs_approval:
            return format_html(
                '{} <span class="quiet small">{}</span>', grade_badge(before), self._describe_approval(award)
            )
        is_lost = award.how == AwardHow.DEMOTION
        tag = gettext("down from %(grade)s") % {"grade": before} if is_lost else gettext("new")
        css = "tag" if is_lost else "tag good"
        return format_html('{} <span class="{}">{}</span>', grade_badge(award.grade), css, tag)

    def _describe_approval(self, award: Any) -> str:
        """Return a grade with the answer to the question whether it is approved; that it waits without one."""
        if award.case in ANSWERING_RULINGS and self.rating_list:
            return f"{colon(award.grade)} {award_state(award, self.rating_list)}"
        return gettext("%(grade)s awaits approval") % {"grade": award.grade}

    def render_before(self, value: float | None) -> SafeString:
        return format_html('<span class="quiet">{}</span>', rating(value, self.rating_list))

    def render_points(self, value: float) -> str:
        return points(value)

    def render_macmahon(self, value: float) -> str:
        return points(value)

    def render_tie_break(self, value: float | None) -> str:
        return "" if value is None else shortest(value)

    def render_performance(self, record: Result) -> str:
        change = record.row.change
        if record.performance is not None or change is None or not change.games:
            return "" if record.performance is None else rating(record.performance, self.rating_list)
        played = [cell for round_ in record.row.rounds for cell in round_ if cell.opponent is not None and cell.played]
        if played and all(cell.cell.points == 1 for cell in played):
            return gettext("all won")
        return gettext("all lost") if played and all(cell.cell.points == 0 for cell in played) else ""

    def render_change(self, record: Result) -> SafeString | str:
        change, player = record.row.change, record.row.entry.player
        if change is None or self.rating_list is None or not change.games or change.table_id is None:
            return ""
        if change.before is None or change.change is None:
            return first_rating_link(self.rating_list, change.table_id, player)
        return change_link(change, self.rating_list, change.table_id, player, change.is_carried_over)

    def render_after(self, value: float | None) -> str:
        return rating(value, self.rating_list)


def list_results(
    crosstable: Crosstable,
    rating_list: RatingList | None,
    sort: str,
    kept: Mapping[str, str],
    *,
    shown: int | None = None,
    part: int = 1,
) -> SafeString:
    """Return rows of a table's results as HTML, in the order that `sort` names, else in finishing order.

    `shown` limits them to the first rows; with None, they are part number `part` of all rows. Links to other orders and
    parts have the parameters `kept` and no other part of the visitor's address, as the HTML is cached for all visitors.
    """
    system = rating_list.rating_system if rating_list else None
    known: Mapping[int, float | None] = performances(crosstable, system) if system else {}
    grades = {grade: index for index, grade in enumerate(system.grading.grades)} if system else {}
    results = [
        Result(
            row,
            crosstable.placings.get(row.entry.number),
            crosstable.computed[row.entry.number].values[0] if crosstable.has_order else None,
            known.get(row.entry.number),
            grades.get(_grade_after(row), -1),
        )
        for row in crosstable.finishing_order
    ]
    listing = ResultListing(results, crosstable, rating_list)
    if sort:
        listing.order_by = sort
    listing.is_whole = shown is None
    listing.paginator = Paginator(listing.rows[:shown], shown or ROWS_PER_PART)
    listing.page = listing.paginator.get_page(part)
    order = {"sort": ",".join(listing.order_by)} if listing.order_by else {}
    request = HttpRequest()
    request.GET = QueryDict(urlencode({**kept, **order}))
    return SafeString(listing.as_html(request))


def _grade_after(row: CrosstableRow) -> str:
    if row.new_grade is not None and not row.new_grade.needs_approval:
        return row.new_grade.grade
    return row.change.grade_before if row.change else ""
