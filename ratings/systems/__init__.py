"""The rating systems by their keys."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from .bgf import Bgf
from .fesa import Fesa2000, Fesa2016
from .icu import Icu1989
from .protocol import System
from .rif_1995 import Rif1995
from .rif_1997 import Rif1997

SYSTEMS: dict[str, type[System[Any]]] = {
    system.key: system for system in (Fesa2016, Fesa2000, Icu1989, Rif1995, Rif1997, Bgf)
}


def get_system(key: str, options: Mapping[str, Any] | None = None) -> System[Any]:
    """The system behind `key` with a list's options; ValueError names an unknown key or says what an option takes."""
    if key not in SYSTEMS:
        raise ValueError(f"{key!r} is not one of the systems {', '.join(SYSTEMS)}")
    return SYSTEMS[key](options)
