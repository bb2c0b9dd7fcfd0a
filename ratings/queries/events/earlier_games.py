"""Games of earlier events that count for a rating again, such as those that lead to a first rating.

The state of a player has only the opponent's rating and the score of an earlier game. The earlier tables are rated
again to find the opponents; the result is cached under the list's version.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Q
from pydantic import TypeAdapter

from ratings.models import Change, Event, ListPlayer, Player, RatedTable, Table
from ratings.queries.events.changes import players_by_public_id
from ratings.queries.events.crosstables import public_changes_filter
from ratings.queries.events.explanations import Explanation, rate_again
from ratings.queries.lists.list_cache import cached
from ratings.queries.runs.values import strip_table_id

Term = Mapping[str, Any]
FOUND = TypeAdapter(list[tuple[int, str, int]])


@dataclass(frozen=True)
class EarlierGame:
    """The opponent and the table of a game before the explained table."""

    opponent: Player
    table: Table


def find_earlier_games(explanation: Explanation, rated: RatedTable) -> dict[int, EarlierGame]:
    """Return the public games of earlier tables that an explanation repeats, by their places among its terms.

    Games that were given with a starting rating, and results that a grade adds, belong to no table.
    """
    earlier = _list_earlier(explanation)
    if not earlier:
        return {}
    change = explanation.change
    found = cached(
        rated.list,
        f"earlier:{change.player_id}",
        lambda: list(_match_earlier(earlier, rated, change)),
        FOUND,
        detail=f"{change.table_id}",
    )
    tables = Table.objects.select_related("event").filter(event__state=Event.State.ACCEPTED)
    by_table = tables.in_bulk({table for _place, _opponent, table in found})
    players = players_by_public_id(opponent for _place, opponent, _table in found)
    return {
        place: EarlierGame(players[opponent], by_table[table])
        for place, opponent, table in found
        if opponent in players and table in by_table
    }


def find_prior_results(explanation: Explanation, rated: RatedTable, found: Collection[int]) -> frozenset[int]:
    """Return the places of the loss and the win against one rating that a grade on joining adds, among the terms.

    They come before all games; `found` are the places of known games.
    """
    first = _list_earlier(explanation)[:2]
    if len(first) < 2 or (found and min(found) < 2) or [term["score"] for term in first] != [0, 1]:
        return frozenset()
    if first[0]["opponent_rating"] != first[1]["opponent_rating"]:
        return frozenset()
    known = ListPlayer.objects.filter(list=rated.list.source, player=explanation.change.player_id)
    return frozenset({0, 1}) if known.exclude(prior_grade=None).exclude(prior_grade="").exists() else frozenset()


def _list_earlier(explanation: Explanation) -> list[Term]:
    return [term for term in explanation.row.terms if term.get("opponent") is None and not term.get("dummy_draw")]


def _match_earlier(earlier: Sequence[Term], rated: RatedTable, change: Change) -> Iterator[tuple[int, str, int]]:
    """Yield the place among the earlier games, the opponent's public id and the table of each game that is found.

    States hold the games in the order of the tables, so the last earlier ones are those of the last table before. At
    most as many tables are rated again as there are earlier games.
    """
    before = Q(day__lt=rated.day) | Q(day=rated.day, place__lt=rated.place)
    own = Change.objects.filter(before, public_changes_filter(), list=rated.list, player=change.player, games__gt=0)
    tables = own.filter(table__isnull=False).order_by("-day", "-place").values_list("table", flat=True)
    end = len(earlier)
    for table in tables[:end]:
        if not end:
            return
        played = _list_games(rated, table or 0, change.player.public_id)
        start = end - len(played)
        if start < 0 or not all(map(_is_same_game, earlier[start:end], played)):
            return
        yield from (
            (start + number, strip_table_id(game["opponent"]), table or 0) for number, game in enumerate(played)
        )
        end = start


def _list_games(rated: RatedTable, table: int, player: str) -> list[Term]:
    """Return the terms of a player's games in a table of the same list, in order."""
    earlier = RatedTable.objects.select_related("list", "table__event").get(list=rated.list, table=table)
    result, _names = rate_again(earlier)
    row = next((row for row in result.rows if row.player == player), None)
    return [term for term in row.terms if term.get("opponent")] if row else []


def _is_same_game(one: Term, other: Term) -> bool:
    same_rating = math.isclose(one["opponent_rating"], other["opponent_rating"])
    return same_rating and bool(one["score"] == other["score"])
