"""Loops over tables in both FESA editions, with players' states in arrays from table to table, to be compiled by numba.

Every rule is in the modules of single players (game.py, event_2000.py, event_2016.py, grades.py, state.py), which
`FesaRating.rate` uses as well. kernel_2000.py and kernel_2016.py pass the rules of their edition to these loops.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ratings.systems.arithmetic import performance_rating
from ratings.systems.compiling import compiled
from ratings.systems.table_arrays import Flags, Floats, Integers

from .game import FULL_WEIGHT, prior_results
from .grades import GradeState, Run, find_promotions, get_category, list_moments
from .kernel_arrays import (
    ABOVE,
    BEFORE,
    BONUS,
    CATEGORY,
    CATEGORY_AFTER,
    GAMES,
    GRADE,
    GRADE_BEFORE,
    LB_RUN,
    MP_RUN,
    NONE,
    PAST,
    PLAYED,
    RATING,
    TOTAL,
    WAITING,
    Players,
    RatedGames,
    Results,
    Seats,
    add_to_past,
    count_games,
    get_past,
)
from .state import is_unrated

RateRound = Callable[[Seats, Players, Flags], None]
"""Rule that rates the players of a table once; called for whole rounds, since each call copies all array headers."""
CountBonusGames = Callable[[int, int, bool], int]


@compiled
def is_player_unrated(players: Players, player: int, games: int) -> bool:
    """Return True if a player is unrated in a table with `games` games of theirs."""
    return bool(players.states[player, GAMES] < 0 and is_unrated(get_past(players, player).scores, games))


@compiled
def build_pairings(games: RatedGames, table: int) -> tuple[Integers, Integers, Floats, Floats, Flags]:
    """Return each game of a table from both sides, grouped by seat and in the order of the games.

    The arrays are the start of each seat's pairings, the opponents, points, handicaps, and whether the seat gave them.
    """
    first, low, high = games.seats[table], games.games[table], games.games[table + 1]
    starts = np.zeros(games.seats[table + 1] - first + 1, dtype=np.int64)
    for game in range(low, high):
        starts[games.a[game] - first + 1] += 1
        starts[games.b[game] - first + 1] += 1
    starts = np.cumsum(starts)
    free, count = starts.copy(), 2 * (high - low)
    opponents, points = np.empty(count, dtype=np.int64), np.empty(count)
    values, gives = np.empty(count), np.empty(count, dtype=np.bool_)
    for game in range(low, high):
        seat_a, seat_b = games.a[game] - first, games.b[game] - first
        index_a, index_b = free[seat_a], free[seat_b]
        free[seat_a] += 1
        free[seat_b] += 1
        opponents[index_a], opponents[index_b] = seat_b, seat_a
        points[index_a], points[index_b] = games.scores[game], 1.0 - games.scores[game]
        values[index_a] = values[index_b] = games.handicaps[game]
        gives[index_a], gives[index_b] = games.a_gives[game], not games.a_gives[game]
    return starts, opponents, points, values, gives


@compiled
def start_seat(players: Players, player: int, played: int, result: Integers) -> bool:
    """Return True if the player is unrated in the table, and fill the first columns of `result`.

    A prior grade is added to the past of a newcomer.
    """
    state, prior = players.states[player], players.priors[player]
    result[PLAYED], result[BEFORE], result[GRADE_BEFORE] = played, state[RATING], state[GRADE]
    unrated = is_player_unrated(players, player, played)
    result[CATEGORY] = get_category(unrated, count_games(state) + played)
    if played > 0 and prior > 0 and state[GAMES] < 0 and state[PAST] == 0:
        for rating, score in prior_results(prior):
            add_to_past(players, player, rating, score, FULL_WEIGHT)
    return unrated


@compiled
def start_table(games: RatedGames, table: int, players: Players, results: Results) -> Seats:
    """Return the seats of a table before the iteration."""
    starts, opponents, points, values, gives = build_pairings(games, table)
    first, end = games.seats[table], games.seats[table + 1]
    seated = games.seated[first:end]
    unrated, games_after = np.zeros(len(seated), dtype=np.bool_), np.zeros(len(seated), dtype=np.int64)
    for seat, player in enumerate(seated):
        played = starts[seat + 1] - starts[seat]
        unrated[seat] = start_seat(players, player, played, results.rows[first + seat])
        games_after[seat] = count_games(players.states[player]) + played
    before, bonus = players.states[:, RATING][seated], players.states[:, BONUS][seated]
    estimates, used, weights = np.where(unrated, 0, before), np.zeros(len(opponents)), np.ones(len(opponents))
    return Seats(
        seated, unrated, before, bonus, games_after, estimates, starts, opponents, points, values, gives, used, weights
    )


@compiled
def iterate_table(rate_round: RateRound, seats: Seats, players: Players, most_rounds: int) -> tuple[int, Flags]:
    """Iterate a table in place as `seats.iterate_ratings` does; return the number of rounds, and who moved in the last.

    `rate_round` rates each player with games once, by the newest ratings of the others, and marks in its last argument
    whose rating changed.
    """
    moving = np.zeros(len(seats.players), dtype=np.bool_)
    for rounds in range(1, most_rounds + 1):
        rate_round(seats, players, moving)
        if not moving.any():
            return rounds, moving
    return most_rounds, moving


@compiled
def finish_seat(
    bonus_games_after: CountBonusGames,
    grades: NDArray[np.void],
    seats: Seats,
    seat: int,
    players: Players,
) -> list[tuple[int, int, int]]:
    """Update the state of a player with games after the table, as `FesaRating._next_state` does.

    Return the promotions.
    """
    player, low, high = seats.players[seat], seats.starts[seat], seats.starts[seat + 1]
    state, unrated, after, played = players.states[player], seats.unrated[seat], seats.estimates[seat], high - low
    games_before = 0 if unrated else count_games(state)
    state[RATING] = after
    state[BONUS] = bonus_games_after(state[BONUS], played, unrated)
    if unrated:
        for i in range(low, high):
            add_to_past(players, player, seats.used[i], seats.scores[i], seats.weights[i])
        moments = list_moments(after, after, state[PAST])
    else:
        state[PAST], state[GAMES] = 0, games_before + played
        moments = list_moments(seats.before[seat], after, played)
    climb = GradeState(state[GRADE], Run(state[LB_RUN], state[ABOVE] != 0), state[MP_RUN], state[WAITING])
    climb, promotions = find_promotions(grades, climb, len(grades), moments, games_before, after)
    state[GRADE], state[MP_RUN], state[WAITING] = climb.grade, climb.mp_run, climb.waiting
    state[LB_RUN], state[ABOVE] = climb.lb_run.games, climb.lb_run.above
    return promotions


@compiled
def rate_tables(
    rate_round: RateRound,
    bonus_games_after: CountBonusGames,
    grades: NDArray[np.void],
    games: RatedGames,
    players: Players,
    results: Results,
    most_rounds: int,
) -> int:
    """Rate all tables by the rules of an edition and return the number of awards; states and past are updated."""
    count = 0
    for table in range(len(games.seats) - 1):
        first = games.seats[table]
        seats = start_table(games, table, players, results)
        results.rounds[table], moving = iterate_table(rate_round, seats, players, most_rounds)
        results.moving[first : first + len(moving)] = moving
        for seat, player in enumerate(seats.players):
            low, high = seats.starts[seat], seats.starts[seat + 1]
            results.performances[first + seat] = NONE
            if low < high:
                performance = performance_rating(seats.used[low:high], seats.scores[low:high], seats.weights[low:high])
                if performance is not None:
                    results.performances[first + seat] = performance
                for grade, way, game in finish_seat(bonus_games_after, grades, seats, seat, players):
                    results.awards[count] = first + seat, grade, way, game
                    count += 1
            state, result = players.states[player], results.rows[first + seat]
            result[TOTAL] = count_games(state)
            result[CATEGORY_AFTER] = get_category(is_player_unrated(players, player, 0), result[TOTAL])
            results.after[first + seat] = state
    return count
