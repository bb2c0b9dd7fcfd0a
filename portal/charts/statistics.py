"""Charts of a list's statistics, drawn from its stored figures.

Import this module inside a function: matplotlib takes half a second to load.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator, PercentFormatter

from . import grades_chart_height
from .base import Theme, as_svg, new_chart

Figures = Mapping[str, Any]
WIDTH, NARROW, HEIGHT = 576, 340, 400
BAR = 0.8
SHADE = 0.25


def draw_chart(name: str, figures: Figures, theme: Theme, *, narrow: bool = False) -> bytes:
    """Return one of CHARTS as SVG; a narrow chart keeps its text readable on a phone."""
    height = grades_chart_height(len(figures["grades"])) if name == "grades" else HEIGHT
    figure, axes = new_chart(theme, NARROW if narrow else WIDTH, height)
    CHARTS[name](axes, figures, theme)
    return as_svg(figure)


def _draw_legend(axes: Axes, theme: Theme) -> None:
    axes.legend(frameon=False, labelcolor=theme.ink, fontsize=9)


def _pale_bar_style(theme: Theme) -> dict[str, Any]:
    """Return the style of a pale bar behind another bar, with an edge that is visible on the background."""
    return {"facecolor": theme.line, "edgecolor": theme.quiet, "linewidth": 0.8}


def _draw_grades(axes: Axes, figures: Figures, theme: Theme) -> None:
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


def _draw_ratings(axes: Axes, figures: Figures, theme: Theme) -> None:
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


def _draw_games(axes: Axes, figures: Figures, theme: Theme) -> None:
    lines = figures["years"]
    axes.bar([line["year"] for line in lines], [line["games"] for line in lines], BAR, color=theme.accent)
    axes.set_ylabel(_("Games"))
    _format_yearly_axes(axes)


def _draw_players(axes: Axes, figures: Figures, theme: Theme) -> None:
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


def _draw_drift(axes: Axes, figures: Figures, theme: Theme) -> None:
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


def _draw_calibration(axes: Axes, figures: Figures, theme: Theme) -> None:
    groups = figures["calibration"]
    expected, scores = [group["expected"] for group in groups], [group["score"] for group in groups]
    intervals = [
        [group["score"] - group["low"] for group in groups],
        [group["high"] - group["score"] for group in groups],
    ]
    axes.plot([0.5, 1], [0.5, 1], color=theme.quiet, linestyle="--", label=_("as expected"))
    axes.errorbar(
        expected, scores, intervals, fmt="o", color=theme.accent, capsize=4, label=_("scored (bars: interval of 95 %)")
    )
    axes.xaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.yaxis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_xlabel(_("Expected of the stronger side"))
    axes.set_ylabel(_("Scored by it"))
    _draw_legend(axes, theme)


CHARTS: dict[str, Callable[[Axes, Figures, Theme], None]] = {
    "grades": _draw_grades,
    "ratings": _draw_ratings,
    "games": _draw_games,
    "players": _draw_players,
    "drift": _draw_drift,
    "calibration": _draw_calibration,
}
