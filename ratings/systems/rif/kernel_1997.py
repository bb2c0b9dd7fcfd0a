"""Loops over tables in rif-1997, with players' states in arrays from table to table, to be compiled by numba.

Every rule is in event_1997.py and event_1995.py, which `Rating1997.rate` uses as well.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ratings.systems.arithmetic import add_exactly, round_half_away_from_zero
from ratings.systems.compiling import compiled
from ratings.systems.table_arrays import Flags, Floats, Integers

from .event_1995 import win_expectancy
from .event_1997 import is_established, provisional_rating, rating_change


class CountedGames(NamedTuple):
    """Columns of `TableArrays`, with only the games that count, and the last day of each table as a number."""

    seats: Integers
    seated: Integers
    games: Integers
    a: Integers
    b: Integers
    scores: Floats
    last_days: Integers


class Players(NamedTuple):
    """Players by their index; `ratings` are those of established players, `last_played` 0 for never.

    `past_counts` are numbers of results, from `past_starts` on in `past_ratings` and `past_scores`, where each player
    has room for the games of all tables.
    """

    ratings: Integers
    established: Flags
    last_played: Integers
    past_starts: Integers
    past_counts: Integers
    past_ratings: Floats
    past_scores: Floats


class Results(NamedTuple):
    """Arrays to be filled, one row per seat: number of games, performance, and the states before and after."""

    rated: Integers
    performances: Floats
    before: Integers
    established_before: Flags
    past_before: Integers
    after: Integers
    established_after: Flags
    past_after: Integers
    last_played: Integers


@compiled
def list_pairings(games: CountedGames, table: int, players: Players) -> tuple[Integers, Floats, Floats]:
    """Return the start of each seat's games with established players in a table, and the opponents' ratings and points.

    They are in the order of the games (#6).
    """
    first, low, high = games.seats[table], games.games[table], games.games[table + 1]
    starts = np.zeros(games.seats[table + 1] - first + 1, dtype=np.int64)
    for game in range(low, high):
        a, b = games.a[game], games.b[game]
        if players.established[games.seated[b]]:
            starts[a - first + 1] += 1
        if players.established[games.seated[a]]:
            starts[b - first + 1] += 1
    starts = np.cumsum(starts)
    free, ratings, points = starts.copy(), np.empty(starts[-1]), np.empty(starts[-1])
    for game in range(low, high):
        a, b, score = games.a[game], games.b[game], games.scores[game]
        for seat, other, own_points in ((a, b, score), (b, a, 1 - score)):
            opponent = games.seated[other]
            if players.established[opponent]:
                index = free[seat - first]
                free[seat - first] += 1
                ratings[index], points[index] = players.ratings[opponent], own_points
    return starts, ratings, points


@compiled
def rate_established(rating: int, ratings: Floats, points: Floats, odds: float) -> int:
    """Return the new rating of an established player, rounded once for the table (#8)."""
    changes = np.empty(len(ratings))
    for i, opponent in enumerate(ratings):
        changes[i] = rating_change(points[i], win_expectancy(opponent - rating, odds))
    return round_half_away_from_zero(rating + add_exactly(changes))


@compiled
def add_results(player: int, players: Players, ratings: Floats, points: Floats) -> None:
    """Add results to those of a player who is not established, and establish the player who meets the limits (#5)."""
    first, count = players.past_starts[player], players.past_counts[player]
    end = first + count + len(ratings)
    players.past_ratings[first + count : end] = ratings
    players.past_scores[first + count : end] = points
    all_scores = players.past_scores[first:end]
    players.past_counts[player] = len(all_scores)
    if is_established(len(all_scores), all_scores.sum()):
        rating = provisional_rating(players.past_ratings[first:end], all_scores)
        players.ratings[player] = round_half_away_from_zero(rating)
        players.established[player], players.past_counts[player] = True, 0


@compiled
def rate_tables(games: CountedGames, players: Players, results: Results, odds: float) -> None:
    """Rate all tables, and update the states of `players`; `odds` are those of `win_expectancy`."""
    for table in range(len(games.seats) - 1):
        first = games.seats[table]
        starts, all_ratings, all_points = list_pairings(games, table, players)
        for seat in range(first, games.seats[table + 1]):
            player = games.seated[seat]
            results.before[seat], results.established_before[seat] = (
                players.ratings[player],
                players.established[player],
            )
            results.past_before[seat] = players.past_counts[player]
            low, high = starts[seat - first], starts[seat - first + 1]
            results.rated[seat] = high - low
            if low < high:
                ratings, points = all_ratings[low:high], all_points[low:high]
                results.performances[seat] = provisional_rating(ratings, points)
                if players.established[player]:
                    players.ratings[player] = rate_established(players.ratings[player], ratings, points, odds)
                else:
                    add_results(player, players, ratings, points)
                players.last_played[player] = max(players.last_played[player], games.last_days[table])
            results.after[seat], results.established_after[seat] = players.ratings[player], players.established[player]
            results.past_after[seat], results.last_played[seat] = (
                players.past_counts[player],
                players.last_played[player],
            )
