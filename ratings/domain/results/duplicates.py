"""Search for stored tables that have exactly the same results."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from django.db.models import Count, Q

from ratings.domain.events.tables import NumberedGame
from ratings.models import Game, Table

Result = tuple[int, int, int | None, float, bool, str | None, str | None]
"""Round, primary keys of both players, score of the first player, played, handicap, giver."""


def find_duplicate_table(players: Mapping[int, int], games: Sequence[NumberedGame], last_day: dt.date) -> Table | None:
    """Return a table that ends on the day and has exactly the same players and results, or None.

    `players` holds the players' primary keys by their numbers in the games.
    """
    results = {
        _normalize_result(
            (p.round, players[p.a], None if p.b is None else players[p.b], p.score, p.played, p.handicap, p.giver)
        )
        for p in games
    }
    own = Count("entries", filter=Q(entries__player__in=players.values()))
    tables = Table.objects.filter(last_day=last_day).annotate(all=Count("entries"), own=own)
    for table in tables.filter(all=len(players), own=len(players)).select_related("event"):
        if results == {_normalize_result(stored) for stored in _load_results(table)}:
            return table
    return None


def _load_results(table: Table) -> list[Result]:
    games = Game.objects.filter(table=table)
    return list(games.values_list("round", "a__player", "b__player", "score", "played", "handicap", "giver"))


def _normalize_result(result: Result) -> Result:
    """Return a game with the lower primary key first, so that both ways of writing it are equal."""
    round_, a, b, score, played, handicap, giver = result
    if b is None or a < b:
        return result
    return round_, b, a, 1 - score, played, handicap, {"a": "b", "b": "a", None: None}[giver]
