"""Words of a player's pages."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django import template
from django.utils.translation import gettext, gettext_lazy, ngettext

from ratings.models import Game
from ratings.queries.careers import GameRow
from ratings.queries.tallies import handicap_of

register = template.Library()
COLOURS = {True: gettext_lazy("Black"), False: gettext_lazy("White"), None: ""}


@register.simple_tag
def querystring_of(**fields: Any) -> str:
    """Fields of an address that are set, for within an attribute."""
    return urlencode({name: value for name, value in fields.items() if value not in (None, "")})


@register.filter
def kind_of_games(of: Any) -> str:
    """A year, or a handicap and who gave it."""
    if not isinstance(of, tuple):
        return str(of)
    handicap, gave = of
    if not handicap:
        return gettext("even games")
    if handicap.isdigit():
        stones = int(handicap)
        what = ngettext("%(stones)d stone", "%(stones)d stones", stones) % {"stones": stones}
    else:
        what = str(Game.Handicap(handicap).label)
    return (gettext("gave %(what)s") if gave else gettext("took %(what)s")) % {"what": what}


@register.filter
def handicap_words(game: GameRow) -> str:
    """Who gave what; of an even game the colour."""
    given = handicap_of(game)
    return kind_of_games(given) if given[0] else str(COLOURS[game.black])


@register.filter
def with_one(ids: list[str], id: str) -> list[str]:
    return [*ids, id]


@register.filter
def without(ids: list[str], id: str) -> list[str]:
    return [one for one in ids if one != id]


@register.filter
def chance(share: float) -> str:
    """0.64 as 64 %; never a certainty that the rules do not state."""
    return f"{100 * share:.0f} %" if 0.01 <= share <= 0.99 else f"{100 * share:.1f} %"
