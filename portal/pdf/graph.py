"""A line graph of ratings over time, drawn on a sheet."""

from __future__ import annotations

import datetime as dt
import math
from collections.abc import Sequence
from dataclasses import dataclass

from .layout import INK, LINE, QUIET, Sheet

CURVE, BOUND = (34, 84, 156), (176, 58, 46)
LEFT, BELOW = 13.0, 7.0
"""Room for the ratings and for the dates, in mm."""
LEAST_ROOM = 20.0
"""Smaller differences of ratings are not drawn larger than this makes them."""


@dataclass(frozen=True)
class Frame:
    """Where days and ratings lie on the sheet; the lowest and highest of both are at its edges."""

    x: float
    y: float
    width: float
    height: float
    days: tuple[int, int]
    ratings: tuple[float, float]

    def at(self, day: dt.date, rating: float) -> tuple[float, float]:
        return self.across(day), self.down(rating)

    def across(self, day: dt.date) -> float:
        first, last = self.days
        return self.x + self.width * (day.toordinal() - first) / (last - first)

    def down(self, rating: float) -> float:
        low, high = self.ratings
        return self.y + self.height * (high - rating) / (high - low)


def draw(
    sheet: Sheet,
    points: Sequence[tuple[dt.date, float]],
    marks: Sequence[tuple[dt.date, str]] = (),
    bound: float | None = None,
    height: float = 62,
) -> None:
    """The points joined, oldest first; marks are upright lines with a word, `bound` a rating across the whole."""
    if not points:
        return
    days = [day.toordinal() for day, _ in points] + [day.toordinal() for day, _ in marks]
    ratings = [rating for _, rating in points] + ([] if bound is None else [bound])
    ticks = _ticks(min(ratings), max(ratings))
    last = max(*days, min(days) + 1)
    frame = Frame(
        sheet.l_margin + LEFT, sheet.y + 3, sheet.epw - LEFT, height - 3 - BELOW, (min(days), last),
        (ticks[0], ticks[-1]),
    )  # fmt: skip
    bottom = sheet.y + height
    with sheet.local_context():  # its colours stay its own
        sheet.set_font(sheet.family, "", 7)
        _axes(sheet, frame, ticks)
        if bound is not None:
            _bound(sheet, frame, bound)
        _marks(sheet, frame, marks)
        _curve(sheet, frame, points)
    sheet.set_y(bottom)


def _ticks(low: float, high: float) -> list[float]:
    """Four to nine round numbers, the first not above and the last not below all ratings."""
    if high - low < LEAST_ROOM:
        low, high = (low + high - LEAST_ROOM) / 2, (low + high + LEAST_ROOM) / 2
    room = high - low
    power = 10 ** math.floor(math.log10(room / 4))
    step = next(power * factor for factor in (1, 2, 5, 10) if room / (power * factor) <= 7)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [number * step for number in range(first, last + 1)]


def _days(first: int, last: int, most: int = 6) -> list[dt.date]:
    """First days of months or years, as many as fit; the first day itself where there are none."""
    start, end = dt.date.fromordinal(first), dt.date.fromordinal(last)
    months = [dt.date(year, month, 1) for year in range(start.year, end.year + 1) for month in range(1, 13)]
    for gap in (1, 2, 3, 6, 12, 24, 60, 120, 240):
        days = [day for day in months if start <= day <= end and (day.year * 12 + day.month - 1) % gap == 0]
        if len(days) <= most:
            break
    return days if len(days) > 1 else [start, end]


def _axes(sheet: Sheet, frame: Frame, ticks: list[float]) -> None:
    sheet.ink(QUIET)
    sheet.set_draw_color(*LINE)
    sheet.set_line_width(0.1)
    for tick in ticks:
        y = frame.down(tick)
        sheet.line(frame.x, y, frame.x + frame.width, y)
        sheet.set_xy(frame.x - LEFT, y - 2)
        sheet.cell(LEFT - 1.5, 4, f"{tick:g}", align="R")
    foot = frame.y + frame.height
    for day in _days(*frame.days):
        x = frame.across(day)
        sheet.line(x, foot, x, foot + 1.2)
        centre = min(max(x, frame.x + 7), frame.x + frame.width - 7)
        sheet.set_xy(centre - 10, foot + 1.5)
        sheet.cell(20, 4, day.isoformat(), align="C")
    sheet.set_draw_color(*INK)
    sheet.set_line_width(0.25)
    sheet.line(frame.x, frame.y, frame.x, foot)
    sheet.line(frame.x, foot, frame.x + frame.width, foot)


def _bound(sheet: Sheet, frame: Frame, bound: float) -> None:
    y = frame.down(bound)
    sheet.set_draw_color(*BOUND)
    sheet.set_line_width(0.35)
    with sheet.local_context():
        sheet.set_dash_pattern(dash=2, gap=1.2)
        sheet.line(frame.x, y, frame.x + frame.width, y)
    sheet.ink(BOUND)
    sheet.set_xy(frame.x + 1, y - 4)
    sheet.cell(20, 4, f"{bound:g}")


def _marks(sheet: Sheet, frame: Frame, marks: Sequence[tuple[dt.date, str]]) -> None:
    sheet.ink(INK)
    sheet.set_draw_color(*QUIET)
    sheet.set_line_width(0.2)
    taken: list[float] = []
    for day, label in marks:
        x = frame.across(day)
        sheet.line(x, frame.y, x, frame.y + frame.height)
        wide = sheet.get_string_width(label) + 2
        left = x if x + wide <= frame.x + frame.width else x - wide
        # a word that another one would meet stands a line lower
        line = sum(1 for end in taken if left < end)
        taken.append(left + wide)
        sheet.set_xy(left, frame.y - 3 + 3.2 * line)
        sheet.cell(wide, 3.2, label)


def _curve(sheet: Sheet, frame: Frame, points: Sequence[tuple[dt.date, float]]) -> None:
    sheet.set_draw_color(*CURVE)
    sheet.set_fill_color(*CURVE)
    sheet.set_line_width(0.45)
    several = [frame.at(day, rating) for day, rating in points]
    if len(several) > 1:
        sheet.polyline(several)
    for x, y in several:
        sheet.circle(x, y, 0.7, style="F")
