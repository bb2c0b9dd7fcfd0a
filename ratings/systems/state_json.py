"""Serialisation of states as JSON text, always in the same form, so that texts can be compared, stored and hashed."""

from __future__ import annotations

import json
from typing import TypeVar

from .canonical_json import write_json
from .protocol import System

S = TypeVar("S")


def state_to_json(system: System[S], state: S) -> str:
    """Return a state as canonical JSON."""
    return write_json(system.rating.write(state))


def state_from_json(system: System[S], text: str) -> S:
    """Return the state stored as `text`, the inverse of `state_to_json`; a stored rating needs no other values."""
    return system.rating.read(json.loads(text), fixed=True)
