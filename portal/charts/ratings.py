"""Chart of ratings over time: of one player with grades, or of several players."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .base import DASHES, Theme, chart_text, new_chart


@dataclass(frozen=True)
class Curve:
    """Points of a player, oldest first, as (day, rating in rating points), and grades won or lost at some of them."""

    name: str
    points: Sequence[tuple[dt.date, float]]
    grades: Sequence[tuple[dt.date, float, str]] = ()


@dataclass(frozen=True)
class Band:
    grade: str
    start: float


def draw_ratings(
    curves: Sequence[Curve], theme: Theme, *, bands: Sequence[Band] = (), width: int = 800, height: int = 400
) -> Figure:
    """Return a chart of one or more curves, with a size in pixels.

    More than one curve differ in colour and dashes and get a legend. Grade bands are meant for a single curve.
    """
    figure, axes = new_chart(theme, width, height)
    ratings = [rating for curve in curves for _, rating in curve.points]
    if not ratings:
        return figure
    axes.xaxis_date()
    low, high = (min(ratings) - 40) // 100 * 100, -((-max(ratings) - 40) // 100) * 100
    axes.set_ylim(low, high)
    _draw_bands(axes, bands, theme, low, high)
    for number, curve in enumerate(curves):
        days = np.array([day for day, _ in curve.points], dtype="datetime64[D]")
        values = [rating for _, rating in curve.points]
        marker = "o" if len(days) < 150 else ""
        axes.plot(
            days, values, label=chart_text(curve.name), color=theme.series[number % len(theme.series)],
            linestyle=DASHES[number % len(DASHES)], marker=marker, markersize=3.5, linewidth=1.8,
        )  # fmt: skip
    if len(curves) == 1:
        axes.set_title(chart_text(curves[0].name), fontsize=11, loc="left", color=theme.ink)
        _draw_grades(axes, curves[0], theme)
    else:
        axes.legend(facecolor=theme.paper, edgecolor=theme.line, labelcolor=theme.ink, fontsize=9)
    return figure


def _draw_grades(axes: Axes, curve: Curve, theme: Theme) -> None:
    """Mark each grade of a curve; where names would overlap, write only the first."""
    first, last = curve.points[0][0], curve.points[-1][0]
    next_free_day = dt.date.min
    for day, rating, grade in curve.grades:
        position = (float(np.datetime64(day, "D").astype(np.int64)), rating)
        axes.plot([position[0]], [position[1]], marker="^", markersize=6, color=theme.gain)
        if day >= next_free_day:
            axes.annotate(
                grade, position, xytext=(0, 7), textcoords="offset points", ha="center", fontsize=8, color=theme.gain
            )
            next_free_day = day + (last - first) / 12


def _draw_bands(axes: Axes, bands: Sequence[Band], theme: Theme, low: float, high: float) -> None:
    edges = [band.start for band in bands[1:]] + [high]
    for number, (band, end) in enumerate(zip(bands, edges, strict=False)):
        start = max(band.start, low)
        axes.axhspan(start, end, color=theme.stripe if number % 2 else theme.paper, zorder=0)
        axes.text(
            0.995, start, band.grade, transform=axes.get_yaxis_transform(), ha="right", va="bottom", fontsize=8,
            color=theme.quiet, clip_on=True,
        )  # fmt: skip
