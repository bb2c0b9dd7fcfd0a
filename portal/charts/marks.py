"""Promotions and demotions in a graph: a filled point each, and a badge with the grade at the foot of the plot."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from portal.charts.axes import Frame, measure_text
from portal.charts.shapes import Box, Disc, Group, Label, Line, Position, Shape

BADGE_ROWS, BADGE_HEIGHT = 4, 24


@dataclass(frozen=True)
class Mark:
    """A grade at a point; `kind` is promotion, demotion or waiting (for approval), `title` its tooltip."""

    grade: str
    kind: str
    title: str = ""


def draw_badges(marks: Sequence[tuple[Mark, Position]], frame: Frame) -> Iterator[Shape]:
    """Yield a line from each mark to the foot, and its badge there; badges that would overlap go up one line.

    A mark without room in any line has no badge: its line goes down to the axis.
    """
    ends = [-math.inf] * BADGE_ROWS
    for mark, (x, y) in marks:
        label = {"promotion": "{}", "demotion": "↓ {}", "waiting": "{}?"}[mark.kind].format(mark.grade)
        width = measure_text(label) + 12
        middle = min(max(x, frame.left + width / 2), frame.right - width / 2)
        row = next((row for row in range(BADGE_ROWS) if middle - width / 2 > ends[row]), None)
        if row is None:
            yield Group(f"g-promo {mark.kind}", [Line("g-drop", (x, y), (x, frame.bottom))], mark.title)
            continue
        ends[row] = middle + width / 2 + 3
        top = frame.bottom - 26 - row * BADGE_HEIGHT
        badge: list[Shape] = [
            Line("g-drop", (x, y), (x, top)),
            Box(f"g-badge {mark.kind}", middle - width / 2, top, width, 20, 10),
            Label(f"g-badgename {mark.kind}", middle, top + 14, label, "middle"),
        ]
        yield Group(f"g-promo {mark.kind}", badge, mark.title)


def draw_marks(marks: Sequence[tuple[Mark, Position]]) -> Iterator[Shape]:
    """Yield the point of each mark, also where points near to one another are drawn once."""
    for mark, position in marks:
        yield Disc(f"g-mark {mark.kind}", position, 3.5, mark.title)
