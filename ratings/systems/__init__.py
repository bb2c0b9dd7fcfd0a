"""Registry of the rating systems, by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ratings.systems.bgf.system import Bgf
from ratings.systems.egf.system import Egf2021
from ratings.systems.fesa.system import Fesa2000, Fesa2016
from ratings.systems.fide.system import Fide2024
from ratings.systems.glicko.system import Glicko2
from ratings.systems.icu.system import Icu1989
from ratings.systems.rif.system import Rif1995, Rif1997, Rif2021

from .protocol import System

SYSTEMS: dict[str, type[System[Any]]] = {
    system.key: system
    for system in (Fesa2016, Fesa2000, Icu1989, Rif1995, Rif1997, Bgf, Egf2021, Glicko2, Rif2021, Fide2024)
}


def get_system(key: str, options: Mapping[str, Any] | None = None) -> System[Any]:
    """Return the rating system registered as `key`, configured with a list's options.

    Raise ValueError for an unknown key or an invalid option.
    """
    if key not in SYSTEMS:
        raise ValueError(f"{key!r} is not one of the systems {', '.join(SYSTEMS)}")
    return SYSTEMS[key](options)
