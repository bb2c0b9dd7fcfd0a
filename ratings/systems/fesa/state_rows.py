"""States of both FESA editions as rows of arrays for the compiled loops, and back as values and as JSON text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter

import numpy as np

from ratings.systems.state_arrays import StateForm, StateRows
from ratings.systems.table_arrays import Integers

from .grades import GradeState, Run, Scale
from .kernel_arrays import PAST, WIDTH, Past, Players
from .state import FesaState
from .state import Past as Result


def state_to_row(state: FesaState) -> tuple[int, ...]:
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


def state_from_row(row: Sequence[int], past: Sequence[Result]) -> FesaState:
    """Return the state of a row; `past` contains its past results."""
    rating, games, _, bonus, grade, lb_games, above, mp_run, waiting = row
    climb = GradeState(grade, Run(lb_games, bool(above)), mp_run, waiting)
    return FesaState(rating or None, tuple(past), None if games < 0 else games, bonus, climb)


STATE_FORM = StateForm[FesaState](np.int64, WIDTH, state_to_row, state_from_row, attrgetter("past"))
"""Form of states in arrays: the columns of kernel_arrays.py."""


def allocate_past(states: StateRows[FesaState], more: Integers) -> tuple[Integers, Past]:
    """Return the start of each player's past, and the past results followed by room for `more` of each player."""
    starts = np.concatenate(([0], np.cumsum(states.rows[:, PAST] + more)))
    past = Past(np.zeros(starts[-1]), np.zeros(starts[-1]), np.ones(starts[-1]))
    for player, results in states.past.items():
        for n, result in enumerate(results, int(starts[player])):
            for column, number in zip(past, result, strict=False):  # results of 2016 have no weight
                column[n] = number
    return starts[:-1], past


class PastResults:
    """Past results of players, as stored in their states: without weights in the edition of 2016.

    A past only grows, so its beginning is the past after earlier tables.
    """

    def __init__(self, players: Players, *, weighted: bool) -> None:
        self.starts = players.past_starts.tolist()
        self.columns = tuple(players.past) if weighted else tuple(players.past)[:2]

    def get_all(self, states: Integers) -> dict[int, list[Result]]:
        """Return the results of all players who have any, by index; `states` are their state rows."""
        counts = states[:, PAST]
        return {player: self.get(player, counts[player]) for player in np.flatnonzero(counts).tolist()}

    def get(self, player: int, count: int) -> list[Result]:
        """Return the first `count` results of a player, given by index."""
        start = self.starts[player]
        columns = [map(_to_whole_number, column[start : start + count].tolist()) for column in self.columns]
        return list(zip(*columns, strict=True))


def _to_whole_number(number: float) -> float:
    return int(number) if number.is_integer() else number


def write_states(after: Integers, seated: Integers, past_results: PastResults, scale: Scale) -> Iterator[str]:
    """Yield the state of every seat as `state_json.state_to_json` writes it; `after` are the state rows."""
    grade_texts = (*(f'"grade":"{name}"' for name in scale.names), "")  # index -1, no grade, is the last entry
    waiting_texts = (*(f'"waiting":"{name}"' for name in scale.names), "")
    for player, row in zip(seated.tolist(), after.tolist(), strict=True):
        rating, games, past, bonus, grade, lb_games, above, mp_run, waiting = row
        pairs = ",".join([f"[{','.join(map(str, r))}]" for r in past_results.get(player, past)]) if past else ""
        parts = (
            f'"bonus_games":{bonus}' if bonus else "",
            f'"games":{games}' if games >= 0 else "",
            grade_texts[grade],
            f'"lb_run":[{lb_games},{"true" if above else "false"}]' if lb_games else "",
            f'"mp_run":{mp_run}' if mp_run else "",
            f'"past":[{pairs}]' if pairs else "",
            f'"rating":{rating}' if rating else "",
            waiting_texts[waiting],
        )
        yield f"{{{','.join(filter(None, parts))}}}"
