"""Charts of a list's statistics, drawn from its stored figures.

Import this module inside a function: matplotlib takes half a second to load.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from portal.lists.health_limits import PANEL_PART, find_limit, name_causes
from portal.site.palette import Palette
from ratings.queries.lists.health import CAUSES

from . import grades_chart_height
from .base import as_svg, new_chart

Figures = Mapping[str, Any]
WIDTH, NARROW, HEIGHT = 576, 340, 400
WIDE = {"panel": 1168, "points": 1168}
"""Widths of the charts that take the whole page on a large screen."""
BAR = 0.8
SHADE = 0.25


def draw_chart(name: str, figures: Figures, theme: Palette, *, narrow: bool = False) -> bytes:
    """Return one of CHARTS as SVG; a narrow chart keeps its text readable on a phone."""
    height = grades_chart_height(len(figures["grades"])) if name == "grades" else HEIGHT
    figure, axes = new_chart(theme, NARROW if narrow else WIDE.get(name, WIDTH), height)
    CHARTS[name](axes, figures, theme)
    return as_svg(figure)


def _draw_legend(axes: Axes, theme: Palette) -> None:
    axes.legend(frameon=False, labelcolor=theme.ink, fontsize=9)


def _pale_bar_style(theme: Palette) -> dict[str, Any]:
    """Return the style of a pale bar behind another bar, with an edge that is visible on the background."""
    return {"facecolor": theme.line, "edgecolor": theme.ink_3, "linewidth": 0.8}


def _draw_grades(axes: Axes, figures: Figures, theme: Palette) -> None:
    """Draw the holders of each grade, highest grade on top: a bar of all behind a bar of the active ones."""
    lines = figures["grades"]
    names = [line["grade"] for line in lines]
    axes.barh(names, [line["all"] for line in lines], BAR, label=_("all"), **_pale_bar_style(theme))
    axes.barh(names, [line["active"] for line in lines], BAR / 2, color=theme.accent, label=_("active"))
    axes.invert_yaxis()
    axes.margins(y=0.01)
    axes.grid(visible=False, axis="y")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(_("Players"))
    _draw_legend(axes, theme)


def _draw_ratings(axes: Axes, figures: Figures, theme: Palette) -> None:
    lines = figures["classes"]
    width = lines[0]["upper"] - lines[0]["lower"]
    axes.bar(
        [line["lower"] for line in lines],
        [line["players"] for line in lines],
        0.95 * width,
        align="edge",
        color=theme.accent,
    )
    axes.axvline(figures["ratings"]["median"], color=theme.ink, linestyle="--", label=_("median"))
    axes.grid(visible=False, axis="x")
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_xlabel(_("Rating"))
    axes.set_ylabel(_("Active players"))
    _draw_legend(axes, theme)


def _draw_games(axes: Axes, figures: Figures, theme: Palette) -> None:
    lines = figures["years"]
    axes.bar([line["year"] for line in lines], [line["games"] for line in lines], BAR, color=theme.accent)
    axes.set_ylabel(_("Games"))
    _format_yearly_axes(axes)


def _draw_players(axes: Axes, figures: Figures, theme: Palette) -> None:
    lines = figures["years"]
    years = [line["year"] for line in lines]
    axes.bar(years, [line["players"] for line in lines], BAR, label=_("Players"), **_pale_bar_style(theme))
    axes.bar(years, [line["newcomers"] for line in lines], BAR / 2, color=theme.accent, label=_("Newcomers"))
    axes.set_ylabel(_("Players"))
    _format_yearly_axes(axes)
    _draw_legend(axes, theme)


def _format_yearly_axes(axes: Axes) -> None:
    axes.grid(visible=False, axis="x")
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))


def _draw_drift(axes: Axes, figures: Figures, theme: Palette) -> None:
    lines = figures["drift"]
    years = [line["year"] for line in lines]
    axes.fill_between(
        years,
        [line["low"] for line in lines],
        [line["high"] for line in lines],
        color=theme.accent,
        alpha=SHADE,
        linewidth=1,
        label=_("the middle half"),
    )
    axes.plot(years, [line["median"] for line in lines], color=theme.accent, marker="o", label=_("median"))
    axes.plot(years, [line["mean"] for line in lines], color=theme.ink, linestyle="--", label=_("mean"))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel(_("Rating"))
    _draw_legend(axes, theme)


def _draw_calibration(axes: Axes, figures: Figures, theme: Palette) -> None:
    groups = figures["calibration"]
    expected, scores = [group["expected"] for group in groups], [group["score"] for group in groups]
    intervals = [
        [group["score"] - group["low"] for group in groups],
        [group["high"] - group["score"] for group in groups],
    ]
    axes.plot([0.5, 1], [0.5, 1], color=theme.ink_3, linestyle="--", label=_("as expected"))
    axes.errorbar(
        expected, scores, intervals, fmt="o", color=theme.accent, capsize=4, label=_("scored (bars: interval of 95 %)")
    )
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_xlabel(_("Expected of the stronger side"))
    axes.set_ylabel(_("Scored by it"))
    _draw_legend(axes, theme)


def _draw_panel(axes: Axes, figures: Figures, theme: Palette) -> None:
    """Draw the panel's mean at the end of each year, over the band of changes that are fine."""
    lines = figures["health"]["panel"]["years"]
    years, means = [line["year"] for line in lines], [line["mean"] for line in lines]
    limit = find_limit(figures, PANEL_PART)
    axes.axhspan(means[0] - limit, means[0] + limit, color=theme.accent, alpha=SHADE / 2, linewidth=0, label=_("fine"))
    axes.plot(years, means, color=theme.accent, marker="o", label=_("mean of the panel"))
    around = max(3 * limit, *(abs(mean - means[0]) * 1.2 for mean in means))
    axes.set_ylim(means[0] - around, means[0] + around)
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.set_ylabel(_("Rating"))
    _draw_legend(axes, theme)


