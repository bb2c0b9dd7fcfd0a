"""Arrays on which the compiled loops of both FESA editions work."""

from __future__ import annotations

from typing import NamedTuple

from ratings.systems.compiling import compiled
from ratings.systems.table_arrays import Flags, Floats, Integers

NONE = -1.0e9
"""Value for an undefined rating."""
# columns of a player's state: rating (0 for none), games (-1 while unrated), number of past results, bonus games,
# grade (-1 for none), games at or above LB, whether one was above MP, games at or above MP, grade that waits (-1: none)
RATING, GAMES, PAST, BONUS, GRADE, LB_RUN, ABOVE, MP_RUN, WAITING = range(9)
WIDTH = 9
# columns of a seat's result
PLAYED, TOTAL, CATEGORY, CATEGORY_AFTER, BEFORE, GRADE_BEFORE = range(6)


class RatedGames(NamedTuple):
    """Columns of `TableArrays`, with only the games that the edition rates; `handicaps` are in grades."""

    seats: Integers
    seated: Integers
    games: Integers
    a: Integers
    b: Integers
    scores: Floats
    handicaps: Floats
    a_gives: Flags


class Past(NamedTuple):
    """Results of unrated players: opponents' ratings, scores, and weights, which only the first edition uses."""

    ratings: Floats
    scores: Floats
    weights: Floats


class Players(NamedTuple):
    """Players by their index: state rows, midpoints of prior grades (0 for none), and starts of their past.

    Each past is followed by room for the results of a prior grade and for the player's games of all tables.
    """

    states: Integers
    priors: Floats
    past_starts: Integers
    past: Past


class Results(NamedTuple):
    """Arrays to be filled, one row per seat; `rounds` per table.

    `awards` (seat, grade, way, game) has room for all grades for every seat.
    """

    rows: Integers
    performances: Floats
    after: Integers
    awards: Integers
    rounds: Integers
    moving: Flags


class Seats(NamedTuple):
    """Players of one table during the iteration, which updates `estimates`, `used` and `weights`.

    Seat i has the pairings from starts[i] to starts[i + 1]. `games_after` counts the games of this table too.
    """

    players: Integers
    unrated: Flags
    before: Integers
    bonus: Integers
    games_after: Integers
    estimates: Integers
    starts: Integers
    opponents: Integers
    scores: Floats
    handicaps: Floats
    gives: Flags
    used: Floats
    weights: Floats


@compiled
def count_games(state: Integers) -> int:
    return int(state[PAST] if state[GAMES] < 0 else state[GAMES])


@compiled
def get_past(players: Players, player: int) -> Past:
    """Return the past results of a player."""
    first, past = players.past_starts[player], players.past
    last = first + players.states[player, PAST]
    return Past(past.ratings[first:last], past.scores[first:last], past.weights[first:last])


@compiled
def add_to_past(players: Players, player: int, rating: float, score: float, weight: float) -> None:
    state, past = players.states[player], players.past
    end = players.past_starts[player] + state[PAST]
    past.ratings[end], past.scores[end], past.weights[end] = rating, score, weight
    state[PAST] += 1
