"""Settings of a system that a list may choose, as data: their keys, valid values and meanings."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .messages import Message as _
from .state_checks import Check, allowed_values, integer_between, is_day, is_number, number_between


@dataclass(frozen=True, slots=True)
class Option:
    """Setting of a system.

    `accepts` describes the values for which `check` returns True, `label` names the setting on forms, `meaning` says
    what it does. `check` need not accept None.
    """

    key: str
    default: Any
    check: Check
    accepts: str
    meaning: str
    allowed: tuple[Any, ...] = ()
    """Valid values of a setting with a few choices; empty for all others."""
    label: str = ""
    changeable: bool = True
    """False for a setting that holds for a list's whole history, because states or closing days depend on it."""


def choice(key: str, default: Any, meaning: str, *allowed: Any, label: str = "", changeable: bool = True) -> Option:
    """Return an option with a few valid words, or yes and no."""
    accepts = " / ".join(map(format_value, allowed))
    return Option(key, default, allowed_values(*allowed), accepts, meaning, allowed, label, changeable)


def count(key: str, default: int, low: int, high: int, meaning: str, *, label: str = "") -> Option:
    """Return an option for a whole number within bounds."""
    accepts = _("a whole number from {low} to {high}", low=low, high=high)
    return Option(key, default, integer_between(low, high), accepts, meaning, label=label)


def number(key: str, default: float, low: float, high: float, meaning: str, *, label: str = "") -> Option:
    """Return an option for a number within bounds."""
    accepts = _("a number from {low} to {high}", low=low, high=high)
    return Option(key, default, number_between(low, high), accepts, meaning, label=label)


def number_or_none(key: str, low: float, high: float, meaning: str, *, label: str = "") -> Option:
    """Return an option for a number within bounds, or null, the default."""
    accepts = _("a number from {low} to {high} or none", low=low, high=high)
    return Option(key, None, number_between(low, high), accepts, meaning, label=label)


def rating(key: str, default: float | None, meaning: str, *, label: str = "") -> Option:
    """Return an option for a rating, or null for none."""
    allowed = _("a rating from 1 to 5000") if default is not None else _("a rating from 1 to 5000 or none")
    return Option(key, default, lambda v: is_number(v) and 1 <= v <= 5000, allowed, meaning, label=label)


def day(key: str, default: str, meaning: str, *, label: str = "") -> Option:
    return Option(key, default, is_day, _("a date (YYYY-MM-DD)"), meaning, label=label)


def corrections(default: str) -> Option:
    """Return the option for announced grades that a later correction of results takes away."""
    meaning = _(
        "Grades and late corrections. kept: a grade once announced stays, and the history says that it was"
        " earned by a result later corrected. revised: grades follow the corrected results."
    )
    return choice("corrections", default, meaning, "kept", "revised", label=_("Grades after late corrections"))


def resolve_options(system: str, options: Sequence[Option], chosen: Mapping[str, Any]) -> dict[str, Any]:
    """Return all options of a system: a list's choices, and defaults for the rest.

    Raise ValueError for an unknown option or an invalid value.
    """
    known = {option.key: option for option in options}
    for key, value in chosen.items():
        if key not in known:
            if not known:
                raise ValueError(_("“{key}” is not an option of {system}; it has none", key=key, system=system))
            details = {"key": key, "system": system, "options": list(known)}
            raise ValueError(_("“{key}” is not an option of {system}; its options are {options}", **details))
        option = known[key]
        if not (option.check(value) or (value is None and option.default is None)):
            details = {"key": key, "value": format_value(value), "accepts": option.accepts}
            raise ValueError(_("{key}: {value} cannot be; it takes {accepts}", **details))
    return {key: chosen.get(key, option.default) for key, option in known.items()}


def format_value(value: Any) -> str:
    """Return a setting's value as written in a list's options; strings without quotes."""
    return value if isinstance(value, str) else json.dumps(value)
