"""fesa-2016: tables handed to the compiled kernel, where numba is there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from . import compiled as compiling
from . import fesa_seats
from .fesa_2016 import Seat2016


def settle(seats: Sequence[Seat2016]) -> tuple[int, list[str]]:
    """fesa_seats.iterate, by the kernel where it is there: rounds, and who still moves."""
    compiled = compiling.kernel()
    if compiled is None:
        return fesa_seats.iterate(seats)
    place = {seat.id: i for i, seat in enumerate(seats)}
    pairings = [pairing for seat in seats for pairing in seat.pairings]
    past = [result for seat in seats for result in seat.past]
    estimates = np.array([seat.estimate for seat in seats], dtype=np.float64)
    used = np.zeros(len(pairings))
    starts = _starts([len(seat.pairings) for seat in seats])
    rounds, moving = compiled.settle(
        np.array([_kind(compiled, seat) for seat in seats], dtype=np.int64),
        np.array([seat.state.rating or 0 for seat in seats], dtype=np.float64),
        np.array([seat.state.bonus_games for seat in seats], dtype=np.int64),
        estimates,
        starts,
        np.array([place[pairing.opponent.id] for pairing in pairings], dtype=np.int64),
        np.array([pairing.score for pairing in pairings], dtype=np.float64),
        np.array([pairing.handicap for pairing in pairings], dtype=np.float64),
        np.array([pairing.gives for pairing in pairings], dtype=np.bool_),
        _starts([len(seat.past) for seat in seats]),
        np.array([result[0] for result in past], dtype=np.float64),
        np.array([result[1] for result in past], dtype=np.float64),
        used,
        fesa_seats.MOST_ROUNDS,
    )
    ratings, opponents = estimates.astype(np.int64).tolist(), used.astype(np.int64).tolist()
    for i, seat in enumerate(seats):
        seat.estimate = ratings[i]
        if not seat.fixed:
            seat.used = list(opponents[starts[i] : starts[i + 1]])
    return int(rounds), [seat.id for seat, moves in zip(seats, moving, strict=True) if moves]


def _kind(compiled: Any, seat: Seat2016) -> int:
    if seat.fixed:
        return int(compiled.FIXED)
    return int(compiled.UNRATED if seat.unrated else compiled.RATED)


def _starts(counts: Sequence[int]) -> Any:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)
