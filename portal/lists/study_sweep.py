"""Sweep of a study as its page shows it: its points and, of each option, the best, the possible and today's value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from ratings.option_forms import write_value
from ratings.systems import get_system

from .study_names import name_option

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class PointLine:
    """One value, or pair of values, of a sweep, with its log loss (None if the run failed)."""

    values: list[Any]
    log_loss: float | None
    is_best: bool


def list_points(sweep: Figures) -> list[PointLine]:
    return [
        PointLine(list(point["values"].values()), point["log_loss"], point["values"] == sweep["best"])
        for point in sweep["points"]
    ]


def find_present_values(result: Figures) -> dict[str, Any]:
    """Return today's value of each swept option; empty if the present rules are another system's."""
    swept, candidates = result["study"]["sweep"], result["candidates"]
    if swept is None or not candidates or candidates[0]["system"] != swept["system"]:
        return {}
    settings = get_system(swept["system"], candidates[0]["options"]).settings
    return {key: settings[key] for key in swept["values"]}


def name_swept_options(result: Figures) -> dict[str, str]:
    """Return the label of each swept option, by its key."""
    swept = result["study"]["sweep"]
    return {} if swept is None else {key: name_option(swept["system"], key) for key in swept["values"]}


def describe_swept_options(result: Figures) -> list[str]:
    """Return for each swept option the sentences about its best value, its interval of 95 % and today's value."""
    sweep, values = result["sweep"], result["study"]["sweep"]["values"]
    names, present, intervals = name_swept_options(result), find_present_values(result), sweep["intervals"] or {}
    texts = []
    for key, best in sweep["best"].items():
        interval = intervals.get(key)
        texts.append(_describe_best(names[key], best, interval))
        if key in present:
            texts[-1] += f" {_describe_present(present[key], best, interval, values[key])}"
    return texts


def _describe_best(name: str, best: Any, interval: Sequence[Any] | None) -> str:
    words = {"option": name, "best": write_value(best)}
    if interval is None:
        return _("%(option)s: %(best)s predicts best; there are too few events for an interval.") % words
    low, high = interval
    if low == high:
        return _("%(option)s: %(best)s predicts best; no other value does equally well.") % words
    words |= {"low": write_value(low), "high": write_value(high)}
    return _("%(option)s: %(best)s predicts best; %(low)s to %(high)s may do equally well.") % words


def _describe_present(present: Any, best: Any, interval: Sequence[Any] | None, values: Sequence[Any]) -> str:
    words = {"present": write_value(present)}
    if present == best:
        return _("It is today’s value.")
    if interval is None:
        return _("Today it is %(present)s.") % words
    place, (low, high) = find_place(values, present), (find_place(values, bound) for bound in interval)
    if place is None or low is None or high is None:
        return _("Today’s %(present)s was not tried.") % words
    if min(low, high) <= place <= max(low, high):
        return _("Today’s %(present)s lies within.") % words
    return _("Today’s %(present)s lies outside.") % words


def find_place(values: Sequence[Any], value: Any) -> float | None:
    """Return the place of a value among tried ones, from 0; between two places for a number between two numbers.

    Return None for a word that was not tried, and for a number beyond those that were.
    """
    if value in values:
        return values.index(value)
    if not all(map(is_numeric, [value, *values])):
        return None
    below = [place for place, one in enumerate(values) if one < value]
    above = [place for place, one in enumerate(values) if one > value]
    if not below or not above:
        return None
    low = max(below, key=lambda place: values[place])
    high = min(above, key=lambda place: values[place])
    share: float = (value - values[low]) / (values[high] - values[low])
    return low + (high - low) * share


def is_numeric(value: Any) -> bool:
    """Return True for numbers, but not for yes and no."""
    return isinstance(value, int | float) and not isinstance(value, bool)
