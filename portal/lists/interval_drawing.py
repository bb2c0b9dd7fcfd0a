"""Intervals of several rows on one axis, as inline SVG: the figures stand beside them in the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

WIDTH, HEIGHT, INSET = 176, 24, 6
RADIUS = 5


def draw_intervals(estimates: Sequence[Mapping[str, Any]]) -> list[SafeString]:
    """Return a drawing for each estimate: its mean as a dot and its interval, if it has one, as a line.

    All drawings have the same axis; the dotted line in each of them is the mean of the first estimate. They are hidden
    from screen readers.
    """
    bounds = [value for one in estimates for value in (one["mean"], *(one["interval"] or ()))]
    return [_draw_interval(one, estimates[0]["mean"], min(bounds), max(bounds)) for one in estimates]


def _draw_interval(estimate: Mapping[str, Any], base: float, lowest: float, highest: float) -> SafeString:
    def place(value: float) -> float:
        share = (value - lowest) / (highest - lowest) if highest > lowest else 0.5
        return round(INSET + (WIDTH - 2 * INSET) * share, 1)

    middle = HEIGHT // 2
    lines = [("axis", INSET, middle, WIDTH - INSET, middle), ("base", place(base), 0, place(base), HEIGHT)]
    if estimate["interval"]:
        low, high = map(place, estimate["interval"])
        lines.append(("interval", low, middle, high, middle))
    return format_html(
        '<svg class="intervals" viewBox="0 0 {} {}" aria-hidden="true">{}<circle cx="{}" cy="{}" r="{}"/></svg>',
        WIDTH,
        HEIGHT,
        format_html_join("", '<path class="{}" d="M{} {}L{} {}"/>', lines),
        place(estimate["mean"]),
        middle,
        RADIUS,
    )
