"""fesa-2016: tables in rating order compiled by numba; players' states stay in arrays from table to table."""

from __future__ import annotations

import numpy as np

from .fesa_games import BONUS_GAMES
from .fesa_grades import ESTABLISHED_FROM, PROVISIONAL_FROM
from .fesa_kernel import NONE, Flags, Floats, Whole, compiled, performance, settle
from .fesa_kernel_climb import GRADES, WAYS, climb_table

__all__ = ["CLIMB", "GRADES", "NONE", "RATING", "WAYS", "WIDTH", "rate_tables"]

# columns of a player's state: rating (0 for none), games (-1 while unrated), games in his past, bonus games, his climb
RATING, GAMES, PAST, BONUS, CLIMB = range(5)
WIDTH = CLIMB + 5
# columns of a seat's result
PLAYED, TOTAL, CATEGORY, CATEGORY_AFTER, BEFORE, GRADE_BEFORE = range(6)
IS_UNRATED, IS_PROVISIONAL, IS_ESTABLISHED = range(3)


@compiled
def _unrated_with(state: Whole, scores: Floats, games: int) -> bool:
    """(3) FesaState.unrated_with; `scores` are those of his past."""
    if state[GAMES] >= 0:
        return False
    points = scores.sum()
    return points == 0 or points == len(scores) or len(scores) + games < PROVISIONAL_FROM


@compiled
def _category(unrated: bool, games: int) -> int:
    if unrated:
        return IS_UNRATED
    return IS_ESTABLISHED if games >= ESTABLISHED_FROM else IS_PROVISIONAL


@compiled
def _total(state: Whole) -> int:
    return int(state[PAST] if state[GAMES] < 0 else state[GAMES])


@compiled
def _pairings(
    first: int, seats: int, a: Whole, b: Whole, scores: Floats, handicaps: Floats, a_gives: Flags
) -> tuple[Whole, Whole, Floats, Floats, Flags]:
    """Each game from both sides, in the order of the games: where each seat's begin, opponents, and the rest."""
    starts = np.zeros(seats + 1, dtype=np.int64)
    for game in range(len(a)):
        starts[a[game] - first + 1] += 1
        starts[b[game] - first + 1] += 1
    starts = np.cumsum(starts)
    free, count = starts.copy(), 2 * len(a)
    opponents, points = np.empty(count, dtype=np.int64), np.empty(count)
    values, gives = np.empty(count), np.empty(count, dtype=np.bool_)
    for game in range(len(a)):
        one, other = a[game] - first, b[game] - first
        at, there = free[one], free[other]
        free[one] += 1
        free[other] += 1
        opponents[at], opponents[there] = other, one
        points[at], points[there] = scores[game], 1.0 - scores[game]
        values[at] = values[there] = handicaps[game]
        gives[at], gives[there] = a_gives[game], not a_gives[game]
    return starts, opponents, points, values, gives


@compiled
def _arrive(
    state: Whole, played: int, prior: float, past: Floats, past_scores: Floats, result: Whole
) -> bool:  # fmt: skip
    """Whether a player is unrated at the table; a prior grade (its midpoint, 0 for none) goes into his past."""
    result[PLAYED], result[BEFORE], result[GRADE_BEFORE] = played, state[RATING], state[CLIMB]
    newcomer = state[GAMES] < 0 and state[PAST] == 0
    unrated = newcomer or _unrated_with(state, past_scores[: state[PAST]], played)
    result[CATEGORY] = _category(unrated, _total(state) + played)
    if newcomer and played > 0 and prior > 0:
        past[0] = past[1] = prior
        past_scores[0], past_scores[1] = 0.0, 1.0
        state[PAST] = 2
    return unrated


@compiled
def _leave(
    state: Whole, unrated: bool, before: int, after: int, used: Floats, scores: Floats, past: Floats,
    past_scores: Floats, awards: Whole,
) -> int:  # fmt: skip
    """Fesa._after in place; `past` has room for all the games of an unrated player. The number of awards."""
    games, total = len(used), _total(state)
    state[RATING] = after
    if unrated:
        for i in range(games):
            past[state[PAST] + i], past_scores[state[PAST] + i] = used[i], scores[i]
        state[PAST] += games
        state[BONUS] = 0
        return int(climb_table(state[CLIMB:], 0, after, state[PAST], 0, awards, True))
    state[PAST] = 0
    state[GAMES] = total + games
    state[BONUS] = min(BONUS_GAMES, state[BONUS] + games)
    return int(climb_table(state[CLIMB:], before, after, games, total, awards, False))


@compiled
def rate_tables(
    seats: Whole, seated: Whole, games: Whole, a: Whole, b: Whole, scores: Floats, handicaps: Floats, a_gives: Flags,
    states: Whole, priors: Floats, rooms: Whole, past: Floats, past_scores: Floats, results: Whole,
    performances: Floats, after: Whole, awards: Whole, rounds: Whole, moving: Flags, most_rounds: int,
) -> int:  # fmt: skip
    """Rate all tables, moving `states` (a row a player) along; the arrays from `results` on are filled, a row a seat.

    A player's past stands in `past` and `past_scores` from rooms[player] on, where room is left for his games of all
    tables; `priors` are midpoints of prior grades, 0 for none; `awards` (seat, grade, way, game) must have room for
    GRADES a seat. Gives the number of awards.
    """
    count = 0
    won = np.empty((GRADES + 1, 3), dtype=np.int64)
    for table in range(len(seats) - 1):
        first, end, low, high = seats[table], seats[table + 1], games[table], games[table + 1]
        starts, opponents, points, values, gives = _pairings(
            first, end - first, a[low:high], b[low:high], scores[low:high], handicaps[low:high], a_gives[low:high]
        )
        here = seated[first:end]
        unrated = np.zeros(len(here), dtype=np.bool_)
        for seat in range(len(here)):
            player, played = here[seat], starts[seat + 1] - starts[seat]
            room = rooms[player]
            unrated[seat] = _arrive(
                states[player], played, priors[player], past[room:], past_scores[room:], results[first + seat]
            )
        before = states[:, RATING][here].astype(np.float64)
        estimates = np.where(unrated, 0.0, before)
        used = np.zeros(len(opponents))
        rounds[table], moving[first:end] = settle(
            unrated, before, states[:, BONUS][here], estimates, starts, opponents, points, values, gives, rooms[here],
            states[:, PAST][here], past, past_scores, used, most_rounds,
        )  # fmt: skip
        for seat in range(len(here)):
            state, result, room = states[here[seat]], results[first + seat], rooms[here[seat]]
            own, scored = used[starts[seat] : starts[seat + 1]], points[starts[seat] : starts[seat + 1]]
            performances[first + seat] = NONE
            if len(own) > 0:
                performances[first + seat] = performance(own, scored)
                several = _leave(
                    state, unrated[seat], int(before[seat]), int(estimates[seat]), own, scored, past[room:],
                    past_scores[room:], won,
                )  # fmt: skip
                for i in range(several):
                    awards[count, 0] = first + seat
                    awards[count, 1:] = won[i]
                    count += 1
            result[TOTAL] = _total(state)
            again = _unrated_with(state, past_scores[room : room + state[PAST]], 0)
            result[CATEGORY_AFTER] = _category(again, result[TOTAL])
            after[first + seat] = state
    return count
