"""Serialisation of states as JSON text, always in the same form, so that texts can be compared, stored and hashed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, TypeVar

from .protocol import System

S = TypeVar("S")
_PLAIN = frozenset({str, int, bool, type(None)})
_encode = json.JSONEncoder(sort_keys=True, separators=(",", ":")).encode


def state_to_json(system: System[S], state: S) -> str:
    """Return a state as compact JSON with sorted keys; whole numbers have no decimal point."""
    return _encode(_to_plain_json(system.rating.write(state)))


def state_from_json(system: System[S], text: str) -> S:
    """Return the state stored as `text`, the inverse of `text_of`; a stored rating needs no other values."""
    return system.rating.read(json.loads(text), fixed=True)


def _to_plain_json(value: Any) -> Any:
    if type(value) in _PLAIN:
        return value
    if isinstance(value, float):
        return int(value) if value.is_integer() else value
    if isinstance(value, Mapping):
        return {key: _to_plain_json(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_to_plain_json(inner) for inner in value]
    return value
