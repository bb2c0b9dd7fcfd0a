"""Loops over tables in egf-2021, with players' ratings in an array from table to table, to be compiled by numba.

Every rule is in game.py and tables.py, which `EgfRating.rate` uses as well.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ratings.systems.compiling import compiled
from ratings.systems.go_arrays import GoGames, SeatRatings
from ratings.systems.table_arrays import Floats, Integers

from .game import TOO_FAST, expected_of_a, find_exclusion, rating_after, rating_change
from .tables import bonus_points, con_factor

TOO_FAST_WEIGHT = 0.0
"""Weight of games that are too fast to be rated."""


class ListRules(NamedTuple):
    """Settings of a list."""

    with_bonus: bool
    max_stones: int


class Players(NamedTuple):
    """Ratings of players by their index, and the ratings of their declared ranks; NaN for none."""

    ratings: Floats
    priors: Floats


class Results(NamedTuple):
    """Arrays to be filled, with 0 before: those of seats, and `exclusions`, the reasons why games are not rated.

    `changes` are sums, `played` numbers of games, `reasons` those of the last games that are not rated.
    """

    changes: Floats
    played: Integers
    reasons: Integers
    exclusions: Integers


@compiled
def rate_game(game: int, games: GoGames, weight: float, rules: ListRules, seats: SeatRatings, results: Results) -> None:
    """Add the changes for a game, as `EgfRating.rate` does; `weight` is that of its class."""
    a, b, stones = games.a[game], games.b[game], games.stones[game]
    results.played[a] += 1
    results.played[b] += 1
    reason = find_exclusion(games.boards[game], games.correspondence[game], stones, rules.max_stones)
    if reason == 0 and weight == TOO_FAST_WEIGHT:
        reason = TOO_FAST
    if reason != 0:
        results.exclusions[game] = results.reasons[a] = results.reasons[b] = reason
        return
    rating_a, rating_b = seats.starts[a], seats.starts[b]
    if math.isnan(rating_a) or math.isnan(rating_b):
        return
    score, expected = games.scores[game], expected_of_a(rating_a, rating_b, stones, games.b_is_black[game])
    for seat, own, points, chance in ((a, rating_a, score, expected), (b, rating_b, 1 - score, 1 - expected)):
        bonus = bonus_points(own) if rules.with_bonus else 0.0
        results.changes[seat] += rating_change(weight, con_factor(own), points, chance, bonus)
        seats.rated[seat] += 1


@compiled
def rate_tables(
    games: GoGames, weights: Floats, rules: ListRules, players: Players, seats: SeatRatings, results: Results
) -> None:
    """Rate all tables, and update the ratings of `players`.

    `weights` are those of games at the board and of games on the internet, by table.
    """
    for table in range(len(games.seats) - 1):
        first, end = games.seats[table], games.seats[table + 1]
        for seat in range(first, end):
            player = games.seated[seat]
            before = players.ratings[player]
            seats.before[seat] = before
            seats.starts[seat] = players.priors[player] if math.isnan(before) else before
        for game in range(games.games[table], games.games[table + 1]):
            weight = weights[table, 1] if games.online[game] else weights[table, 0]
            rate_game(game, games, weight, rules, seats, results)
        for seat in range(first, end):
            player = games.seated[seat]
            if seats.rated[seat] > 0:
                players.ratings[player] = rating_after(seats.starts[seat], results.changes[seat])
            seats.after[seat] = players.ratings[player]
