"""A state as text: one spelling for every state, so that texts can be compared, stored and digested."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from .protocol import System

S = TypeVar("S")


def text_of(system: System[S], state: S) -> str:
    """Compact JSON with sorted keys; whole numbers without a point."""
    return json.dumps(_plain(system.write(state)), sort_keys=True, separators=(",", ":"))


def state_of(system: System[S], text: str) -> S:
    """The inverse; a stored rating may stand alone."""
    return system.read(json.loads(text), fixed=True)


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    return value
