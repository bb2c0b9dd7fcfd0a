"""Picture of a rating with its deviation: the intervals of one and of two deviations on one axis."""

from __future__ import annotations

from django.utils.safestring import SafeString

from portal.charts.shapes import Box, Disc, Label, Shape, render_shapes
from ratings.localize import format_number

WIDTH, HEIGHT = 320, 56
MIDDLE, STEP = 160, 62
"""Position of the rating and width of one deviation, in pixels."""
TOP, BAR, LABEL = 8, 14, 46
"""Edges of the bars and the base line of the figures below them, in pixels."""


def draw_intervals(rating: float, deviation: float, decimals: int) -> SafeString:
    """Return the content of an svg element of WIDTH x HEIGHT; the figures are in rating points."""
    shapes: list[Shape] = [
        Box(css, MIDDLE - by * STEP, TOP, 2 * by * STEP, BAR) for css, by in (("g-outer", 2), ("g-inner", 1))
    ]
    shapes.append(Disc("g-fill", (MIDDLE, TOP + BAR / 2), 6))
    for by in range(-2, 3):
        text = format_number(f"{rating + by * deviation:.{decimals}f}")
        shapes.append(Label("g-text" if by else "g-now", MIDDLE + by * STEP, LABEL, text, "middle"))
    return render_shapes(shapes)