def _draw_points(axes: Axes, figures: Figures, theme: Palette) -> None:
    """Draw the points that came in above the line and those that went out below it, stacked by cause."""
    lines = figures["health"]["points"]
    years, names = [line["year"] for line in lines], name_causes()
    colours = dict(zip(CAUSES, (*theme.curves, theme.ink_3, theme.line), strict=True))
    ups, downs = [0.0] * len(lines), [0.0] * len(lines)
    for cause in CAUSES:
        if all(abs(line[cause]) < 1 for line in lines):
            continue
        values = [line[cause] for line in lines]
        bottoms = [up if value > 0 else down for value, up, down in zip(values, ups, downs, strict=True)]
        axes.bar(
            years, values, BAR, bottoms, label=names[cause], color=colours[cause], edgecolor=theme.paper, linewidth=0.8
        )
        ups = [up + max(0, value) for up, value in zip(ups, values, strict=True)]
        downs = [down + min(0, value) for down, value in zip(downs, values, strict=True)]
    axes.axhline(0, color=theme.ink, linewidth=1)
    axes.set_ylabel(_("Rating points"))
    _format_yearly_axes(axes)
    figure = axes.get_figure()
    assert figure is not None
    figure.legend(loc="outside lower left", ncols=2, frameon=False, labelcolor=theme.ink, fontsize=9)


def _draw_newcomers(axes: Axes, figures: Figures, theme: Palette) -> None:
    points = figures["health"]["newcomers"]["points"]
    first, later = [pair[0] for pair in points], [pair[1] for pair in points]
    ends = [min(*first, *later), max(*first, *later)]
    axes.plot(ends, ends, color=theme.ink_3, linestyle="--", label=_("no change"))
    axes.plot(first, later, "o", color=theme.accent, markersize=4, markerfacecolor=theme.paper)
    axes.set_xlabel(_("First rating"))
    axes.set_ylabel(_("Two years later"))
    _draw_legend(axes, theme)


def _draw_losses(axes: Axes, figures: Figures, theme: Palette) -> None:
    lines = [line for line in figures["forecasts"]["years"] if line["half"] is not None]
    losses = [line["log_loss"] for line in lines]
    axes.errorbar(
        [line["year"] for line in lines], losses, [line["half"] for line in lines], fmt="o-", color=theme.accent,
        capsize=3, label=_("log loss (bars: interval of 95 %)"),
    )  # fmt: skip
    axes.axhline(math.log(2), color=theme.ink_3, linestyle="--", label=_("an even chance in every game"))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set_ylabel(_("Log loss"))
    _draw_legend(axes, theme)


CHARTS: dict[str, Callable[[Axes, Figures, Palette], None]] = {
    "grades": _draw_grades,
    "ratings": _draw_ratings,
    "games": _draw_games,
    "players": _draw_players,
    "drift": _draw_drift,
    "calibration": _draw_calibration,
    "panel": _draw_panel,
    "points": _draw_points,
    "newcomers": _draw_newcomers,
    "losses": _draw_losses,
}
