"""Rating of many tables of fesa-2016 at once: players and tables as arrays, and the results as columns and states."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np

from ratings.systems.compiling import load_compiled
from ratings.systems.messages import RatingMessage
from ratings.systems.table_arrays import Floats, Integers, RatedArrays, TableArrays
from ratings.systems.values import Award, Player

from . import kernel
from .grades import CATEGORIES, SCALE_2016, GradeState, Run, make_award
from .seats import MANY_GAMES, MAX_ROUNDS, many_games_warning, unsettled_warning
from .state import FesaState
from .tables import HANDICAPS

GRADE_NAMES = (*SCALE_2016.names, "")  # index -1, no grade, is the last entry
GRADE_TEXTS = (*(f'"grade":"{name}"' for name in SCALE_2016.names), "")
WAITING_TEXTS = (*(f'"waiting":"{name}"' for name in SCALE_2016.names), "")


NEVER = 1 << 40
"""Number of games for a way that a grade does not have."""
GRADES = np.array(
    [
        (
            grade.lower_bound,
            grade.midpoint,
            grade.upper_bound,
            grade.lower_bound_games or NEVER,
            grade.midpoint_games or NEVER,
            grade.needs_approval,
        )
        for grade in SCALE_2016.grades
    ],
    dtype=[
        ("lower_bound", "i8"),
        ("midpoint", "i8"),
        ("upper_bound", "i8"),
        ("lower_bound_games", "i8"),
        ("midpoint_games", "i8"),
        ("needs_approval", "?"),
    ],
)


def load_kernel() -> Callable[..., int] | None:
    """Return `kernel.rate_tables` as machine code; None if numba is not installed."""
    return load_compiled(kernel.rate_tables)


def rate_arrays(
    columns: TableArrays, players: Mapping[str, Player], states: Mapping[str, FesaState]
) -> RatedArrays[FesaState]:
    """Rate several tables at once, as `Rating2016.rate` does; numba must be installed."""
    rate_tables = load_kernel()
    assert rate_tables is not None
    seats, player_states = len(columns.seated), [states[id] for id in columns.players]
    past_starts, past, past_scores = _allocate_past(columns, player_states)
    tables = len(columns.seats) - 1
    state_rows = np.array([_state_to_row(state) for state in player_states], dtype=np.int64).reshape(-1, kernel.WIDTH)
    results, after = np.empty((seats, 6), dtype=np.int64), np.empty((seats, kernel.WIDTH), dtype=np.int64)
    performances, moving = np.empty(seats), np.empty(seats, dtype=np.bool_)
    awards, rounds = np.empty((seats * len(GRADES), 4), dtype=np.int64), np.empty(tables, dtype=np.int64)
    count = rate_tables(
        GRADES,
        columns.seats,
        columns.seated,
        columns.games,
        columns.a,
        columns.b,
        columns.scores,
        np.array([HANDICAPS[kind] if kind else 0.0 for kind in columns.handicaps]),
        columns.a_gives,
        state_rows,
        _list_prior_ratings(columns, players),
        past_starts,
        past,
        past_scores,
        results,
        performances,
        after,
        awards,
        rounds,
        moving,
        MAX_ROUNDS,
    )
    past_results = _PastResults(past_starts, past, past_scores)
    unlisted = np.array([players[id].unlisted for id in columns.players], dtype=np.bool_)[columns.seated]
    played, total, category, category_after, before, grade_before = results.T
    rated = after[:, kernel.RATING] > 0
    idle = played == 0
    return RatedArrays(
        [CATEGORIES[code] for code in np.where(idle, category_after, category).tolist()],
        [CATEGORIES[code] for code in category_after.tolist()],
        _mask_unknown(before, before > 0),
        _mask_unknown(after[:, kernel.RATING], rated),
        _mask_unknown(after[:, kernel.RATING] - before, rated & (before > 0)),
        played.tolist(),
        total.tolist(),
        _mask_unknown(performances, performances != kernel.NONE),
        [GRADE_NAMES[grade] for grade in grade_before.tolist()],
        [GRADE_NAMES[grade] for grade in after[:, kernel.GRADE].tolist()],
        (rated & ~unlisted).tolist(),
        unlisted.tolist(),
        [RatingMessage.NO_RATED_GAME() if is_idle else "" for is_idle in idle.tolist()],
        list(_write_states(after, columns.seated, past_results)),
        {
            id: _state_from_row(row, past_results.get(n, row[2]))
            for n, (id, row) in enumerate(zip(columns.players, state_rows.tolist(), strict=True))
        },
        rounds.tolist(),
        [not moving[first:end].any() for first, end in pairwise(columns.seats)],
        _collect_awards(awards[:count].tolist()),
        _collect_warnings(columns, played, moving),
    )


def _state_to_row(state: FesaState) -> tuple[int, ...]:
    """Return a state as a row of the kernel's state array, without the past."""
    climb = state.grade_state
    return (
        state.rating or 0,
        -1 if state.games is None else state.games,
        len(state.past),
        state.bonus_games,
        climb.grade,
        climb.lb_run.games,
        climb.lb_run.above,
        climb.mp_run,
        climb.waiting,
    )


