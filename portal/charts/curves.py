"""Curves of a graph: lines, points, bands of uncertainty, and the names of several curves."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from portal.charts.axes import TEXT_SIZE, Frame, Scale, measure_text
from portal.charts.fitted_text import BOLD, fit_text, measure
from portal.charts.marks import Mark, draw_badges, draw_marks
from portal.charts.shapes import Disc, Label, Path, Position, Shape
from ratings.localize import format_number

MERGE = 6
"""Distance in pixels below which points of a curve are not drawn separately."""
INNER, OUTER = 1, 2
"""Deviations to both sides of a rating that the inner and the outer band of uncertainty cover."""
NAME_WIDTHS = 92, 190
"""Least and largest width in pixels of the names of several curves, beside the broad plot."""
NAME_GAP, LINE_HEIGHT = 8, 14
NOW_SIZE, NOW_OVERHANG = 14, 4
"""Font size of the last rating (graph.css), and how far it may reach to the right of the plot, in pixels."""


@dataclass(frozen=True)
class GraphPoint:
    """A rating in rating points after a step on a day; a `gap` begins a new line.

    `deviation` is the uncertainty of the rating in rating points; None without one. An `idle` point stands for a rating
    period without games.
    """

    day: dt.date
    rating: float
    mark: Mark | None = None
    gap: bool = False
    deviation: float | None = None
    idle: bool = False

    def get_edges(self, deviations: int) -> tuple[float, ...]:
        """Return the ratings some deviations below and above a point; empty without a deviation."""
        if self.deviation is None:
            return ()
        distance = deviations * self.deviation
        return self.rating - distance, self.rating + distance


@dataclass(frozen=True)
class Curve:
    """Points of one player, oldest first; `decimals` are those of the written ratings."""

    name: str
    points: Sequence[GraphPoint]
    decimals: int = 0


def draw_single(curve: Curve, positions: Sequence[Position], scale: Scale, *, steps: bool) -> Iterator[Shape]:
    frame = scale.frame
    yield from _draw_uncertainty(curve, positions, scale, steps=steps)
    for line in _split_lines(curve.points, positions):
        path = list(_make_path(line, steps=steps))
        yield Path("g-area", [(line[0][0], frame.bottom), *path, (line[-1][0], frame.bottom)], filled=True)
        yield Path("g-line c1", path)
    marks = [(point.mark, place) for point, place in zip(curve.points, positions, strict=True) if point.mark]
    yield from draw_badges(marks, frame)
    for is_idle, css in ((True, "idle"), (False, "c1")):
        of_kind = (place for point, place in zip(curve.points, positions, strict=True) if point.idle is is_idle)
        yield from _draw_points(of_kind, css)
    if not positions:
        return
    best = max(range(len(positions)), key=lambda at: (curve.points[at].rating, -at))
    yield Disc("g-peak", positions[best], 6.5)
    yield from draw_marks(marks)
    x, y = positions[-1]
    now = format_number(f"{curve.points[-1].rating:.{curve.decimals}f}")
    middle = frame.right + NOW_OVERHANG - measure(now, BOLD) * NOW_SIZE / 2  # left of the names of grades
    yield Label("g-now", min(x, middle), max(y - 13, 14), now, "middle")


def _draw_uncertainty(curve: Curve, positions: Sequence[Position], scale: Scale, *, steps: bool) -> Iterator[Shape]:
    """Yield the bands of two deviations and of one to both sides of each unbroken line of points with deviations."""
    if all(point.deviation is None for point in curve.points):
        return
    for deviations, css in ((OUTER, "g-sure2"), (INNER, "g-sure")):
        for top, bottom in _trace_edges(curve, positions, scale, deviations, steps=steps):
            yield Path(css, [*top, *bottom[::-1]], filled=True)
            for edge in (top, bottom) if deviations == INNER else ():
                yield Path("g-edge", edge)


def _trace_edges(
    curve: Curve, positions: Sequence[Position], scale: Scale, deviations: int, *, steps: bool
) -> Iterator[tuple[list[Position], list[Position]]]:
    """Yield the upper and the lower edge of the band of some deviations, for each unbroken line."""
    low, high = [], []
    for point, (x, y) in zip(curve.points, positions, strict=True):
        edges = point.get_edges(deviations)
        low.append((x, scale.y(edges[0]) if edges else y))
        high.append((x, scale.y(edges[1]) if edges else y))
    for below, above in zip(_split_lines(curve.points, low), _split_lines(curve.points, high), strict=True):
        yield list(_make_path(above, steps=steps)), list(_make_path(below, steps=steps))


def draw_several(
    curves: Sequence[Curve], positions: Sequence[Sequence[Position]], frame: Frame, *, steps: bool
) -> Iterator[Shape]:
    """Yield each curve; in a broad frame with its whole name at the right."""
    for number, (curve, places) in enumerate(zip(curves, positions, strict=True), 1):
        for line in _split_lines(curve.points, places):
            yield Path(f"g-line c{number}", list(_make_path(line, steps=steps)), title=curve.name)
        yield from _draw_points(places, f"c{number}")
    if frame.is_broad:
        yield from _draw_names(curves, positions, frame)


def measure_names(curves: Sequence[Curve]) -> int:
    """Return the space in pixels for the names of several curves: that of the longest word, within limits."""
    words = [measure_text(word) for curve in curves for word in curve.name.split()]
    least, largest = NAME_WIDTHS
    return math.ceil(min(max([*words, least]), largest)) + NAME_GAP + 4


def _draw_names(curves: Sequence[Curve], positions: Sequence[Sequence[Position]], frame: Frame) -> Iterator[Shape]:
    """Yield each name in as many lines as needed, beside the last point of its curve or as near as there is room."""
    width = frame.width - frame.right - NAME_GAP - 2
    names = sorted(
        (places[-1][1] + 4, number, fit_text(curve.name, BOLD, width, math.inf, TEXT_SIZE).lines)
        for number, (curve, places) in enumerate(zip(curves, positions, strict=True), 1)
        if places
    )
    for y, (_y, number, lines) in zip(
        _spread([(y, len(lines)) for y, _number, lines in names], frame), names, strict=True
    ):
        for at, line in enumerate(lines):
            yield Label(f"g-name c{number}", frame.right + NAME_GAP, y + at * LINE_HEIGHT, line)


def _spread(texts: Sequence[tuple[float, int]], frame: Frame) -> list[float]:
    """Return base lines of texts, top to bottom, that do not overlap; `texts` has wanted ones and numbers of lines."""
    placed, free = [], 0.0
    for wanted, lines in texts:
        placed.append(max(wanted, free))
        free = placed[-1] + lines * LINE_HEIGHT
    end = float(frame.height - 4 + LINE_HEIGHT)
    for at in reversed(range(len(texts))):
        placed[at] = end = min(placed[at], end - texts[at][1] * LINE_HEIGHT)
    return placed


def _split_lines(points: Sequence[GraphPoint], positions: Sequence[Position]) -> Iterator[list[Position]]:
    """Yield the positions of each unbroken line."""
    line: list[Position] = []
    for point, position in zip(points, positions, strict=True):
        if point.gap and line:
            yield line
            line = []
        line.append(position)
    if line:
        yield line


def _make_path(line: Sequence[Position], *, steps: bool) -> Iterator[Position]:
    yield line[0]
    for (_, before), (x, y) in pairwise(line):
        if steps:
            yield x, before
        yield x, y


def _draw_points(positions: Iterable[Position], css: str) -> Iterator[Shape]:
    """Yield a circle for each point that is far enough from the one drawn before."""
    last = (-math.inf, -math.inf)
    for position in positions:
        if math.dist(position, last) >= MERGE:
            last = position
            yield Disc(f"g-pt {css}", position, 3.5)
