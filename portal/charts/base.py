"""Size, colours and fonts of the charts of statistics, and their output as SVG.

Every page that shows a chart also contains its figures as text. Import this module inside a function: matplotlib takes
half a second to load.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, replace

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import fontManager

from portal.pdf.layout import font_file

DOTS_PER_INCH = 100
JAPANESE = "BIZ UDPGothic"

fontManager.addfont(font_file("japanese"))
mpl.rcParams.update({"font.family": ["DejaVu Sans", JAPANESE], "svg.hashsalt": "portal"})


@dataclass(frozen=True)
class Theme:
    """Colours of a chart; they match those of the pages."""

    ink: str
    quiet: str
    paper: str
    line: str
    stripe: str
    accent: str
    gain: str
    loss: str
    series: tuple[str, ...]
    """Colours of several curves in one chart; the curves also differ in their dashes."""


THEMES = {
    "light": Theme(
        "#131a2a",
        "#5d687f",
        "#ffffff",
        "#dfe4ec",
        "#f4f6fa",
        "#2a4a9f",
        "#0c6b3c",
        "#b0241b",
        ("#2a4a9f", "#b4540a", "#7a4fb5", "#7a5400", "#0c6b3c"),
    ),
    "dark": Theme(
        "#e8ebf2",
        "#98a3b8",
        "#10151f",
        "#2a3446",
        "#171e2b",
        "#a2b8ff",
        "#6fd39a",
        "#ff9a90",
        ("#a2b8ff", "#f2a05c", "#c3a6f2", "#efc65c", "#6fd39a"),
    ),
}
DASHES = ("solid", (0, (6, 2)), (0, (2, 2)), (0, (8, 2, 2, 2)), (0, (1, 1)))


ACCENTS = {
    "indigo": {"light": "#2a4a9f", "dark": "#a2b8ff"},
    "pine": {"light": "#19654c", "dark": "#7fd0b1"},
    "plum": {"light": "#85306c", "dark": "#eaa5d4"},
    "ocean": {"light": "#0b6183", "dark": "#83cbe6"},
    "slate": {"light": "#3b4a63", "dark": "#b9c6dc"},
}
"""Colours of each house of a federation, as in tokens.css."""


def get_theme(name: str | None, house: str = "indigo") -> Theme:
    """Return the colours of charts in the theme “light” or “dark”, with the accent of a house."""
    theme = name if name in THEMES else "light"
    return replace(THEMES[theme], accent=ACCENTS[house][theme])


def new_chart(theme: Theme, width: int = 800, height: int = 400) -> tuple[Figure, Axes]:
    """Return a chart of a size in pixels, with one pair of axes in the theme's colours and without a frame."""
    figure = Figure(figsize=(width / DOTS_PER_INCH, height / DOTS_PER_INCH), dpi=DOTS_PER_INCH, layout="constrained")
    figure.set_facecolor(theme.paper)
    axes = figure.add_subplot()
    axes.set_facecolor(theme.paper)
    axes.tick_params(colors=theme.quiet, labelsize=9)
    axes.grid(color=theme.line, linewidth=0.8)
    axes.set_axisbelow(True)
    for spine in axes.spines.values():
        spine.set_visible(False)
    axes.xaxis.label.set_color(theme.quiet)
    axes.yaxis.label.set_color(theme.quiet)
    axes.title.set_color(theme.ink)
    return figure, axes


def as_svg(figure: Figure) -> bytes:
    """Return a chart as SVG; equal charts give equal bytes."""
    out = io.BytesIO()
    figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
