"""Search for stored tables that have exactly the same results."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Count, Q

from ratings.domain.events.tables import NumberedGame
from ratings.models import Game, Table
from ratings.systems.values import invert_score

Result = tuple[int, int, int | None, float, bool, str | None, str | None, str]
"""Round, primary keys of both players, score of the first player, played, handicap, giver, kind."""
Points = tuple[int, int, None, float]
"""Round, primary key of a player, no opponent, points: a result that is not rated."""


def find_duplicate_table(players: Mapping[int, int], games: Sequence[NumberedGame], last_day: dt.date) -> Table | None:
    """Return a table that ends on the day and has exactly the same players and results, or None.

    `players` holds the players' primary keys by their numbers in the games.
    """
    results = _normalize_results(
        (
            p.round,
            players[p.a],
            None if p.b is None else players[p.b],
            p.score,
            p.played,
            p.handicap,
            p.giver,
            p.kind,
        )
        for p in games
    )
    own = Count("entries", filter=Q(entries__player__in=players.values()))
    tables = Table.objects.filter(last_day=last_day).annotate(all=Count("entries"), own=own)
    for table in tables.filter(all=len(players), own=len(players)).select_related("event"):
        if results == _normalize_results(_load_results(table)):
            return table
    return None


def _load_results(table: Table) -> list[Result]:
    games = Game.objects.filter(table=table)
    fields = ("round", "a__player", "b__player", "score", "played", "handicap", "giver", "kind")
    return list(games.values_list(*fields))


def _normalize_results(results: Iterable[Result]) -> set[Result | Points]:
    """Return results in one form: games with the lower primary key first, and points of results that are not rated.

    Their opponents do not count: releases until 2026 did not store them, and some formats do not have them.
    """
    normalized = set[Result | Points]()
    for round_, a, b, score, played, handicap, giver, kind in results:
        if not played:
            normalized.add((round_, a, None, score))
            if b is not None:
                normalized.add((round_, b, None, invert_score(score, kind)))
        elif b is None or a < b:
            normalized.add((round_, a, b, score, played, handicap, giver, kind))
        else:
            other = {"a": "b", "b": "a", None: None}[giver]
            normalized.add((round_, b, a, invert_score(score, kind), played, handicap, other, kind))
    return normalized
