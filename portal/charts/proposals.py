"""Histogram of the differences that proposed rules make.

Import this module inside a function: matplotlib takes half a second to load.
"""

from __future__ import annotations

from django.utils.translation import gettext as _
from matplotlib.ticker import MaxNLocator

from ratings.queries.lists.rule_proposals import Spread

from .base import Theme, as_svg, new_chart

WIDTH, NARROW, HEIGHT = 780, 340, 280
BAR = 0.85


def draw_histogram(spread: Spread, theme: Theme, *, narrow: bool = False) -> bytes:
    """Return the histogram of a spread as SVG: the number of players over the difference in rating points."""
    figure, axes = new_chart(theme, NARROW if narrow else WIDTH, HEIGHT)
    middles = [bar.low + bar.width / 2 for bar in spread.bars]
    axes.bar(middles, [bar.players for bar in spread.bars], BAR * spread.bars[0].width, color=theme.accent)
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(_("Difference in rating points"))
    axes.set_ylabel(_("Players"))
    return as_svg(figure)
