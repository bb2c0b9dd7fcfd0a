"""Expected scores of games by a list's ratings before their tables, and how accurate they were."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ratings import models
from ratings.laboratory.games import Flags, Ids, Numbers
from ratings.models import Change, RatingList
from ratings.queries.lists.deviations import deviation_reader
from ratings.queries.lists.history import tables_of
from ratings.systems.values import UNRATED_CATEGORIES, Game

CHUNK_SIZE = 20_000


@dataclass(frozen=True)
class GameColumns:
    """Played games between two players, as columns; `score` is that of `a`, `kind` the index in `kinds`."""

    table: Ids
    a: Ids
    b: Ids
    score: Numbers
    kind: Ids
    kinds: Sequence[Game]
    """Games with what a system uses besides ratings: handicap, stones, colour, online …"""


@dataclass(frozen=True)
class ExpectedScores:
    """The expected score of `a` in each game (NaN if it is not known), and whether a rating was provisional."""

    expected: Numbers
    provisional: Flags

    @property
    def known(self) -> Flags:
        return ~np.isnan(self.expected)


def played_games(rating_list: RatingList) -> GameColumns:
    """Return all played games that a list rates."""
    counted = models.Game.objects.filter(
        table__in=tables_of(rating_list), table__rated=True, played=True, b__isnull=False
    )
    fields = ("handicap", "giver", "stones", "black", "board", "online", "correspondence")
    kinds: dict[tuple[object, ...], int] = {}
    tables, firsts, seconds, scores, kind_of = array("q"), array("q"), array("q"), array("d"), array("q")
    rows = counted.order_by().values_list("table", "a__player", "b__player", "score", *fields)
    for table, a, b, score, *kind in rows.iterator(chunk_size=CHUNK_SIZE):
        tables.append(table)
        firsts.append(a)
        seconds.append(b or 0)
        scores.append(score)
        kind_of.append(kinds.setdefault(tuple(kind), len(kinds)))
    kind_games = [Game(None, "a", "b", None, True, *kind) for kind in kinds]  # type: ignore[arg-type] # in the order of `fields`
    table_of, a_of, b_of, kinds_of = (
        np.frombuffer(column, dtype=np.int64) for column in (tables, firsts, seconds, kind_of)
    )
    return GameColumns(table_of, a_of, b_of, np.frombuffer(scores, dtype=np.float64), kinds_of, kind_games)


def expected_scores(rating_list: RatingList, games: GameColumns) -> ExpectedScores:
    """Return the expected scores of games by a list's ratings before their tables."""
    seats, before, provisional, deviation = _load_ratings_before(rating_list)
    seat_a, seat_b = (_find_seats(seats, games.table, player) for player in (games.a, games.b))
    both = np.flatnonzero((seat_a >= 0) & (seat_b >= 0))
    predict, kinds = rating_list.rating_system.rating.predict, games.kinds
    values = [column[seat].tolist() for column in (before, deviation) for seat in (seat_a[both], seat_b[both])]
    rows = zip(*values, games.kind[both].tolist(), strict=True)
    predictions = [
        predict(own, opponent, kinds[kind], "a", (own_deviation, other_deviation))
        for own, opponent, own_deviation, other_deviation, kind in rows
    ]
    expected = np.full(len(games.table), np.nan)
    expected[both] = np.array(predictions, dtype=np.float64)  # None becomes NaN
    uncertain = np.zeros(len(games.table), dtype=np.bool_)
    uncertain[both] = provisional[seat_a[both]] | provisional[seat_b[both]]
    return ExpectedScores(expected, uncertain)


Seats = tuple[Ids, int]
"""Sorted numbers that combine table and player (table × factor + player), and the factor."""


def _load_ratings_before(rating_list: RatingList) -> tuple[Seats, Numbers, Flags, Numbers]:
    """Return the players rated before a table: their ratings, whether these were provisional, and the deviations.

    Deviations are 0 in systems that have none.
    """
    changes = Change.objects.filter(list=rating_list, table__isnull=False, before__isnull=False)
    changes = changes.exclude(category__in=UNRATED_CATEGORIES)
    tables, players, before, provisional = array("q"), array("q"), array("d"), array("b")
    rules, played = rating_list.rating_system.rating, Counter[int]()
    changes = changes.order_by() if rules.marks_provisional else changes.order_by("day", "place")
    rows = changes.values_list("table", "player", "before", "category", "games")
    for table, player, rating, category, games in rows.iterator(chunk_size=CHUNK_SIZE):
        tables.append(table or 0)
        players.append(player)
        before.append(rating or 0)
        provisional.append(rules.is_newcomer(category, played[player]))
        played[player] += games
    uncertain = _load_deviations_before(rating_list)
    deviations = [uncertain.get(seat, 0.0) for seat in zip(tables, players, strict=True)]
    of_player = np.frombuffer(players, dtype=np.int64)
    factor = int(of_player.max(initial=0)) + 1
    seats = np.frombuffer(tables, dtype=np.int64) * factor + of_player
    order = np.argsort(seats)
    flags = np.frombuffer(provisional, dtype=np.bool_)
    known = np.frombuffer(before, dtype=np.float64)[order]
    return (seats[order], factor), known, flags[order], np.array(deviations, dtype=np.float64)[order]


def _load_deviations_before(rating_list: RatingList) -> dict[tuple[int, int], float]:
    """Return the deviations of players before tables, by table and player; empty in systems without deviations."""
    if not rating_list.rating_system.rating.has_deviations:
        return {}
    read, found = deviation_reader(rating_list), {}
    last: dict[int, str] = {}
    rows = (
        Change.objects.filter(list=rating_list).order_by("day", "place").values_list("player", "table", "day", "state")
    )
    for player, table, day, state in rows.iterator(chunk_size=CHUNK_SIZE):
        if table is not None and player in last:
            found[table, player] = read(last[player], day) or 0.0
        last[player] = state
    return found


def _find_seats(seats: Seats, table: Ids, player: Ids) -> Ids:
    """Return the indices of players at tables among the seats; -1 for players who are not there."""
    known, factor = seats
    if not len(known):
        return np.full(len(table), -1, dtype=np.int64)
    wanted = table * factor + player
    index = np.minimum(np.searchsorted(known, wanted), len(known) - 1)
    return np.where((known[index] == wanted) & (player < factor), index, -1)
