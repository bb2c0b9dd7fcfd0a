"""Registry of the rating systems, by key."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ratings.systems.bgf.system import Bgf
from ratings.systems.egf.system import Egf2021
from ratings.systems.fesa.system import Fesa2000, Fesa2016
from ratings.systems.fide.system import Fide2024
from ratings.systems.glicko.system import Glicko2
from ratings.systems.icu.system import Icu1989
from ratings.systems.rif.system import Rif1995, Rif1997, Rif2021

from .dated import DatedSystem
from .protocol import System
from .values import History, OptionChange

SYSTEMS: dict[str, type[System[Any]]] = {
    system.key: system
    for system in (Fesa2016, Fesa2000, Icu1989, Rif1995, Rif1997, Bgf, Egf2021, Glicko2, Rif2021, Fide2024)
}


def get_system(key: str, options: Mapping[str, Any] | None = None) -> System[Any]:
    """Return the rating system registered as `key`, configured with a list's options.

    Raise ValueError for an unknown key or an invalid option.
    """
    return get_dated_system(key, options).first


def get_dated_system(
    key: str, options: Mapping[str, Any] | None = None, changes: Sequence[OptionChange] = ()
) -> DatedSystem[Any]:
    """Return the rating system registered as `key` with a list's options, and those that replace them later.

    Raise ValueError for an unknown key, an invalid option, or one that cannot change.
    """
    if key not in SYSTEMS:
        raise ValueError(f"{key!r} is not one of the systems {', '.join(SYSTEMS)}")
    return DatedSystem(SYSTEMS[key], options, changes)


def get_system_of(history: History) -> DatedSystem[Any]:
    """Return the rating system of a history; raise ValueError as `get_dated_system` does."""
    return get_dated_system(history.system, history.options, history.option_changes)
