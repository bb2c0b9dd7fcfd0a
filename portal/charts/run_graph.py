"""Graph of the games that earned a grade, one step a game: those that count are numbered, above a limit."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from portal.charts.axes import Frame, Limit, Scale, choose_lines, draw_limit, draw_lines, measure_text
from portal.charts.graph import Drawing
from portal.charts.shapes import Box, Disc, Label, Path, Position, Shape
from ratings.localize import format_month

BROAD = Frame("broad", 780, 300, 44, 688, 18, 266, 7)
NARROW = Frame("narrow", 374, 250, 44, 354, 18, 216, 5)
EARLIER = 8
"""Number of earlier ratings that are drawn before the games that count."""
RADIUS = {"broad": 10, "narrow": 8.5}


def draw_run(
    earlier: Sequence[float], games: Sequence[tuple[dt.date, float]], limit: Limit | None, frame: Frame
) -> Drawing:
    """Return the graph of earlier ratings and of the (day, rating after) of counted games, in rating points."""
    earlier = earlier[-EARLIER:]
    ratings = [*earlier, *(rating for _day, rating in games)]
    step, low, high = choose_lines([*ratings, *([limit.rating] if limit else [])], frame.lines)
    scale = Scale(frame, 0, max(len(ratings), 1), low, high)
    points = [(scale.x(at + 0.5), scale.y(rating)) for at, rating in enumerate(ratings)]
    counted = points[len(earlier) :]
    shapes: list[Shape] = []
    if games:
        start = scale.x(len(earlier))
        shapes.append(Box("g-run", start, frame.top, frame.right - start, frame.bottom - frame.top))
    shapes += draw_lines(scale, step)
    shapes += draw_limit(limit, scale) if limit else ()
    shapes.append(Path("g-line c1", points))
    shapes += [Disc("g-pt c1", point, 3.5) for point in points[: len(earlier)]]
    shapes += _draw_numbers(counted, RADIUS[frame.name])
    shapes += _draw_months([day for day, _rating in games], counted, frame)
    return Drawing(frame, shapes, [points])


def _draw_numbers(points: Sequence[Position], radius: float) -> Iterator[Shape]:
    for number, (x, y) in enumerate(points, 1):
        yield Disc("g-fill", (x, y), radius)
        yield Label("g-num", x, y + 4, str(number), "middle")


def _draw_months(days: Sequence[dt.date], points: Sequence[Position], frame: Frame) -> Iterator[Shape]:
    """Yield each month below its first game, if there is room."""
    free, last = float(frame.left), ""
    for day, (x, _y) in zip(days, points, strict=True):
        label = format_month(day)
        half = measure_text(label) / 2 + 3
        if label != last and x - half >= free:
            yield Label("g-text", min(x, frame.right - half / 2), frame.bottom + 24, label, "middle")
            free = x + half + 6
        last = label
