"""Template filters and tags of a player's pages."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

from django import template
from django.utils.translation import gettext, gettext_lazy, ngettext

from portal.players.reasons import write_reason_with_kind
from ratings.models import Game
from ratings.queries.players.breakdowns import handicap_of
from ratings.queries.players.careers import GameRow

register = template.Library()
register.filter("reason_with_kind", write_reason_with_kind)
COLOURS = {True: gettext_lazy("Black"), False: gettext_lazy("White"), None: ""}


@register.simple_tag
def querystring_of(**fields: Any) -> str:
    """Return a query string of the fields that are not empty, for use in an attribute."""
    return urlencode({name: value for name, value in fields.items() if value not in (None, "")})


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
    return f"{100 * share:.0f} %" if 0.01 <= share <= 0.99 else f"{100 * share:.1f} %"
