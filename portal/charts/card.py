"""Preview image of a shared link: a player's name, current rating and grade, and rating curve."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from matplotlib.figure import Figure

from .base import DOTS_PER_INCH, THEMES, chart_text

WIDTH, HEIGHT = 1200, 630
FULL_SIZE_LENGTH = 26
"""Number of characters up to which a name is written in the largest size."""


def draw_card(name: str, rating_and_grade: str, list_name: str, points: Sequence[tuple[dt.date, float]]) -> Figure:
    """Return a preview image in the size that Open Graph recommends (1200 × 630 pixels)."""
    theme = THEMES["light"]
    figure = Figure(figsize=(WIDTH / DOTS_PER_INCH, HEIGHT / DOTS_PER_INCH), dpi=DOTS_PER_INCH)
    figure.set_facecolor(theme.paper)
    size = 44 * min(1, FULL_SIZE_LENGTH / max(len(name), 1))
    for y, text, points_high, colour in (
        (0.90, list_name, 22, theme.quiet), (0.76, name, size, theme.ink), (0.60, rating_and_grade, 40, theme.accent),
    ):  # fmt: skip
        figure.text(0.06, y, chart_text(text), fontsize=points_high, color=colour, va="center")
    axes = figure.add_axes((0.06, 0.07, 0.88, 0.42))
    axes.set_axis_off()
    if points:
        days, values = [day.toordinal() for day, _ in points], [value for _, value in points]
        axes.plot(days, values, color=theme.accent, linewidth=4, solid_capstyle="round")
        axes.fill_between(days, values, min(values) - 50, color=theme.accent, alpha=0.08, linewidth=0)
    return figure
