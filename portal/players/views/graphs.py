"""Ratings of a player as graphs, their points as CSV, and the whole history as CSV."""

import csv
import hashlib
from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from portal.charts import svg_security_policy
from portal.charts.pictures import graph_response
from portal.players.careers import get_requested_player
from portal.players.graph_points import points_response
from portal.players.graphs import Graph, build_graph
from portal.templatetags.portal_format import comma_name
from ratings.displayed_changes import round_change
from ratings.formats.formulas import guard_formula
from ratings.localize import join_clauses
from ratings.queries.lists.list_cache import version_of
from ratings.queries.players.careers import Career
from ratings.queries.players.players import facts_of

View = Callable[..., HttpResponse]


def get_etag(request: HttpRequest, public_id: str, **kwargs: str) -> str | None:
    """Return an ETag from the release, the list's version, the displayed names, the language and the address.

    On lists with deviations it also depends on the day, as a month without games is shown once it is over. Return None
    for a merged player and for one on no list.
    """
    requested = get_requested_player(request, public_id)
    if requested.career is None:
        return None
    the_list = requested.career.rating_list
    displayed = f"{the_list.label} {comma_name(requested.player)} {get_language()} {request.get_full_path()}"
    versions = " ".join(version_of(each) for each in (the_list, the_list.deviation_source) if each)
    day = timezone.localdate() if the_list.deviation_source else ""
    state = f"{settings.RELEASE} {versions} {displayed} {day}"
    return f'"{hashlib.sha256(state.encode()).hexdigest()[:24]}"'


def revalidated(view: View) -> View:
    """Make browsers revalidate their copy of a response each time; send it again only if its ETag changed."""
    return require_safe(cache_control(public=True, no_cache=True)(condition(etag_func=get_etag)(view)))


def get_career(request: HttpRequest, public_id: str) -> Career:
    """Return a player's career; raise Http404 if merged, or not on the list on the requested day."""
    standing, career = get_requested_player(request, public_id).standing_and_career
    if facts_of(career, standing) is None:
        raise Http404
    return career


@svg_security_policy  # also for a 304: browsers apply its headers to their cached copy
@revalidated
def graph(request: HttpRequest, public_id: str, format: str) -> HttpResponse:
    career = get_career(request, public_id)
    return graph_file(request, build_graph(request, [career], [comma_name(career.player)]), format)


def graph_file(request: HttpRequest, graph: Graph, format: str) -> HttpResponse:
    """Return a graph as svg or png, or its points as csv."""
    if format == "csv":
        return points_response(graph)
    title = f"{join_clauses(graph.names)} – {graph.careers[0].rating_list.label}"
    return graph_response(graph.draw(), title, format, request.GET.get("theme"))


@revalidated
def history(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return every step of a player's history on a list as CSV, oldest first."""
    career = get_career(request, public_id)
    name = f"{career.player.public_id}-{career.rating_list.slug}.csv"
    response = HttpResponse(
        content_type="text/csv; charset=utf-8", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
    out = csv.writer(response)
    out.writerow(["date", "event", "before", "after", "change", "games", "grade", "category", "deviation"])
    decimals = career.rating_list.decimals
    for point in career.steps:
        before, after, change, deviation = (
            None if number is None else f"{number:.{decimals}f}"
            for number in (point.before, point.after, round_change(point, decimals), point.deviation)
        )
        what = guard_formula(point.what)
        out.writerow([point.day, what, before, after, change, point.games, point.grade, point.category, deviation])
    return response
