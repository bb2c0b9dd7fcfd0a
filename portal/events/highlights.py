"""Highlights of a table as short texts with their icons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.templatetags.portal_format import chance_percent, grade_badge, rating
from ratings.models import RatingList
from ratings.queries.events.crosstables import CrosstableRow
from ratings.queries.events.highlights import Highlights, Performance, Upset
from ratings.queries.events.table_facts import BiggestUpset

from .change_sentences import link_event, link_player

MAX_NAMES = 4
"""Number of players whose new grades are named; the others are counted."""


@dataclass(frozen=True)
class Remark:
    """A highlight: the name of its icon, its label and its text."""

    icon: str
    label: str
    text: SafeString


def list_remarks(highlights: Highlights, rating_list: RatingList) -> Iterator[Remark]:
    """Yield the biggest upset, the best performance and the new grades, as far as there are any."""
    if highlights.upset:
        yield Remark("zap", _("Biggest upset"), _describe_upset(highlights.upset, rating_list))
    if highlights.best:
        yield Remark("trending-up", _("Best performance"), _describe_performance(highlights.best, rating_list))
    if highlights.promoted:
        yield Remark("award", _("New grades"), _describe_grades(highlights.promoted, rating_list))


def _describe_upset(upset: Upset, rating_list: RatingList) -> SafeString:
    return format_html(
        _("{winner} ({before}) beat {loser} ({rating}); the chance of that was {chance}"),
        winner=link_player(upset.winner.entry.player, rating_list),
        before=_rating_before(upset.winner, rating_list),
        loser=link_player(upset.loser.entry.player, rating_list),
        rating=_rating_before(upset.loser, rating_list),
        chance=chance_percent(1 - upset.chance),
    )


def describe_upset_of_year(upset: BiggestUpset, rating_list: RatingList) -> SafeString:
    """Return the sentence about the biggest upset of a year."""
    assert upset.winner.table is not None
    return format_html(
        _("{winner} ({before}) beat {loser} ({rating}) at {event}; the chance of that was {chance}."),
        winner=link_player(upset.winner.player, rating_list),
        before=rating(upset.winner.before, rating_list),
        loser=link_player(upset.loser.player, rating_list),
        rating=rating(upset.loser.before, rating_list),
        event=link_event(upset.winner.table.event, rating_list),
        chance=chance_percent(1 - upset.chance),
    )


def _describe_performance(best: Performance, rating_list: RatingList) -> SafeString:
    return format_html(
        _("{name}, rated {before}, played like {performance}"),
        name=link_player(best.row.entry.player, rating_list),
        before=_rating_before(best.row, rating_list),
        performance=rating(best.rating, rating_list),
    )


def _describe_grades(promoted: Sequence[CrosstableRow], rating_list: RatingList) -> SafeString:
    named = ((link_player(row.entry.player, rating_list), grade_badge(_grade(row))) for row in promoted[:MAX_NAMES])
    names = format_html_join(", ", "{} {}", named)
    others = len(promoted) - MAX_NAMES
    if others <= 0:
        return names
    pattern = ngettext("{names} and {number} other", "{names} and {number} others", others)
    return format_html(pattern, names=names, number=others)


def _rating_before(row: CrosstableRow, rating_list: RatingList) -> str:
    return rating(row.change.before if row.change else None, rating_list)


def _grade(row: CrosstableRow) -> str:
    return row.new_grade.grade if row.new_grade else ""
