"""Pages of pairing programs as the public may see them, and players as such a program reads them."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass
from typing import Any

from anyascii import anyascii

from ratings.formats.go_players import OWN_COUNTRIES, format_grade, grade_of_rating
from ratings.formats.html_tables import Table
from ratings.formats.roster import RosterRow
from ratings.models import Event, EventEntry, PairingPage
from ratings.queries.players.names import WORD, is_hidden_word, list_words, read_hidden_words

from .rosters import Roster

HIDDEN = "…"
"""Text in place of a word that may be part of a hidden name."""
LOWEST = "30k"
CLUB_LENGTH = 4


@dataclass(frozen=True)
class PublicPage:
    """A page of a round with its tables, without the names of players who do not show theirs."""

    page: PairingPage
    tables: Sequence[Table]


def read_pairing_rounds(event: Event) -> list[int]:
    """Return the rounds of which a pairing program has sent a page, in order."""
    return sorted(set(PairingPage.objects.filter(event=event).values_list("round", flat=True)))


def read_pairing_pages(event: Event, round_: int) -> list[PublicPage]:
    """Return the pages of a round as the public may see them, pairings first.

    Programs send names as plain text, so cells cannot be matched with players. Every word that is part of a hidden name
    or of the name of an unlisted player is therefore replaced by HIDDEN, wherever it occurs.
    """
    pages = list(PairingPage.objects.filter(event=event, round=round_).order_by("kind"))
    hidden = _read_hidden_words(event) if pages else set()
    return [PublicPage(page, [hide_words(table, hidden) for table in page.tables]) for page in pages]


def _read_hidden_words(event: Event) -> set[str]:
    unlisted = EventEntry.objects.filter(event=event, is_listed=False).select_related("player")
    names = [f"{entry.player.family_name} {entry.player.given_name}" for entry in unlisted if entry.player]
    names += [entry.typed_name for entry in unlisted if entry.player is None]
    return read_hidden_words() | {word for name in names for word in list_words(name)}


def hide_words(table: Table, hidden: Container[str]) -> Table:
    """Return a table with each word that is part of a hidden name replaced by HIDDEN; `hidden` is from `list_words`."""

    def hide(match: re.Match[str]) -> str:
        return HIDDEN if is_hidden_word(match[0], hidden) else match[0]

    return [[WORD.sub(hide, cell) for cell in row] for row in table]


def describe_for_pairgoth(roster: Roster) -> list[dict[str, Any]]:
    """Return the players of a roster in the form of the program pairgoth.

    `id` is the number of the entry, which stays when the entry is matched with another player. Ratings are on the scale
    of the European Go Database. Players without a grade have the rank of their rating, else 30k.
    """
    zero = roster.valid.rating_list.rating_system.presentation.gor_of_zero if roster.valid else 0
    return [_describe_player(row, zero) for row in roster.rows]


def _describe_player(row: RosterRow, zero: int) -> dict[str, Any]:
    rating = None if row.rating is None else round(row.rating) + zero
    rank = format_grade(row.grade or row.prior_grade) or (grade_of_rating(rating) if rating is not None else LOWEST)
    player: dict[str, Any] = {
        "id": row.number,
        "lastname": row.family,
        "firstname": row.given,
        "country": OWN_COUNTRIES.get(row.country, row.country),
        "club": re.sub(r"[^A-Za-z0-9]", "", anyascii(row.club))[:CLUB_LENGTH],
        "rank": rank,
    }
    if rating is not None:
        player["rating"] = rating
    if pin := row.outside.get("egd"):
        player["pin"] = pin
    return player
