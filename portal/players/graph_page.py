"""Graph of ratings in a page: its drawings, summary and table, and what graph.js says of each point."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from portal.charts.axes import NARROW
from portal.charts.graph import Drawing
from portal.players.graph_points import build_point_table, explanation_address
from portal.players.graphs import RANGES, Graph, write_mark
from portal.templatetags.portal_format import points as written_points
from portal.templatetags.portal_format import rating, signed
from ratings.localize import format_day, join_clauses
from ratings.models import RatingList
from ratings.queries.players.careers import Career


def graph_context(request: HttpRequest, graph: Graph, addresses: dict[str, str]) -> dict[str, Any]:
    """Return the context of templates/players/graph.html; `addresses` are those of its files, by their formats."""
    broad, narrow = graph.draw(), graph.draw(NARROW)
    return {
        "graph": graph,
        "broad": broad,
        "narrow": narrow,
        "data": describe_graph(graph, broad, narrow),
        "ranges": [(name, years, name == graph.span.name) for name, years in RANGES.items()],
        "summary": summarize(graph),
        "table": build_point_table(request, graph),
        **addresses,
    }


def summarize(graph: Graph) -> str:
    """Return in a sentence where the curves begin and end."""
    if len(graph.careers) > 1:
        return _("Ratings of %(names)s over time.") % {"names": join_clauses(graph.names)}
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
    score, between = _("%(points)s of %(games)s"), pgettext("between details", " · ")
    for point in points:
        details = [format_day(dt.date.fromisoformat(point["date"]))]
        if point["table"] in scores:
            scored, played = scores[point["table"]]
            details.append(score % {"points": written_points(scored), "games": played})
        if point["mark"]:
            details.append(write_mark(point["mark"]))
        if with_deviations and point["deviation"] is not None:
            details.append(_("deviation ±%(points)s") % {"points": rating(point["deviation"], rating_list)})
        why = explanation_address(point, rating_list, career.player.public_id)
        change = signed(point["change"], rating_list)
        yield [rating(point["rating"], rating_list), change, point["event"], between.join(details), why]
