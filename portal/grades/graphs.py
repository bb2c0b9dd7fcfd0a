"""Graphs of a grade that needs approval: the games that earned it, and all ratings with the earlier grades."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import replace

from django.utils.translation import gettext as _

from portal.charts.axes import PAPER, Band, Limit
from portal.charts.curves import Curve, GraphPoint
from portal.charts.graph import Drawing, draw_graph
from portal.charts.marks import Mark
from portal.charts.run_graph import BROAD, NARROW, draw_run
from portal.templatetags.portal_format import rating
from ratings.models import Approval
from ratings.queries.grades.dossiers import Dossier
from ratings.queries.players.players import bands_in_graph
from ratings.systems.values import AwardHow


def draw_evidence(dossier: Dossier) -> tuple[Drawing, ...]:
    """Return the broad and the narrow graph of the games that count; empty if there are none."""
    if not dossier.games:
        return ()
    first = dossier.games[0].day
    earlier = [after for day, after in dossier.graph if day < first]
    games = [(game.day, game.after) for game in dossier.games]
    return tuple(draw_run(earlier, games, _find_limit(dossier), frame) for frame in (BROAD, NARROW))


def draw_ratings(dossier: Dossier) -> Drawing | None:
    """Return the graph of all ratings for a PDF file, with grades and the required rating; None without ratings."""
    if not dossier.graph:
        return None
    case = dossier.case
    marks = [
        (award.day, Mark(award.grade, "demotion" if award.how == AwardHow.DEMOTION else "promotion"))
        for award in dossier.earlier
    ]
    kind = "promotion" if case.state == Approval.State.APPROVED else "waiting"
    points = mark_days(
        [GraphPoint(*each) for each in dossier.graph], [*marks, (case.earned_on, Mark(case.grade, kind))]
    )
    system, ratings = case.list.rating_system, [point.rating for point in points]
    return draw_graph(
        [Curve(str(case.player), points, case.list.decimals)],
        PAPER,
        span=(points[0].day, points[-1].day),
        bands=[Band(band["grade"], band["from"]) for band in bands_in_graph(system, ratings)],
        limit=_find_limit(dossier),
    )


def mark_days(points: list[GraphPoint], marks: Iterable[tuple[dt.date, Mark]]) -> list[GraphPoint]:
    """Return points with marks on their days, at the last point of each day.

    A day without a point gets one, as with a grade held elsewhere: it has the rating of the point before it, or else of
    the first point.
    """
    marked = list(points)
    for day, mark in reversed(list(marks)):
        until = sum(point.day <= day for point in marked)
        at = next((at for at in reversed(range(until)) if marked[at].day == day and marked[at].mark is None), None)
        if at is None:
            marked.insert(until, GraphPoint(day, marked[max(until - 1, 0)].rating, mark, idle=True))
        else:
            marked[at] = replace(marked[at], mark=mark)
    return marked


def _find_limit(dossier: Dossier) -> Limit | None:
    """Return the rating that the grade required; None if no rating did."""
    if not dossier.bound:
        return None
    return Limit(dossier.bound, _("%(rating)s needed") % {"rating": rating(dossier.bound, dossier.case.list)})
