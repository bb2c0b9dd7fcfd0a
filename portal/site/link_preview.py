"""Description and card of a page, for search engines and for sites that show its link."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from html import unescape
from typing import NamedTuple

from django.utils.html import strip_tags
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.localize import join_parts
from ratings.models import Federation, RatingList

OF_LIST = {
    "moves": gettext_lazy("Players who rose, fell, joined or left on %(list)s between two days."),
    "dated_lists": gettext_lazy("All published rating lists of %(list)s, with the changes between them."),
    "list_health": gettext_lazy("Do the ratings of %(list)s keep their meaning? Figures, each with what it says."),
    "statistics": gettext_lazy("Ratings, games and players of %(list)s in figures and charts."),
    "promotions": gettext_lazy("Grades won on %(list)s: by whom, how and at which event."),
    "grades": gettext_lazy("How each grade of %(list)s is won."),
    "rule_proposals": gettext_lazy("Proposed changes of the rules of %(list)s, and what became of them."),
    "rule_proposal": gettext_lazy("A proposed change of the rules of %(list)s, with its effect on every player."),
    "rules": gettext_lazy("How the ratings of %(list)s are computed, rule by rule."),
    "comparison": gettext_lazy("%(list)s compared with the list that rates the same results by other rules."),
    "corrections": gettext_lazy("Ratings of %(list)s that changed without a game, and why."),
    "correction": gettext_lazy("Ratings of %(list)s that one correction changed, and why."),
    "list_log": gettext_lazy("Signed checkpoints of %(list)s, to check that nothing was changed later."),
    "list_calculator": gettext_lazy("Enter a rating and results to see what they change on %(list)s."),
    "tournament": gettext_lazy(
        "Enter the results of a whole tournament to see the ratings that they give on %(list)s."
    ),
}
"""Descriptions of the pages of a list, by the name of their address."""
OTHERS = {
    "events": gettext_lazy("Rated events with their results, by year, country and club."),
    "calendar": gettext_lazy("Events to come, as a page and as a calendar to subscribe to."),
    "clubs": gettext_lazy("Clubs with their players and their ratings."),
    "countries": gettext_lazy("Countries with their players and their ratings."),
    "all_rules": gettext_lazy("How the ratings of each list are computed."),
    "checks": gettext_lazy("What is checked before results are rated."),
    "search": gettext_lazy("Search for players, events and clubs."),
    "compare": gettext_lazy("Ratings of up to five players on one graph."),
    "lookup": gettext_lazy("Ratings, grades and ids of many players at once, by their names or ids."),
    "privacy": gettext_lazy("What this site stores about players and visitors, and how to have it changed."),
}
"""Descriptions of pages that are about no single list."""


class LinkPreview(NamedTuple):
    """Description of a page in whole sentences, and the address of its card."""

    description: str
    card: str


def describe_page(address_name: str, rating_list: RatingList | None, federation: Federation | None) -> str:
    """Return the description of a page without a preview of its own, by the name of its address."""
    if rating_list is not None and address_name in OF_LIST:
        return str(OF_LIST[address_name]) % {"list": rating_list.label}
    if address_name in OTHERS:
        return str(OTHERS[address_name])
    if federation is not None:
        return _("Ratings, events and promotions of %(federation)s.") % {"federation": federation}
    return _("Ratings, events and promotions of several federations.")


def as_text(sentences: Sequence[SafeString]) -> str:
    """Return sentences of a page in one line, without their links."""
    return unescape(strip_tags(" ".join(sentences)))


def list_places(places: Iterable[tuple[int, str]]) -> str:
    """Return places and names in one line."""
    return join_parts(_("%(place)d. %(name)s") % {"place": place, "name": name} for place, name in places)


def add_card_version(address: str, shown: tuple[object, ...]) -> str:
    """Return the address of a card with a version in its query, which changes with what the card shows."""
    version = hashlib.sha256(repr(shown).encode()).hexdigest()[:8]
    return f"{address}{'&' if '?' in address else '?'}v={version}"
