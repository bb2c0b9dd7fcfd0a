"""Settings of a system that a list may choose, as data: what they are, what they accept, what they mean."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from .openings import Check, number, one_of, whole
from .words import Words as _


@dataclass(frozen=True, slots=True)
class Option:
    """`accepts` says in words what `check` lets through, `meaning` what the setting does; None never has to pass."""

    key: str
    default: Any
    check: Check
    accepts: str
    meaning: str


def choice(key: str, default: Any, meaning: str, *allowed: Any) -> Option:
    """One of a few words, or yes or no."""
    return Option(key, default, one_of(*allowed), " / ".join(map(in_json, allowed)), meaning)


def count(key: str, default: int, low: int, high: int, meaning: str) -> Option:
    """A whole number within bounds."""
    return Option(key, default, whole(low, high), _("a whole number from {low} to {high}", low=low, high=high), meaning)


def rating(key: str, default: float | None, meaning: str) -> Option:
    """A rating, or null where there shall be none."""
    allowed = _("a rating from 1 to 5000") if default is not None else _("a rating from 1 to 5000 or null")
    return Option(key, default, lambda v: number(v) and 1 <= v <= 5000, allowed, meaning)


def day(key: str, default: str, meaning: str) -> Option:
    return Option(key, default, _is_day, _("a date (YYYY-MM-DD)"), meaning)


def corrections(default: str) -> Option:
    """What becomes of an announced grade whose earning a later correction takes away."""
    meaning = _(
        "Grades and late corrections. kept: a grade once announced stays, and the history says that it was"
        " earned by a result later corrected. revised: grades follow the corrected results."
    )
    return choice("corrections", default, meaning, "kept", "revised")


def settled(system: str, options: Sequence[Option], given: Mapping[str, Any]) -> dict[str, Any]:
    """All options of a system with a list's choices laid over the defaults; ValueError says what cannot be."""
    known = {option.key: option for option in options}
    for key, value in given.items():
        if key not in known:
            if not known:
                raise ValueError(_("“{key}” is not an option of {system}; it has none", key=key, system=system))
            told = {"key": key, "system": system, "options": ", ".join(known)}
            raise ValueError(_("“{key}” is not an option of {system}; its options are {options}", **told))
        option = known[key]
        if not (option.check(value) or (value is None and option.default is None)):
            told = {"key": key, "value": in_json(value), "accepts": option.accepts}
            raise ValueError(_("{key}: {value} cannot be; it takes {accepts}", **told))
    return {key: given.get(key, option.default) for key, option in known.items()}


def in_json(value: Any) -> str:
    """A setting's value as it is written in a list's options; words without their quotes."""
    return value if isinstance(value, str) else json.dumps(value)


def _is_day(value: Any) -> bool:
    try:
        return isinstance(value, str) and len(value) == 10 and bool(date.fromisoformat(value))
    except ValueError:
        return False
