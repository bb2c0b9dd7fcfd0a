"""Graphs of players' ratings: the shown span of days, the points, and the drawings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.charts.axes import BROAD, Band, Frame
from portal.charts.curves import Curve, GraphPoint
from portal.charts.graph import Drawing, draw_graph
from portal.charts.marks import Mark
from portal.players.reasons import write_reason
from ratings.localize import format_day, join_details
from ratings.models import RatingList
from ratings.queries.players.careers import Career
from ratings.queries.players.periods import list_single_periods
from ratings.queries.players.players import bands_in_graph, graph_of

RANGES = {"1": 1, "5": 5, "10": 10, "all": None}
"""Spans of a graph, in years back from its last point; None shows all years."""


class Span(NamedTuple):
    """Days of a graph, both included, and the name by which addresses call them: a key of RANGES, or both days."""

    name: str
    first: dt.date
    last: dt.date


def get_requested_span(request: HttpRequest, days: Sequence[dt.date]) -> Span:
    """Return the span in `range` of the query, such as 5 (years), all, or 2018-03-01..2020-05-01; else all years.

    `days` are those of all points.
    """
    first, last = min(days, default=timezone.localdate()), max(days, default=timezone.localdate())
    name = request.GET.get("range", "all")
    if name in RANGES:
        years = RANGES[name]
        return Span(name, first if years is None else max(first, last - dt.timedelta(days=round(365.25 * years))), last)
    start, _dots, end = name.partition("..")
    try:
        wanted = dt.date.fromisoformat(start), dt.date.fromisoformat(end)
    except ValueError:
        return Span("all", first, last)
    if wanted[0] >= wanted[1] or not any(wanted[0] <= day <= wanted[1] for day in days):
        return Span("all", first, last)
    return Span(f"{wanted[0]}..{wanted[1]}", *wanted)


@dataclass(frozen=True)
class Graph:
    """Graph of some careers in a span; `points` are those of each career in the span, as returned by `graph_of`."""

    rating_list: RatingList
    careers: Sequence[Career]
    names: Sequence[str]
    points: list[list[dict[str, Any]]]
    span: Span
    bands: list[dict[str, Any]]

    @property
    def has_curve(self) -> bool:
        """True if a curve has more than one point, also where the span has only one of them."""
        several = any(len(points) > 1 for points in self.points)
        return several or any(len(career.rated) > 1 for career in self.careers)

    @property
    def has_steps(self) -> bool:
        """True if ratings change on the list's closing days only."""
        return any(point.is_closing for career in self.careers for point in career.steps)

    @property
    def has_idle(self) -> bool:
        """True if a point stands for a rating period without games."""
        return any(point["idle"] for points in self.points for point in points)

    @property
    def has_band(self) -> bool:
        """True if the graph of a single player shows deviations."""
        return len(self.points) == 1 and any(point["deviation"] is not None for point in self.points[0])

    @cached_property
    def curves(self) -> list[Curve]:
        return [
            Curve(name, [_make_point(point) for point in of], self.rating_list.decimals)
            for name, of in zip(self.names, self.points, strict=True)
        ]

    def draw(self, frame: Frame = BROAD) -> Drawing:
        return draw_graph(
            self.curves,
            frame,
            span=(self.span.first, self.span.last),
            bands=[Band(band["grade"], band["from"]) for band in self.bands],
            steps=self.has_steps,
        )


def build_graph(request: HttpRequest, careers: Sequence[Career], names: Sequence[str]) -> Graph:
    """Return the graph of careers in the requested span.

    The graph of a single one has the bands of grades, and points for rating periods without games.
    """
    points = [translated_points(career) for career in careers]
    if len(careers) == 1:
        points = [mark_idle_periods(points[0], careers[0])]
    span = get_requested_span(request, [dt.date.fromisoformat(point["date"]) for of in points for point in of])
    finest = max((career.rating_list for career in careers), key=lambda rating_list: rating_list.decimals)
    shown = [[point for point in of if str(span.first) <= point["date"] <= str(span.last)] for of in points]
    bands = []
    if len(careers) == 1 and finest.has_grades:
        bands = bands_in_graph(finest.rating_system, [point["rating"] for point in shown[0]])
    return Graph(finest, careers, names, shown, span, bands)


def translated_points(career: Career) -> list[dict[str, Any]]:
    """Return the points of a player's graph, with texts in the active language."""
    return [point if point["played"] else point | {"event": write_reason(point["event"])} for point in graph_of(career)]


def mark_idle_periods(points: Sequence[dict[str, Any]], career: Career) -> list[dict[str, Any]]:
    """Return the points of a player's graph with one for each rating period without games, marked as `idle`."""
    quiet = [period for period in list_single_periods(career) if period.is_quiet and period.rating is not None]
    stored = {f"{period.day}" for period in quiet if period.rated}
    marked = [point | {"idle": point["closing"] and point["date"] in stored} for point in points]
    added = [
        {
            "date": f"{period.day}",
            "rating": period.rating,
            "change": 0.0,
            "deviation": period.deviation,
            "event": _("no games"),
            "played": False,
            "table": None,
            "rated": False,
            "closing": False,
            "gap": False,
            "mark": None,
            "idle": True,
        }
        for period in quiet
        if period.rated is None
    ]
    return sorted([*marked, *added], key=lambda point: point["date"])


def mark_labels() -> dict[str, Any]:
    """Return the labels of the graph's marks."""
    return {"promotion": _("promoted"), "demotion": _("demoted"), "waiting": _("earned, needs approval")}


def write_mark(mark: dict[str, str]) -> str:
    """Return a grade and what happened to it: 1 Dan (promoted)."""
    return f"{mark['grade']} ({mark_labels()[mark['kind']]})"


def _make_point(point: dict[str, Any]) -> GraphPoint:
    day, mark = dt.date.fromisoformat(point["date"]), None
    if point["mark"]:
        title = join_details([write_mark(point["mark"]), format_day(day)])
        mark = Mark(point["mark"]["grade"], point["mark"]["kind"], title)
    return GraphPoint(day, point["rating"], mark, point["gap"], point["deviation"], point["idle"])
