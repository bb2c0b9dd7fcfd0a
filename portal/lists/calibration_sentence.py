"""Sentence about the calibration of the present rules: whether they are too sure of the stronger side.

It compares what the rules expected of the stronger sides of all games with what these scored. They agree if the
interval of the score (95 %, from resamples of whole events) holds the expectation. If it does not, the rules are too
sure (they expected more) or not sure enough, “a little” below `A_LITTLE`. The example is the class of games that
differs most in the same direction, by standard errors, among those whose own interval does not hold the expectation;
without such a class the sentence names the figures of all games. Too few events have no interval, and no verdict.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from portal.templatetags.portal_format import percent

Figures = Mapping[str, Any]
A_LITTLE = 0.05
"""Difference between the expected and the actual score of the example below which the rules are off “a little”."""


def describe_calibration(candidate: Figures) -> str:
    """Return the sentence about the present rules, which are the first candidate of a study."""
    bins, favourite = candidate["calibration"], candidate["favourite"]
    games = sum(bin_["games"] for bin_ in bins)
    if favourite["interval"] is None or not games:
        return _("There are too few events to judge whether today’s rules are too sure.")
    expected = sum(bin_["expected"] * bin_["games"] for bin_ in bins) / games
    low, high = favourite["interval"]
    if low <= expected <= high:
        text = _(
            "Today’s rules are neither too sure nor too careful: they expect %(expected)s of the stronger side, and it"
            " scored %(score)s. The difference lies within the interval of 95 %%."
        )
        return text % _write_shares(expected, favourite["mean"])
    example = _find_example(bins, expected > favourite["mean"])
    if example is None:
        return _name_pattern(expected, favourite["mean"]) % _write_shares(expected, favourite["mean"])
    return _name_pattern(example["expected"], example["score"]) % _write_shares(example["expected"], example["score"])


def _find_example(bins: Sequence[Figures], too_sure: bool) -> Figures | None:
    """Return the class of games that shows best that the rules are too sure, or not sure enough; None without one."""
    sure = [bin_ for bin_ in bins if not bin_["interval"][0] <= bin_["expected"] <= bin_["interval"][1]]
    found = [bin_ for bin_ in sure if (bin_["expected"] > bin_["score"]) is too_sure]
    return max(found, key=_count_errors, default=None)


def _count_errors(bin_: Figures) -> float:
    """Return by how many standard errors a class of games differs from its expectation."""
    error = math.sqrt(bin_["expected"] * (1 - bin_["expected"]) / bin_["games"])
    return abs(bin_["expected"] - bin_["score"]) / error if error else math.inf


def _name_pattern(expected: float, score: float) -> str:
    is_little = abs(expected - score) < A_LITTLE
    if expected > score and is_little:
        return _("Today’s rules are a little too sure: where they expect %(expected)s, players scored %(score)s.")
    if expected > score:
        return _("Today’s rules are too sure: where they expect %(expected)s, players scored %(score)s.")
    if is_little:
        return _("Today’s rules are not quite sure enough: where they expect %(expected)s, players scored %(score)s.")
    return _("Today’s rules are not sure enough: where they expect %(expected)s, players scored %(score)s.")


def _write_shares(expected: float, score: float) -> dict[str, str]:
    """Return both shares in percent, with a decimal if they would look equal without one."""
    decimals = 0 if round(100 * expected) != round(100 * score) else 1
    return {"expected": percent(expected, decimals), "score": percent(score, decimals)}
