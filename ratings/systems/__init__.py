"""The rating systems by their keys."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .fesa import Fesa2000, Fesa2016
from .protocol import System

SYSTEMS: dict[str, Callable[[], System[Any]]] = {
    "fesa-2016": Fesa2016,
    "fesa-2000": Fesa2000,
}


def get_system(key: str, options: Mapping[str, Any] | None = None) -> System[Any]:
    """The system behind `key` with a list's options; ValueError names an unknown key or option."""
    if key not in SYSTEMS:
        raise ValueError(f"{key!r} is not one of the systems {', '.join(SYSTEMS)}")
    for option in options or {}:
        raise ValueError(f"{option!r} is not an option of {key}")
    return SYSTEMS[key]()
