"""Graph of ratings over time as SVG, for one player with grade bands or for several players.

One drawing serves all readers: it stands in the page in a broad and in a narrow form, is downloaded as SVG, and PNG
pictures are made from it. graph.js adds a tooltip and zooming to it.
"""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from django.utils.html import format_html
from django.utils.safestring import SafeString

from ratings.characters import without_control_characters
from ratings.localize import format_day, format_number

STEPS = (1, 2, 5, 10, 20, 40, 50, 80, 100, 200, 400, 500, 800, 1000, 2000)
"""Distances between rating lines, in rating points."""
LEAST_SPAN = 60
"""Smallest span of ratings in a graph, in rating points, so that small changes look small."""
MERGE = 6
"""Distance in pixels below which points of a curve are not drawn separately."""
LETTER = 7.2
"""Width of a letter in pixels, for labels that must not overlap."""
BADGE_ROWS, BADGE_HEIGHT = 4, 24
UNIX_EPOCH = dt.date(1970, 1, 1).toordinal()
INNER, OUTER = 1, 2
"""Deviations to both sides of a rating that the inner and the outer band of uncertainty cover."""
DAYS_FOR_MONTHS = 62
"""Shortest span, in days, of a time axis with months instead of days."""
BANDS_APART = 14
"""Height in pixels from which a grade band is named."""


@dataclass(frozen=True)
class Mark:
    """A grade at a point; `kind` is promotion, demotion or waiting (for approval)."""

    grade: str
    kind: str


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


@dataclass(frozen=True)
class Curve:
    """Points of one player, oldest first."""

    name: str
    points: Sequence[GraphPoint]


@dataclass(frozen=True)
class Band:
    """Range of ratings of a grade, from `start` (rating points) up to the next band."""

    grade: str
    start: float


@dataclass(frozen=True)
class Frame:
    """Size of a graph and the edges of its plot, in pixels."""

    name: str
    width: int
    height: int
    left: int
    right: int
    top: int
    bottom: int
    lines: int
    """Largest number of rating lines."""


BROAD = Frame("broad", 780, 360, 52, 722, 24, 332, 7)
NARROW = Frame("narrow", 374, 264, 44, 326, 22, 236, 5)
NAMES_BESIDE = 110
"""Space in pixels for the names of several curves, to the right of the broad plot."""


@dataclass(frozen=True)
class Drawing:
    """A graph as the content of an svg element, with the position of each point, curve by curve.

    `days` are the days at the left and at the right edge of the plot, counted from 1970-01-01.
    """

    frame: Frame
    content: SafeString
    positions: list[list[tuple[float, float]]]
    days: tuple[float, float]


@dataclass(frozen=True)
class _Scale:
    """Position of days and ratings in a frame."""

    frame: Frame
    first: float
    last: float
    low: float
    high: float

    def x(self, time: float) -> float:
        share = (time - self.first) / ((self.last - self.first) or 1)
        return round(self.frame.left + share * (self.frame.right - self.frame.left), 1)

    def y(self, rating: float) -> float:
        share = (rating - self.low) / (self.high - self.low)
        return round(self.frame.bottom - share * (self.frame.bottom - self.frame.top), 1)


def draw_graph(
    curves: Sequence[Curve],
    frame: Frame,
    *,
    span: tuple[dt.date, dt.date],
    bands: Sequence[Band] = (),
    decimals: int = 0,
    steps: bool = False,
) -> Drawing:
    """Return the graph of one or more curves; all points must lie within `span`, the first and the last day.

    With `steps`, ratings stay as they are until the next point, as on lists that change on closing days only.
    """
    if len(curves) > 1 and frame is BROAD:
        frame = Frame(
            "broad",
            frame.width,
            frame.height,
            frame.left,
            frame.width - NAMES_BESIDE,
            frame.top,
            frame.bottom,
            frame.lines,
        )
    times = [_spread_over_days(curve.points) for curve in curves]
    ratings = [point.rating for curve in curves for point in curve.points]
    if len(curves) == 1:
        ratings += [edge for point in curves[0].points for edge in _get_edges(point, OUTER)]
    step, low, high = choose_lines(ratings, frame.lines)
    length = (span[1] - span[0]).days + 1
    margin = max(length * 0.015, min(10, length / 6))
    scale = _Scale(frame, span[0].toordinal() - margin, span[1].toordinal() + 1 + margin, low, high)
    positions = [
        [(scale.x(time), scale.y(point.rating)) for time, point in zip(of, curve.points, strict=True)]
        for of, curve in zip(times, curves, strict=True)
    ]
    parts = [*_draw_bands(bands, scale), *_draw_lines(scale, step), *_draw_time_labels(scale)]
    if len(curves) == 1:
        parts += _draw_single(curves[0], positions[0], scale, decimals, steps=steps)
    else:
        parts += _draw_several(curves, positions, frame, steps=steps)
    days = scale.first - UNIX_EPOCH, scale.last - UNIX_EPOCH
    return Drawing(frame, SafeString("".join(parts)), positions, days)


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


