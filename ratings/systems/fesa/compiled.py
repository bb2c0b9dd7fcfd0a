"""fesa-2016: players and tables handed to the compiled kernel as columns, and its results as rows and states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from typing import Any

import numpy as np

from .columns import Columns, Floats, RatedColumns, Whole
from .fesa_games import prior_results
from .fesa_grades import SCALE_2016, Climb, Run
from .fesa_seats import MANY_GAMES, MOST_ROUNDS, too_many_games, unsettled
from .fesa_state import FesaState
from .fesa_tables import HANDICAPS
from .values import Award, Player
from .words import Words as _

CATEGORIES = ("unrated", "provisional", "established")
GRADE_NAMES = (*SCALE_2016.names, "")  # -1, for none, is the last
GRADE_TEXTS = (*(f'"grade":"{name}"' for name in SCALE_2016.names), "")
WAITING_TEXTS = (*(f'"waiting":"{name}"' for name in SCALE_2016.names), "")


@cache
def kernel() -> Any:
    """The compiled module, or None without numba. It takes a second to load, so only who rates loads it."""
    return import_module(".fesa_kernel_tables", __package__) if find_spec("numba") else None


def rate_columns(
    kernel: Any, columns: Columns, players: Mapping[str, Player], states: Mapping[str, FesaState]
) -> RatedColumns[FesaState]:
    """Fesa2016.rate for several tables at once; `kernel` is the compiled module."""
    seats, own = len(columns.seated), [states[id] for id in columns.players]
    rooms, past, past_scores = _rooms(columns, own)
    tables = len(columns.seats) - 1
    now = np.array([_numbers(state) for state in own], dtype=np.int64).reshape(-1, kernel.WIDTH)
    results, after = np.empty((seats, 6), dtype=np.int64), np.empty((seats, kernel.WIDTH), dtype=np.int64)
    performances, moving = np.empty(seats), np.empty(seats, dtype=np.bool_)
    awards, rounds = np.empty((seats * kernel.GRADES, 4), dtype=np.int64), np.empty(tables, dtype=np.int64)
    count = kernel.rate_tables(
        columns.seats, columns.seated, columns.games, columns.a, columns.b, columns.scores,
        np.array([HANDICAPS[kind] if kind else 0.0 for kind in columns.handicaps]), columns.a_gives,
        now, _priors(columns, players), rooms, past, past_scores, results, performances, after, awards, rounds, moving,
        MOST_ROUNDS,
    )  # fmt: skip
    pasts = _Pasts(rooms, past, past_scores)
    unlisted = np.array([players[id].unlisted for id in columns.players], dtype=np.bool_)[columns.seated]
    played, total, category, category_after, before, grade_before = results.T
    rated = after[:, kernel.RATING] > 0
    idle = played == 0
    return RatedColumns(
        [CATEGORIES[code] for code in np.where(idle, category_after, category).tolist()],
        [CATEGORIES[code] for code in category_after.tolist()],
        _known(before, before > 0),
        _known(after[:, kernel.RATING], rated),
        _known(after[:, kernel.RATING] - before, rated & (before > 0)),
        played.tolist(),
        total.tolist(),
        _known(performances, performances != kernel.NONE),
        [GRADE_NAMES[grade] for grade in grade_before.tolist()],
        [GRADE_NAMES[grade] for grade in after[:, kernel.CLIMB].tolist()],
        (rated & ~unlisted).tolist(),
        unlisted.tolist(),
        [_("no rated game") if none else "" for none in idle.tolist()],
        list(_texts(after, columns.seated, pasts)),
        rounds.tolist(),
        [not moving[first:end].any() for first, end in pairwise(columns.seats)],
        {
            id: _state(row, pasts.of(n, row[2]))
            for n, (id, row) in enumerate(zip(columns.players, now.tolist(), strict=True))
        },
        _awards(kernel, awards[:count].tolist()),
        _warnings(columns, played, moving),
    )


def _numbers(state: FesaState) -> tuple[int, ...]:
    """A state as the kernel's row, without the past."""
    climb = state.climb
    return (
        state.rating or 0, -1 if state.games is None else state.games, len(state.past), state.bonus_games,
        climb.grade, climb.lb_run.games, climb.lb_run.above, climb.mp_run,
        -1 if climb.waiting is None else climb.waiting,
    )  # fmt: skip


