"""Graph of the games that earned a grade, one step a game: those that count are numbered, above a limit."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence

from django.utils.html import format_html
from django.utils.safestring import SafeString

from portal.charts.graph import Drawing, Frame, choose_lines, draw_text

BROAD = Frame("broad", 780, 300, 44, 696, 18, 266, 7)
NARROW = Frame("narrow", 374, 250, 44, 354, 18, 216, 5)
EARLIER = 8
"""Number of earlier ratings that are drawn before the games that count."""
RADIUS = {"broad": 10, "narrow": 8.5}


def draw_run(
    earlier: Sequence[float],
    games: Sequence[tuple[dt.date, float]],
    limit: float | None,
    limit_label: str,
    frame: Frame,
) -> Drawing:
    """Return the graph of earlier ratings and of the (day, rating after) of counted games, in rating points."""
    earlier = earlier[-EARLIER:]
    ratings = [*earlier, *(rating for _day, rating in games)]
    step, low, high = choose_lines([*ratings, *([limit] if limit is not None else [])], frame.lines)
    width = (frame.right - frame.left) / max(len(ratings), 1)

    def place_y(rating: float) -> float:
        return round(frame.bottom - (rating - low) / (high - low) * (frame.bottom - frame.top), 1)

    points = [(round(frame.left + (at + 0.5) * width, 1), place_y(rating)) for at, rating in enumerate(ratings)]
    parts: list[str] = []
    start = frame.left + len(earlier) * width
    if games:
        box = (round(start, 1), frame.top, round(frame.right - start, 1), frame.bottom - frame.top)
        parts.append(format_html('<rect class="g-run" x="{}" y="{}" width="{}" height="{}"/>', *box))
    for number in range(round((high - low) / step) + 1):
        y = place_y(low + number * step)
        parts += [
            format_html('<line class="g-grid" x1="{}" x2="{}" y1="{}" y2="{}"/>', frame.left, frame.right, y, y),
            draw_text("g-text", frame.left - 8, y + 4, f"{low + number * step:.0f}", anchor="end"),
        ]
    if limit is not None:
        parts += _draw_limit(place_y(limit), limit_label, frame)
    path = " ".join(f"{x},{y}" for x, y in points)
    parts.append(format_html('<polyline class="g-line c1" points="{}"/>', path))
    parts += [
        format_html('<circle class="g-pt c1" cx="{}" cy="{}" r="3.5"/>', *each) for each in points[: len(earlier)]
    ]
    parts += _draw_numbers(points[len(earlier) :], RADIUS[frame.name])
    parts += _draw_days([day for day, _rating in games], points[len(earlier) :], frame)
    return Drawing(frame, SafeString("".join(parts)), [points], (0, 0))


def _draw_limit(y: float, label: str, frame: Frame) -> Iterator[str]:
    yield format_html('<line class="g-limit" x1="{}" x2="{}" y1="{}" y2="{}"/>', frame.left, frame.right, y, y)
    if frame.name == "broad":
        yield draw_text("g-bandname", frame.right + 6, y + 4, label)
    else:
        yield draw_text("g-bandname", frame.left + 5, y - 6, label)


def _draw_numbers(points: Sequence[tuple[float, float]], radius: float) -> Iterator[str]:
    for number, (x, y) in enumerate(points, 1):
        yield format_html('<circle class="g-fill" cx="{}" cy="{}" r="{}"/>', x, y, radius)
        yield draw_text("g-num", x, y + 4, str(number), anchor="middle")


def _draw_days(days: Sequence[dt.date], points: Sequence[tuple[float, float]], frame: Frame) -> Iterator[str]:
    """Yield each month below its first game, if there is room."""
    free, last = float(frame.left), ""
    for day, (x, _y) in zip(days, points, strict=True):
        label = f"{day:%Y-%m}"
        if label != last and x - 28 >= free:
            yield draw_text("g-text", min(x, frame.right - 20), frame.bottom + 24, label, anchor="middle")
            free = x + 34
        last = label