def choose_lines(ratings: Iterable[float], most: int) -> tuple[int, float, float]:
    """Return the distance of the rating lines, the lowest and the highest line, in rating points."""
    known = list(ratings) or [0.0]
    low, high = min(known), max(known)
    if high - low < LEAST_SPAN:
        middle = (low + high) / 2
        low, high = middle - LEAST_SPAN / 2, middle + LEAST_SPAN / 2
    for step in STEPS:
        first, last = math.floor(low / step), math.ceil(high / step)
        if last - first < most:
            return step, first * step, last * step
    step = math.ceil((high - low) / (most - 2) / STEPS[-1]) * STEPS[-1]
    return step, math.floor(low / step) * step, math.ceil(high / step) * step


def _draw_bands(bands: Sequence[Band], scale: _Scale) -> Iterator[str]:
    frame = scale.frame
    for number, band in enumerate(bands):
        end = bands[number + 1].start if number + 1 < len(bands) else scale.high
        bottom, top = scale.y(max(band.start, scale.low)), scale.y(min(end, scale.high))
        if bottom <= top:
            continue
        if number % 2 == 0:
            yield format_html(
                '<rect class="g-band" x="{}" y="{}" width="{}" height="{}"/>',
                frame.left,
                top,
                frame.right - frame.left,
                round(bottom - top, 1),
            )
        if bottom - top > BANDS_APART:
            yield draw_text("g-bandname", frame.right + 8, (bottom + top) / 2 + 4, band.grade)


def _draw_lines(scale: _Scale, step: int) -> Iterator[str]:
    frame = scale.frame
    for number in range(round((scale.high - scale.low) / step) + 1):
        rating = scale.low + number * step
        y = scale.y(rating)
        yield format_html('<line class="g-grid" x1="{}" x2="{}" y1="{}" y2="{}"/>', frame.left, frame.right, y, y)
        yield draw_text("g-text", frame.left - 8, y + 4, format_number(f"{rating:.0f}"), anchor="end")


def _draw_time_labels(scale: _Scale) -> Iterator[str]:
    """Yield the labels of the time axis: years, months below two years, or days below two months."""
    frame = scale.frame
    free = float(frame.left)
    for time, label in _list_labels(scale):
        x, half = scale.x(time), len(label) * LETTER / 2
        if x - half >= free and x + half <= frame.right + half:
            yield draw_text("g-text", x, frame.bottom + 22, label, anchor="middle")
            free = x + half + 12


