"""Both levels of the navigation: whose ratings (the federation and its list), and what about them (the sections)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from portal.site.federation_identity import crest_address
from portal.site.remembered_heads import remember_head
from portal.site.sections import Section
from ratings.models import Federation, RatingList
from ratings.queries.lists.lists import public_lists

SECTIONS: dict[str, frozenset[str]] = {
    "ratings": frozenset(
        {"list", "moves", "dated_lists", "dated_list", "latest", "list_calculator", "tournament", "embed_list"}
    ),
    "players": frozenset(
        {
            "player",
            "player_events",
            "player_games",
            "player_opponents",
            "player_grades",
            "choose_rival",
            "versus",
            "compare",
            "lookup",
            "search",
            "calculator",
            "explanation",
            "closing_explanation",
            "player_correction",
            "player_proof",
            "embed_player",
        }
    ),
    "events": frozenset(
        {
            "events",
            "event",
            "event_crosstable",
            "event_rounds",
            "event_grades",
            "event_entries",
            "event_pairings",
            "enter_event",
            "own_entry",
            "calendar",
        }
    ),
    "promotions": frozenset({"promotions", "certificate"}),
    "clubs": frozenset({"clubs", "club", "countries", "country"}),
    "statistics": frozenset({"statistics", "list_health", "corrections", "correction", "list_log"}),
    "rules": frozenset({"rules", "all_rules", "grades", "comparison", "checks", "rule_proposals", "rule_proposal"}),
}
"""Names of the addresses that belong to each section."""


@dataclass(frozen=True)
class Navigation:
    """Lists to choose from, each followed by its comparisons, the list of the page or the first one, and its sections.

    `federation` is None on a page that is about no list, if there are several federations. `crest` is the address of
    its crest, empty if it has none; `languages` are those that it offers, all if it names none.
    """

    lists: Sequence[RatingList]
    chosen: RatingList | None
    federation: Federation | None
    crest: str
    languages: Sequence[tuple[str, str]]
    sections: Sequence[Section]


def get_navigation(about: RatingList | Federation | None, address_name: str) -> Navigation:
    """Return the navigation of a page about a list, a federation or neither, at an address of this name."""
    public = list(public_lists())
    lists = [one for one in public if one.comparison_to is None]
    federation = _find_federation(about, lists)
    public.sort(key=lambda one: (one.federation != federation, one.source.pk, one.comparison_to is not None))
    chosen = about if isinstance(about, RatingList) else next(iter(public), None)
    crest = crest_address(federation) if federation else ""
    if federation:
        remember_head(federation, crest, public)
    return Navigation(
        public,
        chosen,
        federation,
        crest,
        offered_languages(federation),
        list(_list_sections(chosen, address_name, _query_of(about, lists))),
    )


def offered_languages(federation: Federation | None) -> list[tuple[str, str]]:
    """Return codes and names of the languages that a federation offers; all without one, and if it names none."""
    offered = federation.languages if federation else []
    return [language for language in settings.LANGUAGES if not offered or language[0] in offered]


def _find_federation(about: RatingList | Federation | None, lists: Sequence[RatingList]) -> Federation | None:
    """Return the federation that a page is about, or the only one."""
    if isinstance(about, Federation):
        return about
    known = {one.federation_id: one.federation for one in lists}
    if about is not None:
        return known.get(about.federation_id) or about.federation
    return next(iter(known.values())) if len(known) == 1 else None


def _query_of(about: RatingList | Federation | None, lists: Sequence[RatingList]) -> str:
    """Return the query that keeps the list of the page on pages of several lists; empty if there is no other list."""
    if not isinstance(about, RatingList) or len(lists) < 2 or about.source not in lists:
        return ""
    return f"?list={about.source.slug}"


def _list_sections(chosen: RatingList | None, address_name: str, query: str) -> list[Section]:
    slug = chosen and chosen.slug
    of_list = {
        "ratings": (_("Ratings"), "list"),
        "players": (_("Players"), None),
        "events": (_("Events"), None),
        "promotions": (_("Promotions"), "promotions"),
        "clubs": (_("Clubs"), None),
        "statistics": (_("Statistics"), "statistics"),
        "rules": (_("Rules"), "rules"),
    }
    general = {"players": "search", "events": "events", "clubs": "clubs"}
    return [
        Section(
            label,
            reverse(name, args=[slug]) if name else f"{reverse(general[section])}{query}",
            address_name in SECTIONS[section],
        )
        for section, (label, name) in of_list.items()
        if not name or (chosen and (section != "promotions" or chosen.has_grades))
    ]
