"""Histogram of the differences that proposed rules make.

Import this module inside a function: matplotlib takes half a second to load.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from django.utils.translation import gettext as _
from matplotlib.ticker import MaxNLocator

from portal.site.palette import Palette
from ratings.queries.lists.rule_proposals import Spread

from .base import as_svg, new_chart

WIDTH, NARROW, HEIGHT = 780, 340, 280
BAR, FAINT = 0.85, 0.4
"""Width of a bar, and strength of the bars without a mark, as shares."""


def draw_histogram(
    spread: Spread, theme: Palette, marks: Sequence[tuple[str, float]] = (), *, narrow: bool = False
) -> bytes:
    """Return the histogram of a spread as SVG: the number of players over the difference in rating points.

    `marks` are names of players with their differences: their bars are stronger, and that of a single one is named.
    """
    figure, axes = new_chart(theme, NARROW if narrow else WIDTH, HEIGHT)
    middles = [bar.low + bar.width / 2 for bar in spread.bars]
    lows = [bar.low for bar in spread.bars]
    marked = {bisect_right(lows, change) - 1 for _name, change in marks}
    drawn = axes.bar(middles, [bar.players for bar in spread.bars], BAR * spread.bars[0].width, color=theme.accent)
    for number, bar in enumerate(drawn):
        bar.set_alpha(1 if not marked or number in marked else FAINT)
    if len(marks) == 1:
        name, number = marks[0][0], next(iter(marked))
        align = "left" if number == 0 else "right" if number == len(lows) - 1 else "center"
        edge = {"left": lows[number], "right": lows[number] + spread.bars[number].width, "center": middles[number]}
        place, paper = (
            (edge[align], spread.bars[number].players),
            {"facecolor": theme.paper, "edgecolor": "none", "pad": 1},
        )
        axes.annotate(
            name, place, (0, 5), textcoords="offset points", ha=align, color=theme.ink, weight="bold", bbox=paper
        )
        axes.margins(y=0.15)
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(_("Difference in rating points"))
    axes.set_ylabel(_("Players"))
    return as_svg(figure)
