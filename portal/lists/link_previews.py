"""Descriptions and cards of rating lists, current and published ones, and of federations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.charts.card import Card, Row
from portal.site.federation_identity import identity_of
from portal.site.link_preview import LinkPreview, list_places
from portal.templatetags.portal_format import comma_name, rating
from ratings.localize import format_day, join_details
from ratings.models import DatedLine, DatedList, Federation, Player, RatingList, Standing
from ratings.queries.lists.lists import Status

NAMED, ON_CARD = 3, 5
"""Players who are named in a description, and who are listed on a card."""


class TopLine(NamedTuple):
    """A line at the top of a list, current or published."""

    rank: int
    player: Player
    rating: float | None
    grade: str


def top_lines(standings: Iterable[Standing]) -> list[TopLine]:
    """Return the lines of standings whose `rank` is set."""
    return [TopLine(each.rank, each.player, each.rating, each.grade) for each in standings]  # type: ignore[attr-defined] # set


def published_lines(lines: Iterable[DatedLine]) -> list[TopLine]:
    """Return the lines of a published list as they were published, without players added later."""
    return [TopLine(each.rank, each.player, each.rating, each.grade) for each in lines if each.rank is not None]


def build_list_preview(rating_list: RatingList, players: int, top: Sequence[TopLine]) -> LinkPreview:
    """Return the preview of a list with a number of active players; `top` may be empty."""
    first = ngettext("%(list)s has %(players)d active player.", "%(list)s has %(players)d active players.", players) % {
        "list": rating_list.label,
        "players": players,
    }
    return LinkPreview(_with_top(first, rating_list, top), reverse("list_card", args=[rating_list.slug]))


def build_published_preview(dated: DatedList, players: int, top: Sequence[TopLine]) -> LinkPreview:
    """Return the preview of a published list with a number of players; `top` may be empty."""
    first = ngettext(
        "%(list)s, published for %(day)s, has %(players)d player.",
        "%(list)s, published for %(day)s, has %(players)d players.",
        players,
    ) % {"list": dated.list.label, "day": format_day(dated.day), "players": players}
    address = reverse("dated_card", args=[dated.list.slug, dated.day])
    return LinkPreview(_with_top(first, dated.list, top), address)


def _with_top(first: str, rating_list: RatingList, top: Sequence[TopLine]) -> str:
    """Return a sentence followed by one that names the first players."""
    if not top:
        return first
    names = list_places(
        (line.rank, f"{line.player.public_name} ({rating(line.rating, rating_list)})") for line in top[:NAMED]
    )
    return " ".join([first, _("Highest ratings: %(names)s.") % {"names": names}])


def list_card(
    rating_list: RatingList, status: Status, players: int, top: Sequence[TopLine], federation: Federation | None
) -> Card:
    """Return the card of a list; `federation` is the one whose identity it has."""
    facts = [ngettext("%(players)s player", "%(players)s players", players) % {"players": players}]
    if status.last_result:
        facts.append(_("results up to %(day)s") % {"day": format_day(status.last_result)})
    return _draw_list(rating_list, join_details(facts), top, federation)


def published_card(dated: DatedList, top: Sequence[TopLine], federation: Federation | None) -> Card:
    """Return the card of a published list; `federation` is the one whose identity it has."""
    return _draw_list(dated.list, format_day(dated.day), top, federation)


def _draw_list(rating_list: RatingList, facts: str, top: Sequence[TopLine], federation: Federation | None) -> Card:
    return Card(
        identity_of(federation),
        _("Rating list"),
        rating_list.label,
        [facts],
        rows=[
            Row(line.rank, comma_name(line.player), line.grade, rating(line.rating, rating_list))
            for line in top[:ON_CARD]
        ],
        sentence="" if top else _("Nobody has played of late."),
    )


def federation_card(federation: Federation | None, names: Sequence[str]) -> Card:
    """Return the card of a federation with the names of its lists, or of the portal with those of its federations."""
    identity = identity_of(federation)
    return Card(identity._replace(line=""), "", identity.name, [identity.line], sentence=join_details(names))
