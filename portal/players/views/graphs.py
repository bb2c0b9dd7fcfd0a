"""Ratings of a player as graphs and as CSV, and the preview image for shared links."""

import csv
import datetime as dt
import hashlib
from collections.abc import Callable

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from portal.charts import chart_response, svg_security_policy
from portal.players.careers import first_day_of_range, get_requested_player, get_requested_range
from portal.templatetags.portal_format import rating
from ratings.formats.formulas import guard_formula
from ratings.queries.lists.list_cache import version_of
from ratings.queries.players.careers import Career
from ratings.queries.players.players import Facts, bands_in_graph, facts_of, graph_of

SIGNS = {"promotion": "", "waiting": "?", "demotion": " ↓"}
View = Callable[..., HttpResponse]


def get_etag(request: HttpRequest, public_id: str, **kwargs: str) -> str | None:
    """Return an ETag from the release, the list's version, the displayed names, the language and the address.

    Return None for a merged player and for one on no list.
    """
    requested = get_requested_player(request, public_id)
    if requested.career is None:
        return None
    the_list = requested.career.rating_list
    displayed = f"{the_list.label} {requested.player} {get_language()} {request.get_full_path()}"
    state = f"{settings.RELEASE} {version_of(the_list)} {displayed}"
    return f'"{hashlib.sha256(state.encode()).hexdigest()[:24]}"'


def revalidated(view: View) -> View:
    """Make browsers revalidate their copy of a response each time; send it again only if its ETag changed."""
    return require_safe(cache_control(public=True, no_cache=True)(condition(etag_func=get_etag)(view)))


def get_career_and_facts(request: HttpRequest, public_id: str) -> tuple[Career, Facts]:
    """Return a player's career and facts; raise Http404 if merged, or not on the list on the requested day."""
    standing, career = get_requested_player(request, public_id).standing_and_career
    facts = facts_of(career, standing)
    if facts is None:
        raise Http404
    return career, facts


def graph_points(career: Career, within: str) -> list[tuple[dt.date, float]]:
    first = first_day_of_range(career, within)
    return [(point.day, point.after or 0) for point in career.rated if point.day >= first]


def marked_grades(career: Career) -> list[tuple[dt.date, float, str]]:
    """Return the grades won, lost or waiting that the graph marks, as (day, rating in rating points, label)."""
    marked = [(point, point["mark"]) for point in graph_of(career) if point["mark"]]
    return [
        (dt.date.fromisoformat(point["date"]), point["rating"], mark["grade"] + SIGNS[mark["kind"]])
        for point, mark in marked
    ]


@svg_security_policy  # also for a 304: browsers apply its headers to their cached copy
@revalidated
def graph(request: HttpRequest, public_id: str, format: str) -> HttpResponse:
    from portal.charts.base import get_theme  # noqa: PLC0415 - takes half a second to load
    from portal.charts.ratings import Band, Curve, draw_ratings  # noqa: PLC0415 - also slow to load

    career, _ = get_career_and_facts(request, public_id)
    points = graph_points(career, get_requested_range(request))
    system = career.rating_list.rating_system
    bands = bands_in_graph(system, [value for _, value in points]) if career.rating_list.has_grades else []
    first = points[0][0] if points else dt.date.max
    name = f"{career.player} – {career.rating_list.label}"
    figure = draw_ratings(
        [Curve(name, points, [grade for grade in marked_grades(career) if grade[0] >= first])],
        get_theme(request.GET.get("theme")),
        bands=[Band(band["grade"], band["from"]) for band in bands],
    )
    return chart_response(figure, format)


@revalidated
def card(request: HttpRequest, public_id: str) -> HttpResponse:
    from portal.charts.card import draw_card  # noqa: PLC0415 - takes half a second to load

    career, facts = get_career_and_facts(request, public_id)
    texts = [rating(facts.rating, career.rating_list), facts.grade]
    figure = draw_card(
        str(career.player), " · ".join(filter(None, texts)), career.rating_list.label, graph_points(career, "all")
    )
    return chart_response(figure, "png")


@revalidated
def history(request: HttpRequest, public_id: str) -> HttpResponse:
    """Return every step of a player's history on a list as CSV, oldest first."""
    career, _ = get_career_and_facts(request, public_id)
    name = f"{career.player.public_id}-{career.rating_list.slug}.csv"
    response = HttpResponse(
        content_type="text/csv; charset=utf-8", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
    out = csv.writer(response)
    out.writerow(["date", "event", "before", "after", "change", "games", "grade", "category"])
    decimals = career.rating_list.decimals
    for point in career.steps:
        numbers = [
            None if number is None else f"{number:.{decimals}f}" for number in (point.before, point.after, point.change)
        ]
        out.writerow([point.day, guard_formula(point.what), *numbers, point.games, point.grade, point.category])
    return response
