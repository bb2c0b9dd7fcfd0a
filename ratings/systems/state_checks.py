"""Validation of states in the history format's JSON (`opening`), with one check per key."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable, Mapping
from typing import Any

from ratings.systems.messages import RatingMessage

Check = Callable[[Any], bool]
LARGEST = 2**53
"""Largest number of a state: larger whole numbers are not exact in JSON and fit into no array."""


def check_state(opening: Mapping[str, Any], keys: Mapping[str, Check]) -> None:
    """Raise ValueError for the first key that is unknown or has an invalid value; None counts as not given."""
    for key, value in opening.items():
        if key not in keys:
            raise ValueError(RatingMessage.KEY_INVALID(key=key, keys=list(keys)))
        if value is not None and not keys[key](value):
            raise ValueError(RatingMessage.VALUE_INVALID(key=key, value=json.dumps(value)))


def is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LARGEST


def is_integer(value: Any) -> bool:
    return isinstance(value, int) and is_number(value)


def integer_between(low: int, high: int | None = None) -> Check:
    return lambda v: is_integer(v) and v >= low and (high is None or v <= high)


def number_between(low: float, high: float) -> Check:
    return lambda v: is_number(v) and low <= v <= high


def is_day(value: Any) -> bool:
    """Return True for a day as YYYY-MM-DD."""
    try:
        return isinstance(value, str) and len(value) == 10 and bool(dt.date.fromisoformat(value))
    except ValueError:
        return False


def allowed_values(*allowed: object) -> Check:
    # True == 1, so the type is compared as well
    return lambda v: any(v == a and isinstance(v, bool) == isinstance(a, bool) for a in allowed)


def list_of_entries(*checks: Check) -> Check:
    """Return a check for a list with exactly these entries."""
    return lambda v: (
        isinstance(v, list | tuple)
        and len(v) == len(checks)
        and all(check(entry) for check, entry in zip(checks, v, strict=True))
    )


def list_of_rows(*checks: Check) -> Check:
    """Return a check for a list of such rows."""
    matches_row = list_of_entries(*checks)
    return lambda v: isinstance(v, list | tuple) and all(matches_row(entry) for entry in v)
