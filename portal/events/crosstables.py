"""Crosstables as HTML, their cells made here: through the template language one of 700 players takes ten times as long.

Cells hold escaped text only. As little is written as HTML and style sheet allow, for 700 rows of it are to be sent in
60 KB: cells are not closed, addresses of players leave out the readable part (and lead to it), and an opponent is told
by the address of his row, to which portal/crosstable.js adds his name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from portal.templatetags.portal_format import points, rating, sign_class, signed
from portal.templatetags.portal_grades import award_state
from ratings.models import Award, RatingList
from ratings.queries.crosstables import Crosstable, CrosstableCell, CrosstableRow
from ratings.queries.performances import performances
from ratings.systems.protocol import System
from ratings.translating import translated

SOMEBODY = "0"
"""A public id in addresses, to be replaced in every row: to ask for each address is slow."""


@dataclass(frozen=True)
class Column:
    """A header, what it means, and how each row's cell is written. Columns of `words` stand left, not on a phone."""

    header: str
    meaning: str
    cell: Callable[[CrosstableRow], str]
    words: bool = False

    def head(self) -> str:
        title = f'<abbr title="{escape(self.meaning)}">{self.header}</abbr>' if self.meaning else self.header
        return f'<th scope="col">{title}</th>'


def crosstable_html(crosstable: Crosstable, columns: list[Column], prefix: str) -> SafeString:
    """The table element; its rows are addressed by `prefix` and number."""
    head = "".join(column.head() for column in columns)
    body = "\n".join(
        f'<tr id="{prefix}{row.entry.number}">{"".join(column.cell(row) for column in columns)}'
        for row in crosstable.rows
    )
    words = "".join(f" words-{number}" for number, column in enumerate(columns, 1) if column.words)
    caption = f'<caption class="hidden">{escape(crosstable.table)}</caption>'
    # every text above is escaped or made of numbers
    return SafeString(
        f'<table class="crosstable{words}">{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table>'
    )


def promotions_html(crosstable: Crosstable, rating_list: RatingList | None) -> SafeString:
    """Who won or lost a grade in the table, an item each."""
    if rating_list is None:
        return SafeString()
    won, fallen, earned = (
        _('Promoting <a href="%(address)s">%(name)s</a> to %(grade)s'),
        _('<a href="%(address)s">%(name)s</a> falls to %(grade)s'),
        _('<a href="%(address)s">%(name)s</a> has earned %(grade)s'),
    )
    items = []
    whys: dict[tuple[str, ...], str] = {}  # translated once, not for each of some hundreds
    for row in crosstable.promotions:
        award: Any = row.new_grade
        player = row.entry.player
        text = fallen if award.how == "demotion" else earned if award.needs_approval else won
        told = text % {"address": player.get_absolute_url(), "name": escape(player), "grade": escape(award.grade)}
        if award.how != "demotion":
            alike = (award.how, award.state, award.case, str(award.needs_approval))
            if alike not in whys:
                whys[alike] = _why(award, rating_list)
            told += f' <span class="quiet">({whys[alike]})</span>'
        items.append(f"<li>{told}</li>")
    return SafeString("\n".join(items))


def _why(award: Any, rating_list: RatingList) -> str:
    return escape(f"{translated(award.how)}; {award_state(award, rating_list)}")


def columns_of(crosstable: Crosstable, rating_list: RatingList | None, prefix: str) -> Iterator[Column]:
    yield Column(_("Nr"), _("number in this table"), lambda row: _cell(str(row.entry.number)))
    yield Column(_("Name"), "", _name())
    if crosstable.placings:
        meaning = _("place: by score, then by the sums of opponents' scores; = is shared")
        yield Column(_("Pl"), meaning, lambda row: _place(crosstable, row))
    yield Column(_("Nat"), _("country"), lambda row: _cell(escape(row.entry.player.country)), words=True)
    if rating_list is not None:
        yield from _ratings_before(rating_list)
    for at in range(crosstable.rounds):
        yield Column(str(at + 1), "", _round(at, prefix))
    yield from _scores(crosstable, rating_list)
    if rating_list is not None:
        yield from _ratings_after(crosstable, rating_list)


def _ratings_before(rating_list: RatingList) -> Iterator[Column]:
    if rating_list.graded:
        yield Column(_("Grade"), _("grade before → grade won here"), _grade, words=True)
    yield Column(_("Rating"), _("before this table; * is the new rating of who was unrated"), _rating(rating_list))


