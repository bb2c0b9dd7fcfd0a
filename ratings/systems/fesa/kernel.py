"""Loops over tables in fesa-2016, with players' states in arrays from table to table, to be compiled by numba.

Every rule is in the modules of single players (game.py, event_2016.py, grades.py, state.py), which `Rating2016.rate`
uses as well.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ratings.systems.arithmetic import performance_rating
from ratings.systems.compiling import compiled
from ratings.systems.table_arrays import Floats, Integers

from .event_2016 import opponent_rating, rate_rated, rate_unrated
from .game import bonus_games_after, prior_results
from .grades import GradeState, Run, find_promotions, get_category, list_moments
from .state import is_unrated

Flags = NDArray[np.bool_]
NONE = -1.0e9
"""Value for an undefined rating."""
# columns of a player's state: rating (0 for none), games (-1 while unrated), number of past results, bonus games,
# grade (-1 for none), games at or above LB, whether one was above MP, games at or above MP, grade that waits (-1: none)
RATING, GAMES, PAST, BONUS, GRADE, LB_RUN, ABOVE, MP_RUN, WAITING = range(9)
WIDTH = 9
# columns of a seat's result
PLAYED, TOTAL, CATEGORY, CATEGORY_AFTER, BEFORE, GRADE_BEFORE = range(6)


@compiled
def count_games(state: Integers) -> int:
    return int(state[PAST] if state[GAMES] < 0 else state[GAMES])


@compiled
def is_unrated_with(state: Integers, past_scores: Floats, games: int) -> bool:
    """Return True if a player is unrated in a table with `games` games of theirs."""
    return bool(state[GAMES] < 0 and is_unrated(past_scores[: state[PAST]], games))


@compiled
def build_pairings(
    first: int, seats: int, a: Integers, b: Integers, scores: Floats, handicaps: Floats, a_gives: Flags
) -> tuple[Integers, Integers, Floats, Floats, Flags]:
    """Return each game from both sides, grouped by seat and in the order of the games.

    The arrays are the start of each seat's pairings, the opponents, points, handicaps, and whether the seat gave them.
    """
    starts = np.zeros(seats + 1, dtype=np.int64)
    for game in range(len(a)):
        starts[a[game] - first + 1] += 1
        starts[b[game] - first + 1] += 1
    starts = np.cumsum(starts)
    free, count = starts.copy(), 2 * len(a)
    opponents, points = np.empty(count, dtype=np.int64), np.empty(count)
    values, gives = np.empty(count), np.empty(count, dtype=np.bool_)
    for game in range(len(a)):
        seat_a, seat_b = a[game] - first, b[game] - first
        index_a, index_b = free[seat_a], free[seat_b]
        free[seat_a] += 1
        free[seat_b] += 1
        opponents[index_a], opponents[index_b] = seat_b, seat_a
        points[index_a], points[index_b] = scores[game], 1.0 - scores[game]
        values[index_a] = values[index_b] = handicaps[game]
        gives[index_a], gives[index_b] = a_gives[game], not a_gives[game]
    return starts, opponents, points, values, gives


@compiled
def start_table(
    state: Integers, played: int, prior: float, past: Floats, past_scores: Floats, result: Integers
) -> bool:
    """Return True if the player is unrated in the table, and fill the first columns of `result`.

    A prior grade (`prior` is its midpoint, 0 for none) is added to the past of a newcomer.
    """
    result[PLAYED], result[BEFORE], result[GRADE_BEFORE] = played, state[RATING], state[GRADE]
    unrated = is_unrated_with(state, past_scores, played)
    result[CATEGORY] = get_category(unrated, count_games(state) + played)
    if played > 0 and prior > 0 and state[GAMES] < 0 and state[PAST] == 0:
        for rating, score in prior_results(prior):
            past[state[PAST]], past_scores[state[PAST]] = rating, score
            state[PAST] += 1
    return unrated


@compiled
def iterate_table(
    unrated: Flags,
    before: Integers,
    bonus: Integers,
    estimates: Integers,
    starts: Integers,
    opponents: Integers,
    scores: Floats,
    handicaps: Floats,
    gives: Flags,
    past_starts: Integers,
    past_counts: Integers,
    past: Floats,
    past_scores: Floats,
    used: Floats,
    most_rounds: int,
) -> tuple[int, Flags]:
    """Iterate a table in place as `seats.iterate_ratings` does; return the number of rounds, and who moved in the last.

    `estimates` (per seat) and `used` (per pairing) are updated. Seat i has the pairings from starts[i] to
    starts[i + 1], and its past begins at past_starts[i].
    """
    moving = np.zeros(len(unrated), dtype=np.bool_)
    for rounds in range(1, most_rounds + 1):
        settled = True
        for seat in range(len(unrated)):
            moving[seat] = False
            low, high = starts[seat], starts[seat + 1]
            if low == high:
                continue
            for i in range(low, high):
                used[i] = opponent_rating(
                    unrated[seat], before[seat], estimates[seat], estimates[opponents[i]], handicaps[i], gives[i]
                )
            if unrated[seat]:
                first, last = past_starts[seat], past_starts[seat] + past_counts[seat]
                rating = rate_unrated(past[first:last], past_scores[first:last], used[low:high], scores[low:high])
            else:
                rating = rate_rated(before[seat], bonus[seat], used[low:high], scores[low:high])
            if rating != estimates[seat]:
                estimates[seat] = rating
                moving[seat] = True
                settled = False
        if settled:
            return rounds, moving
    return most_rounds, moving


@compiled
def finish_table(
    grades: NDArray[np.void],
    state: Integers,
    unrated: bool,
    before: int,
    after: int,
    used: Floats,
    scores: Floats,
    past: Floats,
    past_scores: Floats,
) -> list[tuple[int, int, int]]:
    """Update the state in place after the table, as `Fesa._next_state` does; return the promotions.

    `past` has room for all the games of an unrated player.
    """
    played, games_before = len(used), 0 if unrated else count_games(state)
    state[RATING] = after
    state[BONUS] = bonus_games_after(state[BONUS], played, unrated)
    if unrated:
        for i in range(played):
            past[state[PAST]], past_scores[state[PAST]] = used[i], scores[i]
            state[PAST] += 1
        moments = list_moments(after, after, state[PAST])
    else:
        state[PAST], state[GAMES] = 0, games_before + played
        moments = list_moments(before, after, played)
    climb = GradeState(state[GRADE], Run(state[LB_RUN], state[ABOVE] != 0), state[MP_RUN], state[WAITING])
    climb, promotions = find_promotions(grades, climb, len(grades), moments, games_before, after)
    state[GRADE], state[MP_RUN], state[WAITING] = climb.grade, climb.mp_run, climb.waiting
    state[LB_RUN], state[ABOVE] = climb.lb_run.games, climb.lb_run.above
    return promotions


@compiled
def rate_tables(
    grades: NDArray[np.void],
    seats: Integers,
    seated: Integers,
    games: Integers,
    a: Integers,
    b: Integers,
    scores: Floats,
    handicaps: Floats,
    a_gives: Flags,
    states: Integers,
    priors: Floats,
    past_starts: Integers,
    past: Floats,
    past_scores: Floats,
    results: Integers,
    performances: Floats,
    after: Integers,
    awards: Integers,
    rounds: Integers,
    moving: Flags,
    most_rounds: int,
) -> int:
    """Rate all tables and return the number of awards; `states` (one row per player) and the past are updated.

    The arrays from `results` on are filled, one row per seat, `rounds` per table. A player's past begins in `past` and
    `past_scores` at past_starts[player], followed by room for their games of all tables; `priors` are midpoints of
    prior grades, 0 for none; `awards` (seat, grade, way, game) must have room for all grades for every seat.
    """
    count = 0
    for table in range(len(seats) - 1):
        first, end, low, high = seats[table], seats[table + 1], games[table], games[table + 1]
        starts, opponents, points, values, gives = build_pairings(
            first, end - first, a[low:high], b[low:high], scores[low:high], handicaps[low:high], a_gives[low:high]
        )
        players = seated[first:end]
        unrated = np.zeros(len(players), dtype=np.bool_)
        for seat, player in enumerate(players):
            played, past_start = starts[seat + 1] - starts[seat], past_starts[player]
            unrated[seat] = start_table(
                states[player],
                played,
                priors[player],
                past[past_start:],
                past_scores[past_start:],
                results[first + seat],
            )
        before = states[:, RATING][players]
        estimates = np.where(unrated, 0, before)
        used = np.zeros(len(opponents))
        rounds[table], moving[first:end] = iterate_table(
            unrated,
            before,
            states[:, BONUS][players],
            estimates,
            starts,
            opponents,
            points,
            values,
            gives,
            past_starts[players],
            states[:, PAST][players],
            past,
            past_scores,
            used,
            most_rounds,
        )
        for seat, player in enumerate(players):
            state, result, past_start = states[player], results[first + seat], past_starts[player]
            used_here, points_here = used[starts[seat] : starts[seat + 1]], points[starts[seat] : starts[seat + 1]]
            performances[first + seat] = NONE
            if len(used_here) > 0:
                performance = performance_rating(used_here, points_here)
                if performance is not None:
                    performances[first + seat] = performance
                for grade, way, game in finish_table(
                    grades,
                    state,
                    unrated[seat],
                    before[seat],
                    estimates[seat],
                    used_here,
                    points_here,
                    past[past_start:],
                    past_scores[past_start:],
                ):
                    awards[count] = first + seat, grade, way, game
                    count += 1
            result[TOTAL] = count_games(state)
            unrated_after = is_unrated_with(state, past_scores[past_start:], 0)
            result[CATEGORY_AFTER] = get_category(unrated_after, result[TOTAL])
            after[first + seat] = state
    return count
