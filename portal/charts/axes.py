"""Frames and axes of graphs: where days and ratings stand, rating lines, grade bands and labels of the time axis."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from portal.charts.fitted_text import BOLD, measure
from portal.charts.shapes import Box, Label, Line, Shape
from ratings.localize import format_day, format_month, format_number

STEPS = (1, 2, 5, 10, 20, 40, 50, 80, 100, 200, 400, 500, 800, 1000, 2000)
"""Distances between rating lines, in rating points."""
MIN_SPAN = 60
"""Smallest span of ratings in a graph, in rating points, so that small changes look small."""
TEXT_SIZE = 12
DAYS_FOR_MONTHS = 62
"""Shortest span, in days, of a time axis with months instead of days."""
MIN_NAMED_BAND = 14
"""Minimum height of a grade band with a name, in pixels."""


@dataclass(frozen=True)
class Band:
    """Range of ratings of a grade, from `start` (rating points) up to the next band."""

    grade: str
    start: float


@dataclass(frozen=True)
class Limit:
    """A rating that a grade requires, in rating points, drawn as a line with a label."""

    rating: float
    label: str


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

    @property
    def is_broad(self) -> bool:
        """True if there is room for labels at the right of the plot."""
        return self.name != "narrow"


BROAD = Frame("broad", 780, 360, 52, 722, 24, 332, 7)
NARROW = Frame("narrow", 374, 264, 44, 326, 22, 236, 5)
PAPER = Frame("paper", 780, 280, 52, 722, 24, 252, 7)
"""Frame of graphs in PDF files."""


@dataclass(frozen=True)
class Scale:
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


def measure_text(text: str) -> float:
    """Return the width in pixels of a label of the usual size, which is no wider in the font of the pages."""
    return measure(text, BOLD) * TEXT_SIZE


def choose_lines(ratings: Iterable[float], most: int) -> tuple[int, float, float]:
    """Return the distance of the rating lines, the lowest and the highest line, in rating points."""
    known = list(ratings) or [0.0]
    low, high = min(known), max(known)
    if high - low < MIN_SPAN:
        middle = (low + high) / 2
        low, high = middle - MIN_SPAN / 2, middle + MIN_SPAN / 2
    for step in STEPS:
        first, last = math.floor(low / step), math.ceil(high / step)
        if last - first < most:
            return step, first * step, last * step
    step = math.ceil((high - low) / (most - 2) / STEPS[-1]) * STEPS[-1]
    return step, math.floor(low / step) * step, math.ceil(high / step) * step


def draw_bands(bands: Sequence[Band], scale: Scale) -> Iterator[Shape]:
    frame = scale.frame
    for number, band in enumerate(bands):
        end = bands[number + 1].start if number + 1 < len(bands) else scale.high
        bottom, top = scale.y(max(band.start, scale.low)), scale.y(min(end, scale.high))
        if bottom <= top:
            continue
        if number % 2 == 0:
            yield Box("g-band", frame.left, top, frame.right - frame.left, bottom - top)
        if bottom - top > MIN_NAMED_BAND:
            yield Label("g-bandname", frame.right + 8, (bottom + top) / 2 + 4, band.grade)


def draw_lines(scale: Scale, step: int) -> Iterator[Shape]:
    """Yield the rating lines, each with its rating."""
    frame = scale.frame
    for number in range(round((scale.high - scale.low) / step) + 1):
        rating = scale.low + number * step
        y = scale.y(rating)
        yield Line("g-grid", (frame.left, y), (frame.right, y))
        yield Label("g-text", frame.left - 8, y + 4, format_number(f"{rating:.0f}"), "end")


def draw_limit(limit: Limit, scale: Scale) -> Iterator[Shape]:
    frame, y = scale.frame, scale.y(limit.rating)
    yield Line("g-limit", (frame.left, y), (frame.right, y))
    if frame.right + 6 + measure_text(limit.label) <= frame.width:
        yield Label("g-bandname", frame.right + 6, y + 4, limit.label)
    else:
        yield Label("g-bandname", frame.left + 5, y - 6, limit.label)


def draw_time_labels(scale: Scale) -> Iterator[Shape]:
    """Yield the labels of the time axis: years, months below two years, or days below two months."""
    frame = scale.frame
    labels, free = _list_labels(scale), float(frame.left)
    half = max((measure_text(label) for _time, label in labels), default=0) / 2  # one width: the distances are equal
    for time, label in labels:
        x = scale.x(time)
        if x - half >= free and x <= frame.right:
            yield Label("g-text", x, frame.bottom + 22, label, "middle")
            free = x + half + 12


def _list_labels(scale: Scale) -> list[tuple[float, str]]:
    """Return the labels of the time axis, each with its time in days; the label of a day is at noon."""
    first, last = dt.date.fromordinal(math.ceil(scale.first)), dt.date.fromordinal(math.floor(scale.last))
    if (last - first).days < DAYS_FOR_MONTHS:
        days = range(first.toordinal(), math.ceil(scale.last - 0.5))
        return [(day + 0.5, format_day(dt.date.fromordinal(day))) for day in days]
    if (last - first).days < 2 * 365:
        months = range(first.year * 12 + first.month, last.year * 12 + last.month)
        begun = [dt.date(month // 12, month % 12 + 1, 1) for month in months]
        return [(day.toordinal(), format_month(day)) for day in begun if first <= day <= last]
    return [(dt.date(year, 1, 1).toordinal(), str(year)) for year in range(first.year + 1, last.year + 1)]
