"""Crosstables as HTML, written without templates, which take ten times as long for a table of 700 players.

Cells contain escaped text only. The HTML is as short as the style sheet allows, so that 700 rows fit into 60 KB:
addresses of players omit the readable part (and redirect to the full address).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from portal.events.crosstable_games import ROW_ID, make_game_writer
from portal.events.crosstable_order import PLACE, CrosstableOrder
from portal.site.page_links import player_address
from portal.templatetags.portal_format import format_place, marked_name, points, rating, shortest, sign_class, signed
from portal.templatetags.portal_grades import award_state, new_grade
from ratings.localize import award_label, join_clauses
from ratings.models import RatingList
from ratings.models.events.tie_breaks import TIE_BREAK_MEANINGS
from ratings.queries.events.crosstables import Crosstable, CrosstableCell, CrosstableRow
from ratings.queries.events.performances import performances
from ratings.systems.presentation import Presentation
from ratings.systems.values import AwardHow, Category

PLACEHOLDER_ID = "0"
"""Placeholder for a public id in addresses, replaced in every row: reversing each address is slow."""


@dataclass(frozen=True)
class Column:
    """Column of a crosstable: its header, what that means, and the function that writes the cell of a row.

    Columns with `is_text` contain text: they are left-aligned, and hidden on phones. `key` is the name by which rows
    are sorted by the column, empty if they cannot be. `label` is what screen readers say for the header of a round.
    """

    header: str
    meaning: str
    cell: Callable[[CrosstableRow], str]
    is_text: bool = False
    key: str = ""
    label: str = ""

    def head(self, order: CrosstableOrder | None) -> str:
        if self.label:
            return f'<th scope="col" aria-label="{escape(self.label)}">{self.header}</th>'
        title = f'<abbr title="{escape(self.meaning)}">{self.header}</abbr>' if self.meaning else self.header
        return order.write_head(self.key, title) if order else f'<th scope="col">{title}</th>'


def crosstable_html(crosstable: Crosstable, columns: list[Column], order: CrosstableOrder | None = None) -> SafeString:
    """Return the table element. With an order, heads change it.

    The id of a row is ROW_ID and its position in finishing order.
    """
    head = "".join(column.head(order) for column in columns)
    position = crosstable.positions
    body = "\n".join(
        f'<tr id="{ROW_ID}{position[row.entry.number]}">{"".join(column.cell(row) for column in columns)}</tr>'
        for row in (order.sort(crosstable) if order else crosstable.finishing_order)
    )
    words = "".join(f" words-{number}" for number, column in enumerate(columns, 1) if column.is_text)
    caption = f'<caption class="hidden">{escape(crosstable.table)}</caption>'
    # safe: every text above is escaped or consists of numbers
    return SafeString(
        f'<table class="crosstable{words}">{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>'
    )


def promotions_html(crosstable: Crosstable, rating_list: RatingList | None) -> SafeString:
    """Return a list item for each player who won or lost a grade in the table."""
    if rating_list is None:
        return SafeString()
    won, lost, earned = (
        _('Promoting <a href="%(address)s">%(name)s</a> to %(grade)s <span class="quiet">(%(reason)s)</span>'),
        _('<a href="%(address)s">%(name)s</a> is demoted to %(grade)s'),
        _('<a href="%(address)s">%(name)s</a> has earned %(grade)s <span class="quiet">(%(reason)s)</span>'),
    )
    items = []
    reasons: dict[tuple[str, ...], str] = {}  # translated once, not for each of some hundred players
    for row in crosstable.promotions:
        award: Any = row.new_grade
        player = row.entry.player
        text = lost if award.how == AwardHow.DEMOTION else earned if award.needs_approval else won
        values = {"address": player_address(player, rating_list), "name": escape(player), "grade": escape(award.grade)}
        if award.how != AwardHow.DEMOTION:
            reason_key = (award.how, award.state, award.case, str(award.needs_approval))
            if reason_key not in reasons:
                reasons[reason_key] = _format_reason(award, rating_list)
            values["reason"] = reasons[reason_key]
        items.append(f"<li>{text % values}</li>")
    return SafeString("\n".join(items))


def _format_reason(award: Any, rating_list: RatingList) -> str:
    return escape(join_clauses([award_label(award.how), award_state(award, rating_list)]))


def crosstable_columns(
    crosstable: Crosstable, rating_list: RatingList | None, *, ratings: bool, is_first_list: bool = False
) -> Iterator[Column]:
    """Yield the columns of a crosstable.

    Without `ratings`, places, countries, ratings and grades are left out: the results above the crosstable have them.
    With `is_first_list`, addresses of players do not name the list, as their pages show the first list by themselves.
    """
    position = crosstable.positions
    yield Column(_("Nr"), _("row in this crosstable"), lambda row: _write_cell(str(position[row.entry.number])))
    yield Column(_("Name"), "", _name_writer(None if is_first_list else rating_list), key="name")
    if crosstable.placings and ratings:
        meaning = _("place; = is shared")
        yield Column(_("Pl"), meaning, lambda row: _write_place(crosstable, row), key=PLACE)
    if ratings:
        yield Column(_("Nat"), _("country"), lambda row: _write_cell(escape(row.entry.player.country)), is_text=True)
    if rating_list is not None and ratings:
        yield from _columns_before_rounds(rating_list)
    write_game = make_game_writer(crosstable)
    for at in range(crosstable.rounds):
        label = _("Round %(number)s") % {"number": at + 1}
        yield Column(str(at + 1), "", _round_writer(at, write_game), label=label)
    yield from _score_columns(crosstable, rating_list)
    if rating_list is not None and ratings:
        yield from _columns_after_scores(crosstable, rating_list)


def _columns_before_rounds(rating_list: RatingList) -> Iterator[Column]:
    if rating_list.has_grades:
        yield Column(_("Grade"), _("grade before → grade won here"), _write_grade, is_text=True)
    yield Column(_("Rating"), _("before this event; * is a first rating"), _rating_writer(rating_list), key="rating")


def _score_columns(crosstable: Crosstable, rating_list: RatingList | None) -> Iterator[Column]:
    yield Column(_("Pts"), _("points"), lambda row: f'<td class="strong">{points(row.won)}</td>', key="points")
    if crosstable.with_macmahon:
        yield Column(
            _("MMS"), _("MacMahon score: points and MacMahon points"), lambda row: _write_cell(points(row.points))
        )
    if not crosstable.has_order:
        return
    names = (rating_list.rating_system.presentation if rating_list else Presentation).tie_breaks
    for at, tie_break in enumerate(crosstable.shown_tie_breaks):
        meaning = str(TIE_BREAK_MEANINGS[tie_break])
        yield Column(names[tie_break], meaning, _tie_break_writer(crosstable, at))


def _columns_after_scores(crosstable: Crosstable, rating_list: RatingList) -> Iterator[Column]:
    meaning = _("rating change; the link shows how it was computed")
    address = reverse("explanation", args=[rating_list.slug, crosstable.table.pk, PLACEHOLDER_ID])
    yield Column("±", meaning, _change_writer(rating_list, address.removesuffix(f"{PLACEHOLDER_ID}/")), key="change")
    yield Column(
        _("Perf"),
        _("played like: the rating at which this score would have been expected"),
        _performance_writer(crosstable, rating_list),
        key="performance",
    )


def _write_cell(text: str) -> str:
    return f"<td>{text}</td>"


def _tie_break_writer(crosstable: Crosstable, at: int) -> Callable[[CrosstableRow], str]:
    def cell(row: CrosstableRow) -> str:
        value = crosstable.computed[row.entry.number].values[at]
        return _write_cell("" if value is None else shortest(value))

    return cell


def _name_writer(rating_list: RatingList | None) -> Callable[[CrosstableRow], str]:
    players = reverse("player", args=[PLACEHOLDER_ID]).removesuffix(f"{PLACEHOLDER_ID}/")
    query = f"?list={rating_list.slug}" if rating_list else ""

    def cell(row: CrosstableRow) -> str:
        player = row.entry.player
        return f'<th scope="row"><a href="{players}{player.public_id}/{query}">{marked_name(player)}</a></th>'

    return cell


def _write_place(crosstable: Crosstable, row: CrosstableRow) -> str:
    placing = crosstable.placings[row.entry.number]
    return _write_cell(format_place(placing.place, is_shared=placing.shared))


def _write_grade(row: CrosstableRow) -> str:
    before = escape(row.change.grade_before) if row.change else ""
    won = new_grade(row.new_grade) if row.new_grade else ""
    return _write_cell(f"{before} {won}".strip())


def _rating_writer(rating_list: RatingList) -> Callable[[CrosstableRow], str]:
    def cell(row: CrosstableRow) -> str:
        star = ""
        if row.is_new_rating and row.rating is not None and row.change is not None:
            fixed = row.change.category == Category.FIXED
            meaning = (
                _("no rating history: fixed rating in this event") if fixed else _("unrated: this is the new rating")
            )
            star = f'<abbr class="mark" title="{escape(meaning)}">*</abbr>'
        return _write_cell(rating(row.rating, rating_list) + star)

    return cell


def _round_writer(at: int, write_game: Callable[[CrosstableCell], str]) -> Callable[[CrosstableRow], str]:
    def write_cells(row: CrosstableRow) -> str:
        return _write_cell(" ".join(write_game(cell) for cell in row.rounds[at]))

    return write_cells


def _change_writer(rating_list: RatingList, explanations: str) -> Callable[[CrosstableRow], str]:
    def cell(row: CrosstableRow) -> str:
        if row.change is None or not row.change.games:
            return _write_cell("")
        content = escape(_("new")) if row.change.before is None else signed(row.change, rating_list)
        if row.change.is_carried_over:
            content = f'<span title="{escape(_("added on the next list"))}">({content})</span>'
        css = "" if row.change.before is None else sign_class(row.change.change)
        css = f' class="{css}"' if css else ""
        return _write_cell(f'<a{css} href="{explanations}{row.entry.player.public_id}/">{content}</a>')

    return cell


def _performance_writer(crosstable: Crosstable, rating_list: RatingList) -> Callable[[CrosstableRow], str]:
    known = performances(crosstable, rating_list.rating_system)

    def cell(row: CrosstableRow) -> str:
        performance = known[row.entry.number]
        return _write_cell("" if performance is None else rating(performance, rating_list))

    return cell