def _list_labels(scale: _Scale) -> list[tuple[float, str]]:
    """Return the labels of the time axis, each with its time in days; the label of a day is at noon."""
    first, last = dt.date.fromordinal(math.ceil(scale.first)), dt.date.fromordinal(math.floor(scale.last))
    if (last - first).days < DAYS_FOR_MONTHS:
        days = range(first.toordinal(), math.ceil(scale.last - 0.5))
        return [(day + 0.5, format_day(dt.date.fromordinal(day))) for day in days]
    if (last - first).days < 2 * 365:
        months = range(first.year * 12 + first.month, last.year * 12 + last.month)
        begun = [dt.date(month // 12, month % 12 + 1, 1) for month in months]
        return [(day.toordinal(), f"{day:%Y-%m}") for day in begun if first <= day <= last]
    return [(dt.date(year, 1, 1).toordinal(), str(year)) for year in range(first.year + 1, last.year + 1)]


def _draw_single(
    curve: Curve, positions: list[tuple[float, float]], scale: _Scale, decimals: int, *, steps: bool
) -> Iterator[str]:
    frame = scale.frame
    yield from _draw_uncertainty(curve, positions, scale, steps=steps)
    for line in _split_lines(curve.points, positions):
        path = " ".join(f"{x},{y}" for x, y in _make_path(line, steps=steps))
        yield format_html(
            '<polygon class="g-area" points="{},{} {} {},{}"/>',
            line[0][0],
            frame.bottom,
            path,
            line[-1][0],
            frame.bottom,
        )
        yield format_html('<polyline class="g-line c1" points="{}"/>', path)
    yield from _draw_badges(curve.points, positions, frame)
    of_kind = [[at for at, point in enumerate(curve.points) if point.idle is idle] for idle in (True, False)]
    for numbers, css in zip(of_kind, ("idle", "c1"), strict=True):
        yield from _draw_points([positions[at] for at in numbers], css)
    if not positions:
        return
    best = max(range(len(positions)), key=lambda at: (curve.points[at].rating, -at))
    yield format_html('<circle class="g-peak" cx="{}" cy="{}" r="6.5"/>', *positions[best])
    x, y = positions[-1]
    now = format_number(f"{curve.points[-1].rating:.{decimals}f}")
    yield draw_text("g-now", min(x, frame.right - len(now) * LETTER / 2 + 8), max(y - 13, 14), now, anchor="middle")


def _get_edges(point: GraphPoint, deviations: int) -> tuple[float, ...]:
    """Return the ratings some deviations below and above a point; empty without a deviation."""
    if point.deviation is None:
        return ()
    distance = deviations * point.deviation
    return point.rating - distance, point.rating + distance


def _draw_uncertainty(
    curve: Curve, positions: list[tuple[float, float]], scale: _Scale, *, steps: bool
) -> Iterator[str]:
    """Yield the bands of two deviations and of one to both sides of each unbroken line of points with deviations."""
    if all(point.deviation is None for point in curve.points):
        return
    for deviations, css in ((OUTER, "g-sure2"), (INNER, "g-sure")):
        for top, bottom in _trace_edges(curve, positions, scale, deviations, steps=steps):
            outline = " ".join(f"{x},{y}" for x, y in (*top, *bottom[::-1]))
            yield format_html('<polygon class="{}" points="{}"/>', css, outline)
            for edge in (top, bottom) if deviations == INNER else ():
                yield format_html('<polyline class="g-edge" points="{}"/>', " ".join(f"{x},{y}" for x, y in edge))


def _trace_edges(
    curve: Curve, positions: list[tuple[float, float]], scale: _Scale, deviations: int, *, steps: bool
) -> Iterator[tuple[list[tuple[float, float]], list[tuple[float, float]]]]:
    """Yield the upper and the lower edge of the band of some deviations, for each unbroken line."""
    low, high = [], []
    for point, (x, y) in zip(curve.points, positions, strict=True):
        edges = _get_edges(point, deviations)
        low.append((x, scale.y(edges[0]) if edges else y))
        high.append((x, scale.y(edges[1]) if edges else y))
    for below, above in zip(_split_lines(curve.points, low), _split_lines(curve.points, high), strict=True):
        yield list(_make_path(above, steps=steps)), list(_make_path(below, steps=steps))


def _draw_several(
    curves: Sequence[Curve], positions: list[list[tuple[float, float]]], frame: Frame, *, steps: bool
) -> Iterator[str]:
    ends: list[float] = []
    for number, (curve, places) in enumerate(zip(curves, positions, strict=True), 1):
        for line in _split_lines(curve.points, places):
            path = " ".join(f"{x},{y}" for x, y in _make_path(line, steps=steps))
            yield format_html('<polyline class="g-line c{}" points="{}"/>', number, path)
        yield from _draw_points(places, f"c{number}")
        if places and frame.name == "broad":
            y = places[-1][1] + 4
            while any(abs(y - other) < BANDS_APART for other in ends):
                y += BANDS_APART
            ends.append(y)
            name = curve.name if len(curve.name) * LETTER < NAMES_BESIDE else f"{curve.name[:13]}…"
            yield draw_text(f"g-name c{number}", frame.right + 8, y, name)


def _split_lines(
    points: Sequence[GraphPoint], positions: list[tuple[float, float]]
) -> Iterator[list[tuple[float, float]]]:
    """Yield the positions of each unbroken line."""
    line: list[tuple[float, float]] = []
    for point, position in zip(points, positions, strict=True):
        if point.gap and line:
            yield line
            line = []
        line.append(position)
    if line:
        yield line


def _make_path(line: list[tuple[float, float]], *, steps: bool) -> Iterator[tuple[float, float]]:
    yield line[0]
    for (_, before), (x, y) in pairwise(line):
        if steps:
            yield x, before
        yield x, y


def _draw_points(positions: list[tuple[float, float]], css: str) -> Iterator[str]:
    """Yield a circle for each point that is far enough from the one drawn before."""
    last = (-math.inf, -math.inf)
    for position in positions:
        if math.dist(position, last) >= MERGE:
            last = position
            yield format_html('<circle class="g-pt {}" cx="{}" cy="{}" r="3.5"/>', css, *position)


def _draw_badges(points: Sequence[GraphPoint], positions: list[tuple[float, float]], frame: Frame) -> Iterator[str]:
    """Yield each grade as a badge at the foot, joined to its point; badges that would overlap go up one line."""
    ends = [-math.inf] * BADGE_ROWS
    for point, (x, y) in zip(points, positions, strict=True):
        if point.mark is None:
            continue
        label = {"promotion": "{}", "demotion": "↓ {}", "waiting": "{}?"}[point.mark.kind].format(point.mark.grade)
        width = len(label) * LETTER + 12
        middle = min(max(x, frame.left + width / 2), frame.right - width / 2)
        row = next((row for row in range(BADGE_ROWS) if middle - width / 2 > ends[row]), None)
        if row is None:
            continue
        ends[row] = middle + width / 2 + 3
        top = frame.bottom - 26 - row * BADGE_HEIGHT
        yield format_html(
            '<g class="g-promo {}"><line x1="{}" x2="{}" y1="{}" y2="{}"/>'
            '<rect x="{}" y="{}" width="{}" height="20" rx="10"/>{}</g>',
            point.mark.kind,
            x,
            x,
            round(y, 1),
            top,
            round(middle - width / 2, 1),
            top,
            round(width, 1),
            draw_text("", middle, top + 14, label, anchor="middle"),
        )


def draw_text(css: str, x: float, y: float, text: str, anchor: str = "") -> SafeString:
    return format_html(
        '<text{} x="{}" y="{}"{}>{}</text>',
        format_html(' class="{}"', css) if css else "",
        round(x, 1),
        round(y, 1),
        format_html(' text-anchor="{}"', anchor) if anchor else "",
        without_control_characters(text),
    )
