"""Charts of a study in the laboratory: the calibration of its candidates, and the values of its sweep.

Import this module inside a function: matplotlib takes half a second to load.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from .base import DASHES, Theme, as_svg, new_chart

Figures = Mapping[str, Any]
WIDTH, NARROW, HEIGHT = 576, 340, 400
MARKERS = ("o", "s", "^", "D", "v")
SHADE = 0.15


def draw_study_chart(name: str, result: Figures, names: Sequence[str], theme: Theme, *, narrow: bool = False) -> bytes:
    """Return one of STUDY_CHARTS as SVG; `names` are those of the candidates."""
    figure, axes = new_chart(theme, NARROW if narrow else WIDTH, HEIGHT)
    STUDY_CHARTS[name](axes, {**result, "names": names}, theme)
    return as_svg(figure)


def _draw_calibration(axes: Axes, result: Figures, theme: Theme) -> None:
    """Draw what the stronger side scored over what was expected, a curve for each candidate."""
    axes.plot([0.5, 1], [0.5, 1], color=theme.quiet, linestyle="--", label=_("as expected"))
    curves = list(zip(result["candidates"], result["names"], strict=True))[: len(theme.series)]
    for number, (candidate, name) in enumerate(curves):
        bins, colour = candidate["calibration"], theme.series[number]
        axes.errorbar(
            [each["expected"] for each in bins],
            [each["score"] for each in bins],
            _spans(bins) if len(curves) == 1 else None,
            color=colour, linestyle=DASHES[number], marker=MARKERS[number], markersize=5, label=name,
        )  # fmt: skip
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(PercentFormatter(1, decimals=0))
    axes.set_xlabel(_("Expected of the stronger side"))
    axes.set_ylabel(_("Scored by it"))
    axes.legend(frameon=False, labelcolor=theme.ink, fontsize=9)


def _spans(bins: Sequence[Figures]) -> list[list[float]]:
    return [
        [each["score"] - each["interval"][0] for each in bins],
        [each["interval"][1] - each["score"] for each in bins],
    ]


def _draw_sweep(axes: Axes, result: Figures, theme: Theme) -> None:
    """Draw the log loss of each value of one option as a curve, of two options as a map; the best value is marked."""
    sweep = result["sweep"]
    points = [point for point in sweep["points"] if point["log_loss"] is not None]
    options = list(sweep["best"])
    axes.set_xlabel(options[0])
    if len(options) == 1:
        _draw_curve(axes, sweep, options[0], points, theme)
        return
    xs, ys = ([_place(sweep, option, point) for point in points] for option in options)
    losses = [point["log_loss"] for point in points]
    drawn = axes.scatter(xs, ys, c=losses, s=260, marker="s", cmap="cividis")
    best_x, best_y = (_place(sweep, option, {"values": sweep["best"]}) for option in options)
    axes.scatter([best_x], [best_y], s=380, marker="s", facecolors="none", edgecolors=theme.ink, linewidths=2)
    axes.set_ylabel(options[1])
    for axis, option in zip((axes.xaxis, axes.yaxis), options, strict=True):
        values = _list_values(sweep, option)
        axis.set_ticks(
            range(len(values)), [f"{value:g}" if isinstance(value, float) else str(value) for value in values]
        )
    figure = axes.get_figure()
    assert figure is not None
    bar = figure.colorbar(drawn, ax=axes, label=_("Log loss"))
    bar.ax.tick_params(colors=theme.quiet, labelsize=9)
    bar.ax.yaxis.label.set_color(theme.quiet)


def _draw_curve(axes: Axes, sweep: Figures, option: str, points: Sequence[Figures], theme: Theme) -> None:
    values = [point["values"][option] for point in points]
    is_numeric = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    places = values if is_numeric else list(range(len(values)))
    best = places[values.index(sweep["best"][option])]
    interval = (sweep["intervals"] or {}).get(option)
    if interval and is_numeric:
        axes.axvspan(
            min(interval), max(interval), color=theme.accent, alpha=SHADE, linewidth=0, label=_("interval of 95 %")
        )
    axes.plot(places, [point["log_loss"] for point in points], color=theme.accent, marker="o")
    axes.axvline(best, color=theme.ink, linestyle="--", label=_("best value"))
    if not is_numeric:
        axes.set_xticks(places, [str(value) for value in values])
    axes.set_ylabel(_("Log loss"))
    axes.legend(frameon=False, labelcolor=theme.ink, fontsize=9)


def _list_values(sweep: Figures, option: str) -> list[Any]:
    """Return the values of an option in the order in which they were tried."""
    return list(dict.fromkeys(point["values"][option] for point in sweep["points"]))


def _place(sweep: Figures, option: str, point: Figures) -> int:
    return _list_values(sweep, option).index(point["values"][option])


STUDY_CHARTS: dict[str, Callable[[Axes, Figures, Theme], None]] = {
    "calibration": _draw_calibration,
    "sweep": _draw_sweep,
}
