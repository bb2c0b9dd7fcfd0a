"""Loops over tables in bgf, with players' states in arrays from table to table, to be compiled by numba.

Every rule is in game.py and tables.py, which `BgfRating.rate` uses as well.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from ratings.systems.compiling import compiled
from ratings.systems.go_arrays import GoGames, SeatRatings
from ratings.systems.table_arrays import Flags, Floats, Integers

from .game import Conditions, GameDetails, find_factors, rating_change
from .tables import grade_after, is_board_rated


class Tables(NamedTuple):
    """Conditions by table, as in `Conditions`, and `bonus` for all; `too_fast`: only correspondence games are rated."""

    place: Floats
    time: Floats
    squared: Flags
    fixed_boards: Flags
    too_fast: Flags
    bonus: int


class Players(NamedTuple):
    """Ratings and grades of players by their index, and those of their declared ranks; NaN for no rating."""

    ratings: Floats
    grades: Integers
    entry_ratings: Floats
    entry_grades: Integers


class Results(NamedTuple):
    """Arrays to be filled, with 0 before, one row per seat; `unrated_boards` and `too_fast` count games by table.

    `ratings` are running, `changes` the sums of a round, `grades_before` those that the table uses.
    """

    ratings: Floats
    changes: Floats
    grades_before: Integers
    grades: Integers
    played: Integers
    unrated_boards: Integers
    too_fast: Integers


@compiled
def rate_game(
    table: int, game: int, games: GoGames, conditions: Conditions, seats: SeatRatings, results: Results
) -> None:
    """Add the changes for a game that is not too fast, by the running ratings."""
    a, b = games.a[game], games.b[game]
    rating_a, rating_b = results.ratings[a], results.ratings[b]
    if math.isnan(rating_a) or math.isnan(rating_b):
        return
    if not is_board_rated(games.boards[game], conditions.fixed_boards):
        results.unrated_boards[table] += 1
        return
    details = GameDetails(games.stones[game], games.boards[game], games.online[game], games.correspondence[game])
    score, b_is_black = games.scores[game], games.b_is_black[game]
    for seat, own, other, points, black in (
        (a, rating_a, rating_b, score, not b_is_black),
        (b, rating_b, rating_a, 1 - score, b_is_black),
    ):
        results.changes[seat] += rating_change(points, find_factors(own, other, black, details, conditions))
        seats.rated[seat] += 1


@compiled
def move_ratings(first: int, end: int, results: Results) -> None:
    """Add the changes of a round to the running ratings of the seats from `first` to `end`."""
    for seat in range(first, end):
        if results.changes[seat] != 0:
            results.ratings[seat] += results.changes[seat]
            results.changes[seat] = 0


@compiled
def start_seats(games: GoGames, table: int, players: Players, seats: SeatRatings, results: Results) -> None:
    """Set the ratings and grades of the players at the start of a table."""
    for seat in range(games.seats[table], games.seats[table + 1]):
        player = games.seated[seat]
        rating, grade = players.ratings[player], players.grades[player]
        seats.before[seat] = rating
        if math.isnan(rating):
            rating, grade = players.entry_ratings[player], players.entry_grades[player]
        seats.starts[seat] = results.ratings[seat] = rating
        results.grades_before[seat] = results.grades[seat] = grade


@compiled
def rate_tables(
    games: GoGames, rounds: Integers, tables: Tables, players: Players, seats: SeatRatings, results: Results
) -> None:
    """Rate all tables, and update the states of `players`; ratings move after each of the `rounds` of a table."""
    for table in range(len(games.seats) - 1):
        first, end = games.seats[table], games.seats[table + 1]
        start_seats(games, table, players, seats, results)
        conditions = Conditions(
            tables.place[table], tables.time[table], tables.squared[table], tables.fixed_boards[table], tables.bonus
        )
        low, high = games.games[table], games.games[table + 1]
        for game in range(low, high):
            if game > low and rounds[game] != rounds[game - 1]:
                move_ratings(first, end, results)
            results.played[games.a[game]] += 1
            results.played[games.b[game]] += 1
            if tables.too_fast[table] and not games.correspondence[game]:
                results.too_fast[table] += 1
            else:
                rate_game(table, game, games, conditions, seats, results)
        move_ratings(first, end, results)
        for seat in range(first, end):
            player = games.seated[seat]
            if seats.rated[seat] > 0:
                grade = grade_after(results.grades_before[seat], results.ratings[seat])
                players.ratings[player], players.grades[player] = results.ratings[seat], grade
            seats.after[seat], results.grades[seat] = players.ratings[player], players.grades[player]
