"""A player's ratings as pictures and as CSV, and the picture that stands beside a shared link."""

import csv
import datetime as dt
import hashlib
from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from portal.careers import asked_player, range_asked, since
from portal.charts import picture, sent
from portal.templatetags.portal_format import rating
from ratings.formats.sheets import guarded
from ratings.queries.careers import Career
from ratings.queries.kept import version_of
from ratings.queries.players import Facts, bands_within, facts_of, graph_of

SIGNS = {"promotion": "", "waiting": "?", "demotion": " ↓"}
View = Callable[..., HttpResponse]


def version(request: HttpRequest, public_id: str, **kwargs: str) -> str | None:
    """That of the list, with all that is written on it: names, the reader's language, and what was asked for."""
    asked = asked_player(request, public_id)
    if asked.career is None:
        return None
    the_list = asked.career.rating_list
    of = f"{version_of(the_list)} {the_list.label} {asked.player} {get_language()} {request.get_full_path()}"
    return f'"{hashlib.sha256(of.encode()).hexdigest()[:24]}"'


def kept_by_browsers(view: View) -> View:
    """Asked for again each time, but sent only when it is another one."""
    return require_safe(cache_control(public=True, no_cache=True)(condition(etag_func=version)(view)))


def career_asked(request: HttpRequest, public_id: str) -> tuple[Career, Facts]:
    """Http404 for who was merged, or was not on the list on the day asked for."""
    standing, career = asked_player(request, public_id).shown
    facts = facts_of(career, standing)
    if facts is None:
        raise Http404
    return career, facts


def points_of(career: Career, within: str) -> list[tuple[dt.date, float]]:
    first = since(career, within)
    return [(point.day, point.after or 0) for point in career.rated if point.day >= first]


def grades_of(career: Career) -> list[tuple[dt.date, float, str]]:
    """Grades won, lost or waiting, where the graph marks them."""
    marked = [(point, point["mark"]) for point in graph_of(career) if point["mark"]]
    return [
        (dt.date.fromisoformat(point["date"]), point["rating"], mark["grade"] + SIGNS[mark["kind"]])
        for point, mark in marked
    ]


@picture  # also of a 304: browsers take its headers for those of what they have
@kept_by_browsers
def graph(request: HttpRequest, public_id: str, form: str) -> HttpResponse:
    from portal.charts.base import theme_named  # noqa: PLC0415 - takes half a second to load
    from portal.charts.ratings import Band, Curve, draw_ratings  # noqa: PLC0415 - the same

    career, _ = career_asked(request, public_id)
    points = points_of(career, range_asked(request))
    system = career.rating_list.rating_system
    bands = bands_within(system, [value for _, value in points]) if career.rating_list.graded else []
    first = points[0][0] if points else dt.date.max
    name = f"{career.player} – {career.rating_list.label}"
    figure = draw_ratings(
        [Curve(name, points, [one for one in grades_of(career) if one[0] >= first])],
        theme_named(request.GET.get("theme")),
        bands=[Band(band["grade"], band["from"]) for band in bands],
    )
    return sent(figure, form)


@kept_by_browsers
def card(request: HttpRequest, public_id: str) -> HttpResponse:
    from portal.charts.card import draw_card  # noqa: PLC0415 - takes half a second to load

    career, facts = career_asked(request, public_id)
    told = [rating(facts.rating, career.rating_list), facts.grade]
    figure = draw_card(
        str(career.player), " · ".join(filter(None, told)), career.rating_list.label, points_of(career, "all")
    )
    return sent(figure, "png")


@kept_by_browsers
def history(request: HttpRequest, public_id: str) -> HttpResponse:
    """Every step of a player on a list, oldest first."""
    career, _ = career_asked(request, public_id)
    name = f"{career.player.public_id}-{career.rating_list.slug}.csv"
    response = HttpResponse(
        content_type="text/csv; charset=utf-8", headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
    out = csv.writer(response)
    out.writerow(["date", "event", "before", "after", "change", "games", "grade", "category"])
    for point in career.line:
        out.writerow([
            point.day, guarded(point.what), point.before, point.after, point.change, point.games, point.grade,
            point.category,
        ])  # fmt: skip
    return response
