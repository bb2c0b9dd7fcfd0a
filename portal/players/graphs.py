"""Graphs of players' ratings: the shown span of days, the drawings, and what graph.js says of each point."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from portal.charts.axes import BROAD, NARROW, Band, Frame
from portal.charts.curves import Curve, GraphPoint
from portal.charts.graph import Drawing, draw_graph
from portal.charts.marks import Mark
from portal.players.reasons import write_reason
from portal.templatetags.portal_format import points as written_points
from portal.templatetags.portal_format import rating, signed
from ratings.localize import format_day, join_details, join_parts
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
        return any(len(points) > 1 for points in self.points)

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

    def draw(self, frame: Frame = BROAD) -> Drawing:
        curves = [
            Curve(name, [_make_point(point) for point in of], self.rating_list.decimals)
            for name, of in zip(self.names, self.points, strict=True)
        ]
        return draw_graph(
            curves,
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


def graph_context(graph: Graph) -> dict[str, Any]:
    """Return the context of templates/players/graph.html."""
    broad, narrow = graph.draw(), graph.draw(NARROW)
    return {
        "graph": graph,
        "broad": broad,
        "narrow": narrow,
        "data": describe_graph(graph, broad, narrow),
        "ranges": [(name, years, name == graph.span.name) for name, years in RANGES.items()],
        "summary": summarize(graph),
    }


def summarize(graph: Graph) -> str:
    """Return in a sentence where the curves begin and end."""
    if len(graph.careers) > 1:
        return _("Ratings of %(names)s over time.") % {"names": join_parts(graph.names)}
    points = graph.points[0]
    if not points:
        return ""
    first, last, best = points[0], points[-1], max(points, key=lambda point: point["rating"])
    return _("Rating of %(name)s: %(first)s on %(start)s, %(last)s on %(end)s, highest %(best)s.") % {
        "name": graph.names[0],
        "first": write_rating(first, graph.rating_list),
        "start": format_day(dt.date.fromisoformat(first["date"])),
        "last": write_rating(last, graph.rating_list),
        "end": format_day(dt.date.fromisoformat(last["date"])),
        "best": rating(best["rating"], graph.rating_list),
    }


def write_rating(point: dict[str, Any], rating_list: RatingList) -> str:
    """Return the rating of a point, with its deviation if it has one: 1464 ±152."""
    text = rating(point["rating"], rating_list)
    return text if point["deviation"] is None else f"{text} ±{rating(point['deviation'], rating_list)}"


def describe_graph(graph: Graph, broad: Drawing, narrow: Drawing) -> dict[str, Any]:
    """Return what graph.js needs: positions and texts of all points, and the days at both edges of the plot."""
    return {
        "plots": {
            drawing.frame.name: [drawing.frame.left, drawing.frame.right, drawing.frame.top, drawing.frame.bottom]
            for drawing in (broad, narrow)
        },
        "days": broad.days,
        "series": [
            {
                "name": name,
                "points": [
                    [*wide, *slim, *texts]
                    for wide, slim, texts in zip(
                        broad.positions[at],
                        narrow.positions[at],
                        _describe_points(career, points, with_deviations=graph.has_band),
                        strict=True,
                    )
                ],
            }
            for at, (name, career, points) in enumerate(zip(graph.names, graph.careers, graph.points, strict=True))
        ],
        "texts": {
            "why": _("Why %(change)s?"),
            "between": pgettext("between details", " · "),
            "keys": _("Arrow keys: events. Enter: why. Plus and minus: zoom. Escape: close."),
        },
    }


def _describe_points(career: Career, points: Sequence[dict[str, Any]], *, with_deviations: bool) -> Iterator[list[str]]:
    """Yield the texts of each point: rating, change, event, day with score and grade, address of the explanation.

    The day is also followed by the deviation if `with_deviations`.
    """
    scores, rating_list = career.points, career.rating_list
    score = _("%(points)s of %(games)s")
    for point in points:
        details = [format_day(dt.date.fromisoformat(point["date"]))]
        if point["table"] in scores:
            scored, played = scores[point["table"]]
            details.append(score % {"points": written_points(scored), "games": played})
        if point["mark"]:
            details.append(write_mark(point["mark"]))
        if with_deviations and point["deviation"] is not None:
            details.append(_("deviation ±%(points)s") % {"points": rating(point["deviation"], rating_list)})
        why = ""
        if point["table"] and point["rated"]:
            why = reverse("explanation", args=[rating_list.slug, point["table"], career.player.public_id])
        elif point["closing"]:
            why = reverse("closing_explanation", args=[rating_list.slug, point["date"], career.player.public_id])
        change = signed(point["change"], rating_list)
        yield [rating(point["rating"], rating_list), change, point["event"], join_details(details), why]


def _make_point(point: dict[str, Any]) -> GraphPoint:
    day, mark = dt.date.fromisoformat(point["date"]), None
    if point["mark"]:
        title = join_details([write_mark(point["mark"]), format_day(day)])
        mark = Mark(point["mark"]["grade"], point["mark"]["kind"], title)
    return GraphPoint(day, point["rating"], mark, point["gap"], point["deviation"], point["idle"])
