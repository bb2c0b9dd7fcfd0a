"""Graph of ratings over time, for one player with grade bands or for several players.

One drawing serves all readers: it stands in the page as SVG in a broad and in a narrow form, is downloaded as SVG, PNG
pictures are made from that, and PDF files have its shapes. graph.js adds a tooltip and zooming to it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.utils.safestring import SafeString

from portal.charts.axes import (
    Band,
    Frame,
    Limit,
    Scale,
    choose_lines,
    draw_bands,
    draw_limit,
    draw_lines,
    draw_time_labels,
)
from portal.charts.curves import OUTER, Curve, GraphPoint, draw_several, draw_single, measure_names
from portal.charts.shapes import Position, Shape, render_shapes

UNIX_EPOCH = dt.date(1970, 1, 1).toordinal()


@dataclass(frozen=True)
class Drawing:
    """A graph as shapes in a frame, with the position of each point, curve by curve.

    `days` are the days at the left and at the right edge of the plot, counted from 1970-01-01.
    """

    frame: Frame
    shapes: Sequence[Shape]
    positions: Sequence[Sequence[Position]]
    days: tuple[float, float] = (0, 0)

    @property
    def content(self) -> SafeString:
        """The shapes as the content of an svg element."""
        return render_shapes(self.shapes)


def draw_graph(
    curves: Sequence[Curve],
    frame: Frame,
    *,
    span: tuple[dt.date, dt.date],
    bands: Sequence[Band] = (),
    limit: Limit | None = None,
    steps: bool = False,
) -> Drawing:
    """Return the graph of one or more curves; all points must lie within `span`, the first and the last day.

    With `steps`, ratings stay as they are until the next point, as on lists that change on closing days only.
    """
    if len(curves) > 1 and frame.is_broad:
        frame = replace(frame, right=frame.width - measure_names(curves))
    times = [_spread_over_days(curve.points) for curve in curves]
    ratings = [point.rating for curve in curves for point in curve.points]
    ratings += [] if limit is None else [limit.rating]
    if len(curves) == 1:
        ratings += [edge for point in curves[0].points for edge in point.get_edges(OUTER)]
    step, low, high = choose_lines(ratings, frame.lines)
    length = (span[1] - span[0]).days + 1
    margin = max(length * 0.015, min(10, length / 6))
    scale = Scale(frame, span[0].toordinal() - margin, span[1].toordinal() + 1 + margin, low, high)
    positions = [
        [(scale.x(time), scale.y(point.rating)) for time, point in zip(of, curve.points, strict=True)]
        for of, curve in zip(times, curves, strict=True)
    ]
    shapes = [*draw_bands(bands, scale), *draw_lines(scale, step), *draw_time_labels(scale)]
    shapes += draw_limit(limit, scale) if limit else ()
    if len(curves) == 1:
        shapes += draw_single(curves[0], positions[0], scale, steps=steps)
    else:
        shapes += draw_several(curves, positions, frame, steps=steps)
    return Drawing(frame, shapes, positions, (scale.first - UNIX_EPOCH, scale.last - UNIX_EPOCH))


def _spread_over_days(points: Sequence[GraphPoint]) -> list[float]:
    """Return the time of each point in days; points of one day are spread evenly over it, in their order."""
    counts: dict[dt.date, int] = {}
    for point in points:
        counts[point.day] = counts.get(point.day, 0) + 1
    seen: dict[dt.date, int] = {}
    times = []
    for point in points:
        at = seen.get(point.day, 0)
        seen[point.day] = at + 1
        times.append(point.day.toordinal() + (at + 0.5) / counts[point.day])
    return times
