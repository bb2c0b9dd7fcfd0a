"""Checks of a state given as JSON (history-format's `opening`), one small predicate a key."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from .words import Words as _

Check = Callable[[Any], bool]


def checked(opening: Mapping[str, Any], keys: Mapping[str, Check]) -> None:
    """ValueError names the first key that is unknown or whose value cannot be; None counts as not given."""
    for key, value in opening.items():
        if key not in keys:
            raise ValueError(_("{key} is not one of {keys}", key=key, keys=", ".join(keys)))
        if value is not None and not keys[key](value):
            raise ValueError(_("{key}: {value} cannot be", key=key, value=json.dumps(value)))


def number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def integer(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def whole(low: int, high: int | None = None) -> Check:
    return lambda v: integer(v) and v >= low and (high is None or v <= high)


def one_of(*allowed: object) -> Check:
    # True == 1, so the type has to be asked for as well
    return lambda v: any(v == a and isinstance(v, bool) == isinstance(a, bool) for a in allowed)


def row(*checks: Check) -> Check:
    """A list with exactly these entries."""
    return lambda v: (
        isinstance(v, list | tuple)
        and len(v) == len(checks)
        and all(check(entry) for check, entry in zip(checks, v, strict=True))
    )


def each(*checks: Check) -> Check:
    """A list of such rows."""
    one = row(*checks)
    return lambda v: isinstance(v, list | tuple) and all(one(entry) for entry in v)