def _state_from_row(row: Sequence[int], past: Sequence[tuple[float, float]]) -> FesaState:
    rating, games, _, bonus, grade, lb_games, above, mp_run, waiting = row
    climb = GradeState(grade, Run(lb_games, bool(above)), mp_run, waiting)
    return FesaState(rating or None, tuple(past), None if games < 0 else games, bonus, climb)


def _allocate_past(columns: TableArrays, states: Sequence[FesaState]) -> tuple[Integers, Floats, Floats]:
    """Return the start of each player's past, and arrays of past ratings and scores.

    Each past is followed by room for the two results of a prior grade and all games of the player in these tables.
    """
    seat_games = np.bincount(np.concatenate((columns.a, columns.b)), minlength=len(columns.seated))
    games = np.bincount(columns.seated, weights=seat_games, minlength=len(states)).astype(np.int64)
    sizes = np.array([len(state.past) for state in states], dtype=np.int64) + games + 2
    past_starts = np.concatenate(([0], np.cumsum(sizes)))
    past, scores = np.zeros(past_starts[-1]), np.zeros(past_starts[-1])
    for start, state in zip(past_starts.tolist(), states, strict=False):
        for n, result in enumerate(state.past, start):
            past[n], scores[n] = result
    return past_starts[:-1], past, scores


def _list_prior_ratings(columns: TableArrays, players: Mapping[str, Player]) -> Floats:
    grades = (players[id].prior_grade for id in columns.players)
    return np.array([SCALE_2016.midpoint_of(grade) if grade else 0 for grade in grades], dtype=np.float64)


def _mask_unknown(numbers: Any, known: Any) -> list[Any]:
    return [number if is_known else None for number, is_known in zip(numbers.tolist(), known.tolist(), strict=True)]


class _PastResults:
    """Past results of players, as stored in their states.

    A past only grows, so its beginning is the past after earlier tables.
    """

    def __init__(self, starts: Integers, past: Floats, scores: Floats) -> None:
        self.starts, self.past, self.scores = starts.tolist(), past, scores

    def get(self, player: int, count: int) -> list[tuple[float, float]]:
        start = self.starts[player]
        numbers = zip(
            self.past[start : start + count].tolist(), self.scores[start : start + count].tolist(), strict=True
        )
        return [(_to_whole_number(rating), _to_whole_number(score)) for rating, score in numbers]


def _to_whole_number(number: float) -> float:
    return int(number) if number.is_integer() else number


def _write_states(after: Integers, seated: Integers, past_results: _PastResults) -> Iterator[str]:
    """Yield the state of every seat as `texts.text_of` writes it."""
    for player, row in zip(seated.tolist(), after.tolist(), strict=True):
        rating, games, past, bonus, grade, lb_games, above, mp_run, waiting = row
        pairs = ",".join(f"[{used},{score}]" for used, score in past_results.get(player, past)) if past else ""
        parts = (
            f'"bonus_games":{bonus}' if bonus else "",
            f'"games":{games}' if games >= 0 else "",
            GRADE_TEXTS[grade],
            f'"lb_run":[{lb_games},{"true" if above else "false"}]' if lb_games else "",
            f'"mp_run":{mp_run}' if mp_run else "",
            f'"past":[{pairs}]' if pairs else "",
            f'"rating":{rating}' if rating else "",
            WAITING_TEXTS[waiting],
        )
        yield f"{{{','.join(filter(None, parts))}}}"


@cache
def _make_award(grade: int, way: int, game: int) -> Award:
    """Return an award of this system; a long run has many equal ones, which share one object."""
    return make_award(SCALE_2016, grade, way, game)


def _collect_awards(rows: list[list[int]]) -> dict[int, tuple[Award, ...]]:
    awards: dict[int, tuple[Award, ...]] = {}
    for seat, grade, way, game in rows:
        awards[seat] = (*awards.get(seat, ()), _make_award(grade, way, game))
    return awards


def _collect_warnings(columns: TableArrays, played: Integers, moving: Any) -> dict[int, tuple[str, ...]]:
    """Return the warnings by table: players with too many games, and players whose rating did not settle."""
    warnings: dict[int, list[str]] = {}
    table_of = np.searchsorted(columns.seats, np.arange(len(columns.seated)), side="right") - 1
    for seat in np.flatnonzero(played > MANY_GAMES).tolist():
        id = columns.players[columns.seated[seat]]
        warnings.setdefault(int(table_of[seat]), []).append(many_games_warning(id, int(played[seat])))
    for table in set(table_of[moving].tolist()):
        seats = [n for n in range(columns.seats[table], columns.seats[table + 1]) if moving[n]]
        warnings.setdefault(table, []).append(unsettled_warning([columns.players[columns.seated[n]] for n in seats]))
    return {table: tuple(lines) for table, lines in warnings.items()}
