"""Template filters and tags of a player's pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django import template
from django.utils import timezone
from django.utils.formats import date_format, get_format
from django.utils.translation import get_language, gettext, gettext_lazy, ngettext

from portal.players.reasons import write_reason_with_kind
from portal.site.page_links import player_address
from portal.templatetags.portal_format import percent
from ratings.localize import format_range
from ratings.models import Game, RatingList
from ratings.queries.players.breakdowns import handicap_of
from ratings.queries.players.career_games import GameRow
from ratings.queries.players.periods import Period, is_month

register = template.Library()
register.filter("reason_with_kind", write_reason_with_kind)
register.filter("player_address", player_address)
COLOURS = {True: gettext_lazy("Black"), False: gettext_lazy("White"), None: ""}


@register.simple_tag
def querystring_of(**fields: Any) -> str:
    """Return a query string of the fields that are not empty, for use in an attribute."""
    return urlencode({name: value for name, value in fields.items() if value not in (None, "")})


@register.filter
def period_name(period: Period) -> str:
    """Return the name of a rating period: its month or list day; the first and the last one of several in a row."""
    format_name = "YEAR_MONTH_FORMAT" if period.is_month else "DAY_FORMAT"
    day_format = get_format(format_name, lang=get_language())
    first, last = (date_format(day, day_format) for day in (period.begun, period.day))
    return last if first == last else format_range(first, last)


@register.simple_tag
def period_rule(rating_list: RatingList) -> str:
    """Return in words when a list with deviations rates its games."""
    rules = rating_list.rating_system.rating
    closing_day = rules.counting_day(timezone.localdate())
    if closing_day is None:
        return gettext("each event is a period")
    return gettext("rated once a month") if is_month(rules, closing_day) else gettext("rated on list days")


@register.filter
def kind_of_games(of: Any) -> str:
    """Return the name of a group of games: a year, or a handicap and who gave it."""
    if not isinstance(of, tuple):
        return str(of)
    handicap, gave = of
    if not handicap:
        return gettext("even games")
    if handicap.isdigit():
        stones = int(handicap)
        name = ngettext("%(stones)d stone", "%(stones)d stones", stones) % {"stones": stones}
    else:
        name = str(Game.Handicap(handicap).label)
    return (gettext("gave %(what)s") if gave else gettext("took %(what)s")) % {"what": name}


@register.filter
def handicap_words(game: GameRow) -> str:
    """Return who gave which handicap; empty for an even game."""
    handicap = handicap_of(game)
    return kind_of_games(handicap) if handicap[0] else ""


@register.filter
def colour(game: GameRow) -> str:
    """Return the player's colour; empty if it is not known."""
    return str(COLOURS[game.black])


@register.simple_tag
def game_columns(rows: Iterable[GameRow]) -> dict[str, bool]:
    """Return which optional columns a table of games needs: colour, handicap."""
    games = list(rows)
    return {
        "colour": any(row.black is not None for row in games),
        "handicap": any(handicap_of(row)[0] for row in games),
    }


@register.filter
def with_one(ids: list[str], id: str) -> list[str]:
    return [*ids, id]


@register.filter
def without(ids: list[str], id: str) -> list[str]:
    return [other for other in ids if other != id]


@register.filter
def chance(share: float) -> str:
    """Return a chance as a percentage, 0.64 as 64 %; below 1 % and above 99 % with a decimal, not to seem certain."""
    return percent(share, 0 if 0.01 <= share <= 0.99 else 1)
