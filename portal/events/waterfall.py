"""Drawings of a rating change: a bar for each game of a sum or each step of a correction, a mark for each opponent.

All drawings of a page share one axis of rating points, `WIDTH` units wide. They contain no text.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise

WIDTH, INSET = 400, 12
LEAST_SPAN = 12
"""Rating points that the axis spans at least, so that small changes look small."""
LEAST_CHANGE = 0.005
"""Rating points below which a change is displayed as 0.00."""
LEAST_WIDTH = 2.5
"""Width of a bar that would be too narrow to be seen: below 1/200 of the axis."""


@dataclass(frozen=True)
class Drawing:
    """Bar of a row, with the line of the start and the ties to the bars above and below; all are x positions.

    `kind` is up, down, zero or sum in a waterfall, and won, lost, drawn or sum on a scale. A tie is empty if there is
    no bar to join.
    """

    kind: str
    x: str
    width: str
    start: str
    tie_above: str = ""
    tie_below: str = ""


class Axis:
    """Axis of rating points that includes all the given ratings."""

    def __init__(self, ratings: Sequence[float]) -> None:
        lowest, highest = min(ratings), max(ratings)
        self.span = max(highest - lowest, LEAST_SPAN)
        self.lowest = (lowest + highest - self.span) / 2

    def place(self, rating: float) -> float:
        return INSET + (WIDTH - 2 * INSET) * (rating - self.lowest) / self.span

    def draw(self, kind: str, ends: tuple[float, float], start: float, ties: tuple[str, str] = ("", "")) -> Drawing:
        """Return the drawing of a bar between two ratings."""
        low, high = sorted(map(self.place, ends))
        if high - low < WIDTH / 200:
            low, high = (low + high - LEAST_WIDTH) / 2, (low + high + LEAST_WIDTH) / 2
        return Drawing(kind, f"{low:.1f}", f"{high - low:.1f}", f"{self.place(start):.1f}", *ties)


def draw_waterfall(before: float, changes: Sequence[float]) -> list[Drawing]:
    """Return a bar for each change, which begins where the last one ended, and a bar for their sum."""
    ratings = list(accumulate(changes, initial=before))
    axis = Axis(ratings)
    ties = ["", *(f"{axis.place(rating):.1f}" for rating in ratings[1:-1]), ""]
    bars = [
        axis.draw(_kind_of(end - begin), (begin, end), before, (ties[number], ties[number + 1]))
        for number, (begin, end) in enumerate(pairwise(ratings))
    ]
    return [*bars, axis.draw("sum", (before, ratings[-1]), before)]


def draw_differences(differences: Sequence[float]) -> list[Drawing]:
    """Return a bar for each difference from zero; the last one is the result. The dotted line is zero."""
    axis = Axis([0, *differences])
    kinds = [*map(_kind_of, differences[:-1]), "sum"]
    return [axis.draw(kind, (0, difference), 0) for kind, difference in zip(kinds, differences, strict=True)]


def _kind_of(change: float) -> str:
    return "zero" if abs(change) < LEAST_CHANGE else "up" if change > 0 else "down"


def draw_scale(games: Sequence[tuple[float, float]], reached: float) -> list[Drawing]:
    """Return a mark at the rating of each opponent (rating and own score), and one at the rating that was reached.

    The rating that was reached is the dotted line.
    """
    axis = Axis([*(rating for rating, _ in games), reached])
    kinds = {1.0: "won", 0.0: "lost"}
    marks = [axis.draw(kinds.get(score, "drawn"), (rating, rating), reached) for rating, score in games]
    return [*marks, axis.draw("sum", (reached, reached), reached)]
