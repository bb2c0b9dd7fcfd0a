"""Limits by which the figures of a list's health are fine, and the causes by which points come in and go out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

PANEL_PART, NEWCOMERS_PART, POINTS_PART = 25, 10, 250
"""Parts of the spread of the ratings by which a panel may move in ten years, newcomers in two, and each player in one.

With a spread of 250 rating points, as on most lists, they are 10, 25 and 1 point.
"""
QUARTILES_APART = 1.349
"""Standard deviations between the lower and the upper quartile of a normal distribution."""


def name_causes() -> Mapping[str, str]:
    """Return the name of each cause in the reader's language."""
    return {
        "newcomers": _("games of new players"),
        "established": _("games of established players"),
        "bonus": _("bonus"),
        "floor": _("lowest rating"),
        "rule": _("other rules"),
        "adjustments": _("adjustments"),
        "left": _("players who left or came back"),
    }


def find_limit(figures: Mapping[str, Any], part: float) -> float:
    """Return a part of the spread of the active players' ratings, at least 1 point."""
    quartiles = figures["ratings"]
    spread = (quartiles["high"] - quartiles["low"]) / QUARTILES_APART if quartiles else 0.0
    return float(max(1, round(spread / part)))
