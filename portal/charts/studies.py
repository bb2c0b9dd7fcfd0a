"""Charts of a study in the laboratory: the calibration of its candidates, and the values of its sweep.

Import this module inside a function: matplotlib takes half a second to load.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from textwrap import fill
from typing import Any

from django.utils.translation import gettext as _
from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from portal.lists.study_sweep import find_place, is_numeric
from portal.site.palette import Palette
from ratings.option_forms import label_of, write_value

from .base import DASHES, as_svg, new_chart

Figures = Mapping[str, Any]
WIDTH, NARROW, HEIGHT = 576, 340, 400
LETTERS, NARROW_LETTERS = 84, 46
"""Letters of a line of the legend that fit into a chart, and into a narrow one."""
MARKERS = ("o", "s", "^", "D", "v")
SHADE = 0.15
SWEEP_MARKS = 0.6
"""Size of the marks in the legend of a map, as a share of those in the map."""


@dataclass(frozen=True)
class StudyWords:
    """Words and values that a chart shows besides the figures of a result.

    `names` are those of the candidates; `options` has the label of each swept option, `today` its present value.
    """

    names: Sequence[str]
    options: Mapping[str, str] = field(default_factory=dict)
    today: Mapping[str, Any] = field(default_factory=dict)


def draw_study_chart(name: str, result: Figures, words: StudyWords, theme: Palette, *, narrow: bool = False) -> bytes:
    """Return one of STUDY_CHARTS as SVG."""
    figure, axes = new_chart(theme, NARROW if narrow else WIDTH, HEIGHT)
    STUDY_CHARTS[name](axes, result, words, theme)
    scale = SWEEP_MARKS if name == "sweep" else 1
    legend = figure.legend(loc="outside lower left", frameon=False, labelcolor=theme.ink, fontsize=9, markerscale=scale)
    for text in legend.get_texts():
        text.set_text(fill(text.get_text(), NARROW_LETTERS if narrow else LETTERS))
    return as_svg(figure)


def _draw_calibration(axes: Axes, result: Figures, words: StudyWords, theme: Palette) -> None:
    """Draw what the stronger side scored over what was expected, a curve for each candidate."""
    axes.plot([0.5, 1], [0.5, 1], color=theme.ink_3, linestyle="--", label=_("as expected"))
    curves = list(zip(result["candidates"], words.names, strict=True))[: len(theme.curves)]
    for number, (candidate, name) in enumerate(curves):
        bins, colour = candidate["calibration"], theme.curves[number]
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


def _spans(bins: Sequence[Figures]) -> list[list[float]]:
    return [
        [each["score"] - each["interval"][0] for each in bins],
        [each["interval"][1] - each["score"] for each in bins],
    ]


def _draw_sweep(axes: Axes, result: Figures, words: StudyWords, theme: Palette) -> None:
    """Draw the log loss of each value of one option as a curve, of two options as a map.

    The best value is marked, and today's value if it lies among those that were tried.
    """
    sweep = result["sweep"]
    points = [point for point in sweep["points"] if point["log_loss"] is not None]
    options = list(sweep["best"])
    axes.set_xlabel(words.options[options[0]])
    draw = _draw_curve if len(options) == 1 else _draw_map
    draw(axes, sweep, points, words, theme)


def _draw_curve(axes: Axes, sweep: Figures, points: Sequence[Figures], words: StudyWords, theme: Palette) -> None:
    option, best = next(iter(sweep["best"].items()))
    values = [point["values"][option] for point in points]
    numeric = all(map(is_numeric, values))
    interval = (sweep["intervals"] or {}).get(option)
    if interval and numeric:
        axes.axvspan(
            min(interval), max(interval), color=theme.accent, alpha=SHADE, linewidth=0, label=_("interval of 95 %")
        )
    places = values if numeric else list(range(len(values)))
    axes.plot(places, [point["log_loss"] for point in points], color=theme.accent, marker="o")
    axes.axvline(best if numeric else values.index(best), color=theme.ink, label=_name_best([best]))
    today = find_place(values, words.today[option]) if option in words.today else None
    if today is not None:
        place = words.today[option] if numeric else today
        axes.axvline(place, color=theme.ink_3, linestyle=":", linewidth=2, label=_name_today([words.today[option]]))
    if not numeric:
        axes.set_xticks(places, list(map(label_of, values)))
    axes.set_ylabel(_("Log loss"))


def _draw_map(axes: Axes, sweep: Figures, points: Sequence[Figures], words: StudyWords, theme: Palette) -> None:
    options = list(sweep["best"])
    values = {option: list(dict.fromkeys(point["values"][option] for point in sweep["points"])) for option in options}
    xs, ys = ([values[option].index(point["values"][option]) for point in points] for option in options)
    losses = [point["log_loss"] for point in points]
    drawn = axes.scatter(xs, ys, c=losses, s=260, marker="s", cmap="cividis")
    place = _find_point(values, sweep["best"])
    if place is not None:
        label = _name_best(list(sweep["best"].values()))
        axes.scatter(
            place[0], place[1], 380, marker="s", facecolors="none", edgecolors=theme.ink, linewidths=2, label=label
        )
    today = _find_point(values, words.today)
    if today is not None:
        label = _name_today(list(words.today.values()))
        axes.scatter(today[0], today[1], 70, facecolors=theme.paper, edgecolors=theme.ink, linewidths=2, label=label)
    axes.set_ylabel(words.options[options[1]])
    for axis, option in zip((axes.xaxis, axes.yaxis), options, strict=True):
        axis.set_ticks(range(len(values[option])), list(map(_write_value, values[option])))
    figure = axes.get_figure()
    assert figure is not None
    bar = figure.colorbar(drawn, ax=axes, label=_("Log loss"))
    bar.ax.tick_params(colors=theme.ink_3, labelsize=9)
    bar.ax.yaxis.label.set_color(theme.ink_3)


def _find_point(values: Mapping[str, Sequence[Any]], chosen: Mapping[str, Any]) -> tuple[float, float] | None:
    """Return the places of the chosen values on a map; None if they are not known or lie beyond it."""
    x, y = (find_place(tried, chosen[option]) if option in chosen else None for option, tried in values.items())
    return None if x is None or y is None else (x, y)


def _write_value(value: Any) -> str:
    return write_value(value)


def _name_best(values: Sequence[Any]) -> str:
    return _("best: %(value)s") % {"value": " × ".join(map(_write_value, values))}


def _name_today(values: Sequence[Any]) -> str:
    return _("today: %(value)s") % {"value": " × ".join(map(_write_value, values))}


STUDY_CHARTS: dict[str, Callable[[Axes, Figures, StudyWords, Palette], None]] = {
    "calibration": _draw_calibration,
    "sweep": _draw_sweep,
}
