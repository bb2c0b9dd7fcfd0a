"""State of a player in the Belgian system, and its JSON form."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ratings.systems.bgf.messages import BgfMessage
from ratings.systems.state_arrays import StateForm
from ratings.systems.state_checks import check_state, is_number
from ratings.systems.values import StateJson

from . import tables


@dataclass(frozen=True, slots=True)
class BgfState:
    """State of a player; `grade` counts from 1 dan, which is 0, and follows the rating with some inertia."""

    rating: float | None = None
    grade: int = 0


def is_grade(value: Any) -> bool:
    return isinstance(value, str) and bool(re.fullmatch(r"[1-9]\d{0,2} (Kyu|Dan)", value))


def read_state(opening: StateJson) -> BgfState:
    """Return the state from its JSON; raise ValueError if it is invalid."""
    check_state(opening, {"rating": is_number, "grade": is_grade})
    rating, grade = opening.get("rating"), opening.get("grade")
    if rating is None:
        if grade is not None:
            raise ValueError(BgfMessage.GRADE_WITHOUT_RATING())
        return BgfState()
    return BgfState(rating, tables.grade_of(rating) if grade is None else tables.grade_number(grade))


def _state_from_row(row: Sequence[float], _past: Sequence[Any]) -> BgfState:
    rating, grade = row
    return BgfState(None if math.isnan(rating) else rating, int(grade))


STATE_FORM = StateForm[BgfState](
    np.float64, 2, lambda state: (math.nan if state.rating is None else state.rating, state.grade), _state_from_row
)
"""Form of states in arrays: the rating, NaN for none, and the grade's number."""


def write_state(state: BgfState) -> StateJson:
    if state.rating is None:
        return {}
    return {"rating": state.rating, "grade": tables.grade_name(state.grade)}
