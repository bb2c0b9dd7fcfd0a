"""The picture beside a shared link: a name, what he stands at, and his curve."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from matplotlib.figure import Figure

from .base import DOTS_PER_INCH, THEMES

WIDTH, HEIGHT = 1200, 630
LONGEST = 26
"""Letters of a name for which its largest size is right."""


def draw_card(name: str, stands: str, of: str, points: Sequence[tuple[dt.date, float]]) -> Figure:
    """As large as Open Graph wants it (1200 × 630 pixels)."""
    theme = THEMES["light"]
    figure = Figure(figsize=(WIDTH / DOTS_PER_INCH, HEIGHT / DOTS_PER_INCH), dpi=DOTS_PER_INCH)
    figure.set_facecolor(theme.paper)
    size = 44 * min(1, LONGEST / max(len(name), 1))
    for y, text, points_high, colour in (
        (0.90, of, 22, theme.quiet), (0.76, name, size, theme.ink), (0.60, stands, 40, theme.accent),
    ):  # fmt: skip
        figure.text(0.06, y, text.replace("$", r"\$"), fontsize=points_high, color=colour, va="center")
    axes = figure.add_axes((0.06, 0.07, 0.88, 0.42))
    axes.set_axis_off()
    if points:
        days, values = [day.toordinal() for day, _ in points], [value for _, value in points]
        axes.plot(days, values, color=theme.accent, linewidth=4, solid_capstyle="round")
        axes.fill_between(days, values, min(values) - 50, color=theme.accent, alpha=0.08, linewidth=0)
    return figure
