"""Size and fonts of the charts of statistics, and their output as SVG.

Every page that shows a chart also contains its figures as text. Import this module inside a function: matplotlib takes
half a second to load.
"""

from __future__ import annotations

import io

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from portal.pdf.layout import font_file
from portal.site.palette import Palette

DOTS_PER_INCH = 100
JAPANESE = "BIZ UDPGothic"

fontManager.addfont(font_file("japanese"))
mpl.rcParams.update({"font.family": ["DejaVu Sans", JAPANESE], "svg.hashsalt": "portal"})


DASHES = ("solid", (0, (6, 2)), (0, (2, 2)), (0, (8, 2, 2, 2)), (0, (1, 1)))


def new_chart(theme: Palette, width: int = 800, height: int = 400) -> tuple[Figure, Axes]:
    """Return a chart of a size in pixels, with one pair of axes in the theme's colours and without a frame."""
    figure = Figure(figsize=(width / DOTS_PER_INCH, height / DOTS_PER_INCH), dpi=DOTS_PER_INCH, layout="constrained")
    figure.set_facecolor(theme.paper)
    axes = figure.add_subplot()
    axes.set_facecolor(theme.paper)
    axes.tick_params(colors=theme.ink_3, labelsize=9)
    axes.grid(color=theme.line, linewidth=0.8)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.xaxis.label.set_color(theme.ink_3)
    axes.yaxis.label.set_color(theme.ink_3)
    axes.title.set_color(theme.ink)
    return figure, axes


def as_svg(figure: Figure) -> bytes:
    """Return a chart as SVG; equal charts give equal bytes."""
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
