"""Sparkline of a player's ratings in the last twelve months, as inline SVG."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

WIDTH, HEIGHT, INSET = 96, 24, 3
LEAST_SPAN = 12
"""Rating points that the height stands for at least, so that small changes look flat."""
LEAST_POINTS = 3


def draw_sparkline(points: Sequence[tuple[dt.date, float]], last_day: dt.date) -> SafeString | str:
    """Return a curve of days and ratings that ends on a day, hidden from screen readers; empty for few points."""
    if len(points) < LEAST_POINTS:
        return ""
    first, values = points[0][0], [value for _, value in points]
    days = max((last_day - first).days, 1)
    span = max(max(values) - min(values), LEAST_SPAN)
    middle = (max(values) + min(values)) / 2
    drawn = [
        (
            INSET + (WIDTH - 2 * INSET) * (day - first).days / days,
            HEIGHT / 2 - (HEIGHT - 2 * INSET) * (value - middle) / span,
        )
        for day, value in points
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in drawn)
    x, y = (f"{value:.1f}" for value in drawn[-1])
    return format_html(
        '<svg class="spark" viewBox="0 0 {} {}" aria-hidden="true"><polyline points="{}"/>'
        '<circle cx="{}" cy="{}" r="2.6"/></svg>',
        WIDTH,
        HEIGHT,
        line,
        x,
        y,
    )