def _scores(crosstable: Crosstable, rating_list: RatingList | None) -> Iterator[Column]:
    yield Column(_("Pts"), _("points"), lambda row: f'<td class="strong">{points(row.won)}')
    if crosstable.with_macmahon:
        yield Column(_("MMS"), _("MacMahon score: points and MacMahon points"), lambda row: _cell(points(row.points)))
    if not crosstable.placings:
        return
    placed = crosstable.placings
    sos, sodos = (rating_list.rating_system if rating_list else System).tie_breaks
    meaning = _("sum of the opponents' scores; a round without a game adds nothing")
    yield Column(sos, meaning, lambda row: _cell(f"{placed[row.entry.number].sos:g}"))
    meaning = _("sum of the defeated opponents' scores, half of it for a draw")
    yield Column(sodos, meaning, lambda row: _cell(f"{placed[row.entry.number].sodos:g}"))


def _ratings_after(crosstable: Crosstable, rating_list: RatingList) -> Iterator[Column]:
    meaning = _("change of the rating; follow it to see how it was made")
    address = reverse("explanation", args=[rating_list.slug, crosstable.table.pk, SOMEBODY])
    yield Column("±", meaning, _change(rating_list, address.removesuffix(f"{SOMEBODY}/")))
    yield Column(
        _("Perf"), _("performance: the rating that these results would tell"), _performance(crosstable, rating_list)
    )


def _cell(text: str) -> str:
    return f"<td>{text}"


def _name() -> Callable[[CrosstableRow], str]:
    players = reverse("player", args=[SOMEBODY]).removesuffix(f"{SOMEBODY}/")

    def cell(row: CrosstableRow) -> str:
        player = row.entry.player
        return f'<th scope="row"><a href="{players}{player.public_id}/">{escape(player.public_name)}</a>'

    return cell


def _place(crosstable: Crosstable, row: CrosstableRow) -> str:
    placing = crosstable.placings[row.entry.number]
    return _cell(f"{'=' if placing.shared else ''}{placing.place}")


def _grade(row: CrosstableRow) -> str:
    before = escape(row.change.grade_before) if row.change else ""
    won = _new_grade(row.new_grade, after=bool(before)) if row.new_grade else ""
    return _cell(f"{before}{won}")


def _new_grade(award: Award, *, after: bool) -> str:
    told = _("promoted")
    if award.how == "demotion":
        told = _("demotion")
    elif award.needs_approval:
        told = _("earned, waiting for approval")
    css = "loss" if award.how == "demotion" else "promoted"
    asked = "?" if award.needs_approval else ""
    return f'{" " if after else ""}<span class="{css}" title="{escape(told)}">→ {escape(award.grade)}{asked}</span>'


def _rating(rating_list: RatingList) -> Callable[[CrosstableRow], str]:
    def cell(row: CrosstableRow) -> str:
        star = ""
        if row.starred and row.rating is not None and row.change is not None:
            fixed = row.change.category == "fixed"
            told = _("unknown past: fixed in this table") if fixed else _("unrated: this is the new rating")
            star = f'<abbr class="mark" title="{escape(told)}">*</abbr>'
        return _cell(rating(row.rating, rating_list) + star)

    return cell


def _round(at: int, prefix: str) -> Callable[[CrosstableRow], str]:
    def written(cell: CrosstableCell) -> str:
        if cell.opponent is None or not cell.played:
            return cell.text
        return f'<a href="#{prefix}{cell.opponent.number}">{cell.text}</a>'

    def of_row(row: CrosstableRow) -> str:
        return f"<td>{' '.join(written(cell) for cell in row.rounds[at])}"

    return of_row


def _change(rating_list: RatingList, explanations: str) -> Callable[[CrosstableRow], str]:
    def cell(row: CrosstableRow) -> str:
        if row.change is None or not row.change.games:
            return _cell("")
        told = escape(_("new")) if row.change.before is None else signed(row.change.change, rating_list)
        if row.change.is_carried:
            told = f'<span title="{escape(_("added on the next closing day"))}">({told})</span>'
        css = "" if row.change.before is None else sign_class(row.change.change)
        css = f' class="{css}"' if css else ""
        return _cell(f'<a{css} href="{explanations}{row.entry.player.public_id}/">{told}</a>')

    return cell


def _performance(crosstable: Crosstable, rating_list: RatingList) -> Callable[[CrosstableRow], str]:
    known = performances(crosstable, rating_list.rating_system)

    def cell(row: CrosstableRow) -> str:
        performance = known[row.entry.number]
        return _cell("" if performance is None else rating(performance, rating_list))

    return cell
