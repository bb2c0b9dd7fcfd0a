"""Candidates of a study: rating systems with options, and sweeps of an option over several values."""

from __future__ import annotations

import datetime as dt
import json
import operator
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation
from functools import reduce
from itertools import product
from typing import Any

from ratings.systems import SYSTEMS, get_system
from ratings.systems.messages import Message as _
from ratings.systems.options import format_value
from ratings.systems.values import History

PRESENT = "present"
"""The word for the history's own system, with its own options except for those that are named."""
MAX_VALUES = 441
"""The largest number of runs in a sweep: 21 values of one option by 21 of another."""
HUGE = 10**6
"""Number of values from which on they are not counted."""


@dataclass(frozen=True)
class Candidate:
    """A rating system with the options of a list, as a study compares it."""

    system: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return " ".join([self.system, *(f"{key}={format_value(value)}" for key, value in self.options.items())])


@dataclass(frozen=True)
class Sweep:
    """One or two options of a candidate, each with the values that are tried."""

    candidate: Candidate
    values: Mapping[str, Sequence[Any]]

    def __iter__(self) -> Iterator[Candidate]:
        """Yield a candidate for each value, or for each pair of values, in the order of the first option."""
        for chosen in product(*self.values.values()):
            options = {**self.candidate.options, **dict(zip(self.values, chosen, strict=True))}
            yield Candidate(self.candidate.system, options)


def present_candidate(history: History) -> Candidate:
    """Return the system and options by which a history's last table is rated."""
    last = max((table.last_day for table in history.tables), default=dt.date.max)
    changes = sorted(history.option_changes, key=lambda change: change.date)
    changed = (change.options for change in changes if change.date <= last)
    return Candidate(history.system, reduce(operator.or_, map(dict, changed), dict(history.options)))


def parse_candidate(text: str, history: History) -> Candidate:
    """Return the candidate written as a system and options, such as `glicko-2 tau=0.6 period=month`.

    `present` is the history's own system with its options, of which the named ones are replaced. Raise ValueError for
    an unknown system or option, and for an invalid value.
    """
    system, *settings = text.split() or [""]
    present = present_candidate(history)
    options = dict(_parse_setting(setting) for setting in settings)
    if len(options) < len(settings):
        raise ValueError(_("“{text}” gives an option twice", text=text))
    if system == PRESENT:
        return check_candidate(Candidate(present.system, {**present.options, **options}))
    return check_candidate(Candidate(system, options))


def check_candidate(candidate: Candidate) -> Candidate:
    """Return the candidate; raise ValueError if its system or an option is unknown or a value is invalid."""
    if candidate.system not in SYSTEMS:
        details = {"system": candidate.system, "systems": list(SYSTEMS)}
        raise ValueError(_("“{system}” is not one of the systems {systems}", **details))
    get_system(candidate.system, candidate.options)
    return candidate


def parse_sweep(texts: Sequence[str], candidate: Candidate) -> Sweep:
    """Return the sweep of one or two options, each written `option=first:last:step` or `option=value,value`.

    Raise ValueError if an option or a value is invalid, or if there are too many values.
    """
    if not 1 <= len(texts) <= 2:
        raise ValueError(_("a sweep is of one or two options"))
    values = dict(_parse_values(text) for text in texts)
    if len(values) < len(texts):
        raise ValueError(_("the two options of a sweep must differ"))
    sweep = Sweep(candidate, values)
    check_sweep(sweep)
    return sweep


def check_sweep(sweep: Sweep) -> None:
    """Raise ValueError if a sweep has an invalid value, fewer than two values of an option, or too many altogether."""
    for key, values in sweep.values.items():
        if len(values) < 2 or len(set(map(str, values))) < len(values):
            raise ValueError(_("{key}: a sweep needs at least two different values", key=key))
    count = 1
    for values in sweep.values.values():
        count *= len(values)
    if count > MAX_VALUES:
        raise _too_many(count)
    for candidate in sweep:
        check_candidate(candidate)


def _parse_setting(text: str) -> tuple[str, Any]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise ValueError(_("“{text}” is not written as option=value", text=text))
    return key, _parse_value(value)


def _parse_value(text: str) -> Any:
    try:
        return json.loads(text, parse_constant=str)
    except ValueError:
        return text


def _parse_values(text: str) -> tuple[str, list[Any]]:
    key, values = _parse_setting_text(text)
    if ":" not in values:
        return key, [_parse_value(value) for value in values.split(",")]
    try:
        first, last, step = (Decimal(part) for part in values.split(":"))
    except (ValueError, InvalidOperation):
        raise ValueError(_("{key}: “{values}” is not written as first:last:step", key=key, values=values)) from None
    if not (first.is_finite() and last.is_finite() and step.is_finite() and step > 0 and first < last):
        raise ValueError(
            _("{key}: in first:last:step the last value must exceed the first, and the step must be above 0", key=key)
        )
    if last - first >= HUGE * step:  # the quotient of extreme numbers would overflow
        raise ValueError(_("{key}: a sweep has at most {most} values or pairs of values", key=key, most=MAX_VALUES))
    count = int((last - first) / step) + 1
    if count > MAX_VALUES:
        raise _too_many(count)
    return key, [_as_number(first + number * step) for number in range(count)]


def _parse_setting_text(text: str) -> tuple[str, str]:
    key, equals, values = text.partition("=")
    if not (key and equals and values):
        raise ValueError(_("“{text}” is not written as option=first:last:step or option=value,value", text=text))
    return key, values


def _as_number(value: Decimal) -> int | float:
    return int(value) if value == value.to_integral_value() else float(value)


def _too_many(count: int) -> ValueError:
    details = {"most": MAX_VALUES, "count": count}
    return ValueError(_("a sweep has at most {most} values or pairs of values, not {count}", **details))
