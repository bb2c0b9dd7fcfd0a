"""Line graph of ratings over time, drawn in a PDF file."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass

from ratings.localize import format_day

from .layout import INK, LINE, QUIET, Sheet

BOUND = (176, 58, 46)
LEFT, BELOW = 13.0, 7.0
"""Space for the ratings and for the dates, in mm."""
MIN_RATING_RANGE = 20.0
"""Smallest range of the vertical axis, in rating points: smaller differences are not magnified further."""


@dataclass(frozen=True)
class Frame:
    """Area of a graph on the page, in mm; the first and last days and the extreme ratings lie on its edges."""

    x: float
    y: float
    width: float
    height: float
    days: tuple[int, int]
    ratings: tuple[float, float]

    def position(self, day: dt.date, rating: float) -> tuple[float, float]:
        return self.x_of(day), self.y_of(rating)

    def x_of(self, day: dt.date) -> float:
        first, last = self.days
        return self.x + self.width * (day.toordinal() - first) / (last - first)

    def y_of(self, rating: float) -> float:
        low, high = self.ratings
        return self.y + self.height * (high - rating) / (high - low)


def draw_graph(
    sheet: Sheet,
    points: Sequence[tuple[dt.date, float]],
    marks: Sequence[tuple[dt.date, str]] = (),
    bound: float | None = None,
    height: float = 62,
) -> None:
    """Draw a line through the points, oldest first; `height` is in mm.

    Marks are vertical lines with a label, `bound` is a rating drawn as a horizontal line.
    """
    if not points:
        return
    days = [day.toordinal() for day, _ in points] + [day.toordinal() for day, _ in marks]
    ratings = [rating for _, rating in points] + ([] if bound is None else [bound])
    ticks = _find_ticks(min(ratings), max(ratings))
    last = max(*days, min(days) + 1)
    frame = Frame(
        sheet.l_margin + LEFT,
        sheet.y + 3,
        sheet.epw - LEFT,
        height - 3 - BELOW,
        (min(days), last),
        (ticks[0], ticks[-1]),
    )
    bottom = sheet.y + height
    with sheet.local_context():  # restores colours and line widths
        sheet.set_font(sheet.family, "", 7)
        _draw_axes(sheet, frame, ticks)
        if bound is not None:
            _draw_bound(sheet, frame, bound)
        _draw_marks(sheet, frame, marks)
        _draw_curve(sheet, frame, points)
    sheet.set_y(bottom)


def _find_ticks(low: float, high: float) -> list[float]:
    """Return four to nine round numbers in rating points, from at most `low` to at least `high`."""
    if high - low < MIN_RATING_RANGE:
        low, high = (low + high - MIN_RATING_RANGE) / 2, (low + high + MIN_RATING_RANGE) / 2
    room = high - low
    power = 10 ** math.floor(math.log10(room / 4))
    step = next(power * factor for factor in (1, 2, 5, 10) if room / (power * factor) <= 7)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [number * step for number in range(first, last + 1)]


def _find_days(first: int, last: int, most: int = 6) -> list[dt.date]:
    """Return first days of months or years, at most `most`; `first` and `last` if there are fewer than two."""
    start, end = dt.date.fromordinal(first), dt.date.fromordinal(last)
    months = [dt.date(year, month, 1) for year in range(start.year, end.year + 1) for month in range(1, 13)]
    for gap in (1, 2, 3, 6, 12, 24, 60, 120, 240):
        days = [day for day in months if start <= day <= end and (day.year * 12 + day.month - 1) % gap == 0]
        if len(days) <= most:
            break
    return days if len(days) > 1 else [start, end]


def _draw_axes(sheet: Sheet, frame: Frame, ticks: list[float]) -> None:
    sheet.set_ink(QUIET)
    sheet.set_draw_color(*LINE)
    sheet.set_line_width(0.1)
    for tick in ticks:
        y = frame.y_of(tick)
        sheet.line(frame.x, y, frame.x + frame.width, y)
        sheet.set_xy(frame.x - LEFT, y - 2)
        sheet.cell(LEFT - 1.5, 4, f"{tick:g}", align="R")
    foot = frame.y + frame.height
    for day in _find_days(*frame.days):
        x = frame.x_of(day)
        sheet.line(x, foot, x, foot + 1.2)
        centre = min(max(x, frame.x + 7), frame.x + frame.width - 7)
        sheet.set_xy(centre - 10, foot + 1.5)
        sheet.cell(20, 4, format_day(day), align="C")
    sheet.set_draw_color(*INK)
    sheet.set_line_width(0.25)
    sheet.line(frame.x, frame.y, frame.x, foot)
    sheet.line(frame.x, foot, frame.x + frame.width, foot)


def _draw_bound(sheet: Sheet, frame: Frame, bound: float) -> None:
    y = frame.y_of(bound)
    sheet.set_draw_color(*BOUND)
    sheet.set_line_width(0.35)
    with sheet.local_context():
        sheet.set_dash_pattern(dash=2, gap=1.2)
        sheet.line(frame.x, y, frame.x + frame.width, y)
    sheet.set_ink(BOUND)
    sheet.set_xy(frame.x + 1, y - 4)
    sheet.cell(20, 4, f"{bound:g}")


def _draw_marks(sheet: Sheet, frame: Frame, marks: Sequence[tuple[dt.date, str]]) -> None:
    sheet.set_ink(INK)
    sheet.set_draw_color(*QUIET)
    sheet.set_line_width(0.2)
    label_ends: list[float] = []
    for day, label in marks:
        x = frame.x_of(day)
        sheet.line(x, frame.y, x, frame.y + frame.height)
        label_width = sheet.get_string_width(label) + 2
        left = x if x + label_width <= frame.x + frame.width else x - label_width
        # a label moves one line down for each earlier label that it would overlap
        line = sum(1 for end in label_ends if left < end)
        label_ends.append(left + label_width)
        sheet.set_xy(left, frame.y - 3 + 3.2 * line)
        sheet.cell(label_width, 3.2, label)


def _draw_curve(sheet: Sheet, frame: Frame, points: Sequence[tuple[dt.date, float]]) -> None:
    sheet.set_draw_color(*sheet.accent)
    sheet.set_fill_color(*sheet.accent)
    sheet.set_line_width(0.45)
    positions = [frame.position(day, rating) for day, rating in points]
    if len(positions) > 1:
        sheet.polyline(positions)
    for x, y in positions:
        sheet.circle(x, y, 0.7, style="F")
