"""Rows of search results: a player with a standing, a club or an event."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext, ngettext

from ratings.models import Club, Event, Player, RatingList, Standing
from ratings.queries.site.search import rows_of


@dataclass(frozen=True)
class SearchRow:
    """A result: its kind, its row, and of a player the standing to show (None: not rated in public).

    `shows_id` is True for players whose name others of the results have too.
    """

    kind: str
    row: Player | Club | Event
    standing: Standing | None = None
    shows_id: bool = False


def read_rows(keys: Mapping[str, Sequence[int]]) -> dict[tuple[str, int], Any]:
    """Return players, clubs and events by kind and key, in at most one query per kind and what belongs to it."""
    rows = {kind: rows_of(kind, ids) for kind, ids in keys.items()}
    return {(kind, key): row for kind, by_key in rows.items() for key, row in by_key.items()}


def build_rows(found: Iterable[tuple[str, Any]], rating_list: RatingList | None = None) -> list[SearchRow]:
    """Return rows for results in their order; a player's standing is the one on `rating_list`, else the first."""
    results = list(found)
    names = Counter(str(row) for kind, row in results if kind == "players")
    return [
        SearchRow(kind, row, choose_standing(row, rating_list), names[str(row)] > 1)
        if kind == "players"
        else SearchRow(kind, row)
        for kind, row in results
    ]


def choose_standing(player: Any, rating_list: RatingList | None) -> Standing | None:
    """Return a player's standing on a list, else the first of the public ones; None without any."""
    standings: list[Standing] = player.public
    return next((one for one in standings if one.list == rating_list), next(iter(standings), None))


def describe_number_of_suggestions(number: int) -> str:
    """Return the message about suggestions: announced by screen readers, and displayed if there are none."""
    return ngettext("%d suggestion", "%d suggestions", number) % number if number else gettext("Nothing found")