def _state(row: Sequence[int], past: Sequence[tuple[float, float]]) -> FesaState:
    rating, games, _, bonus, grade, lb_games, above, mp_run, waiting = row
    climb = Climb(grade, Run(lb_games, bool(above)), mp_run, None if waiting < 0 else waiting)
    return FesaState(rating or None, tuple(past), None if games < 0 else games, bonus, climb)


def _rooms(columns: Columns, states: Sequence[FesaState]) -> tuple[Whole, Floats, Floats]:
    """Where each player's past begins, with room behind it for a prior grade's pair and all his games here."""
    seat_games = np.bincount(np.concatenate((columns.a, columns.b)), minlength=len(columns.seated))
    games = np.bincount(columns.seated, weights=seat_games, minlength=len(states)).astype(np.int64)
    sizes = np.array([len(state.past) for state in states], dtype=np.int64) + games + 2
    rooms = np.concatenate(([0], np.cumsum(sizes)))
    past, scores = np.zeros(rooms[-1]), np.zeros(rooms[-1])
    for room, state in zip(rooms.tolist(), states, strict=False):
        for n, result in enumerate(state.past, room):
            past[n], scores[n] = result
    return rooms[:-1], past, scores


def _priors(columns: Columns, players: Mapping[str, Player]) -> Floats:
    grades = (players[id].prior_grade for id in columns.players)
    return np.array([prior_results(grade)[0][0] if grade else 0 for grade in grades], dtype=np.float64)


def _known(numbers: Any, known: Any) -> list[Any]:
    return [number if yes else None for number, yes in zip(numbers.tolist(), known.tolist(), strict=True)]


class _Pasts:
    """The past of players as their states keep it; it only grows, so its beginning is that of earlier tables."""

    def __init__(self, rooms: Whole, past: Floats, scores: Floats) -> None:
        self.rooms, self.past, self.scores = rooms.tolist(), past, scores

    def of(self, player: int, count: int) -> list[tuple[float, float]]:
        room = self.rooms[player]
        numbers = zip(self.past[room : room + count].tolist(), self.scores[room : room + count].tolist(), strict=True)
        return [(_whole(rating), _whole(score)) for rating, score in numbers]


def _whole(number: float) -> float:
    return int(number) if number.is_integer() else number


def _texts(after: Whole, seated: Whole, pasts: _Pasts) -> Iterator[str]:
    """texts.text_of of every seat's state."""
    for player, row in zip(seated.tolist(), after.tolist(), strict=True):
        rating, games, past, bonus, grade, lb_games, above, mp_run, waiting = row
        pairs = ",".join(f"[{used},{score}]" for used, score in pasts.of(player, past)) if past else ""
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


def _awards(kernel: Any, rows: list[list[int]]) -> dict[int, tuple[Award, ...]]:
    won: dict[int, tuple[Award, ...]] = {}
    for seat, grade, way, game in rows:
        approved = SCALE_2016.grades[grade].needs_approval
        award = Award(SCALE_2016.grades[grade].name, kernel.WAYS[way], game, approved)
        won[seat] = (*won.get(seat, ()), award)
    return won


def _warnings(columns: Columns, played: Whole, moving: Any) -> dict[int, tuple[str, ...]]:
    """By table: who has too many games, and who was still moving at the end."""
    told: dict[int, list[str]] = {}
    table_of = np.searchsorted(columns.seats, np.arange(len(columns.seated)), side="right") - 1
    for seat in np.flatnonzero(played > MANY_GAMES).tolist():
        id = columns.players[columns.seated[seat]]
        told.setdefault(int(table_of[seat]), []).append(too_many_games(id, int(played[seat])))
    for table in set(table_of[moving].tolist()):
        seats = [n for n in range(columns.seats[table], columns.seats[table + 1]) if moving[n]]
        told.setdefault(table, []).append(unsettled([columns.players[columns.seated[n]] for n in seats]))
    return {table: tuple(lines) for table, lines in told.items()}
