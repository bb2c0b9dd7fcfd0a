"""State of a player in egf-2021, and its JSON form."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ratings.systems.egf.messages import EgfMessage
from ratings.systems.state_arrays import StateForm
from ratings.systems.state_checks import check_state, is_number
from ratings.systems.values import StateJson

from . import tables


@dataclass(frozen=True, slots=True)
class EgfState:
    """State of a player: the rating, unrounded; None for a player who has none yet."""

    rating: float | None = None


def read_state(opening: StateJson) -> EgfState:
    """Return the state from its JSON; raise ValueError for an unknown key or a rating outside the scale."""
    check_state(opening, {"rating": is_number})
    rating = opening.get("rating")
    if rating is not None and not tables.LOWEST <= rating < tables.POLE:
        bounds = {"lowest": round(tables.LOWEST), "highest": round(tables.POLE)}
        raise ValueError(EgfMessage.RATING_OUT_OF_RANGE(value=rating, **bounds))
    return EgfState(rating)


def _state_from_row(row: Sequence[float], _past: Sequence[Any]) -> EgfState:
    return EgfState(None if math.isnan(row[0]) else row[0])


STATE_FORM = StateForm[EgfState](
    np.float64, 1, lambda state: (math.nan if state.rating is None else state.rating,), _state_from_row
)
"""Form of states in arrays: the rating, NaN for none."""


def write_state(state: EgfState) -> StateJson:
    return {} if state.rating is None else {"rating": state.rating}
