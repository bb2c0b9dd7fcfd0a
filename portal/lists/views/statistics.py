from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from portal.charts import height_of_grades, picture
from ratings.models import ListStatistics
from ratings.queries.lists import public_lists

from .lists import shown_list

KEPT = 24 * 60 * 60  # seconds; a chart of newer figures has another key
NEEDS = {
    "grades": "grades",
    "ratings": "classes",
    "games": "years",
    "players": "years",
    "drift": "drift",
    "calibration": "calibration",
}
"""The charts there are, each with the figures without which there is none."""


@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = shown_list(request, slug)
    made = ListStatistics.objects.filter(list=the_list).first()
    context = {
        "rating_list": the_list,
        "made": made,
        "figures": made.figures if made else None,
        "grades_height": height_of_grades(len(made.figures["grades"])) if made else None,
        "overtaken": made is not None and (made.revision != the_list.revision or bool(the_list.out_of_date_from)),
    }
    return render(request, "portal/statistics.html", context)


def version_of(request: HttpRequest, slug: str, chart: str) -> str | None:
    """What a chart hangs on: the figures, its look and the language."""
    made = ListStatistics.objects.filter(list__slug=slug, list__in=public_lists())
    known = made.values_list("list", "computed_at").first()
    asked = "-".join((chart, *look_of(request), get_language() or ""))
    return known and f'"{known[0]}-{known[1]:%Y%m%d%H%M%S%f}-{asked}"'


def look_of(request: HttpRequest) -> tuple[str, str]:
    theme = "dark" if request.GET.get("theme") == "dark" else "light"
    return theme, "narrow" if request.GET.get("narrow") == "1" else "wide"


@picture  # also of a 304
@require_safe
@cache_control(public=True, no_cache=True)
@condition(etag_func=version_of)
def statistics_chart(request: HttpRequest, slug: str, chart: str) -> HttpResponse:
    """A chart as a picture; those of public lists are kept."""
    version = version_of(request, slug, chart)
    drawing = cache.get(f"statistics:{version}") if version else None
    if drawing is None:
        drawing = drawn(request, slug, chart)
        if version:
            cache.set(f"statistics:{version}", drawing, KEPT)
    return HttpResponse(drawing, content_type="image/svg+xml")


def drawn(request: HttpRequest, slug: str, chart: str) -> bytes:
    made = ListStatistics.objects.filter(list=shown_list(request, slug)).first()
    if made is None or chart not in NEEDS or not made.figures[NEEDS[chart]]:
        raise Http404
    from portal.charts.base import theme_named  # noqa: PLC0415 - takes half a second to load
    from portal.charts.statistics import chart_of  # noqa: PLC0415 - the same

    theme, width = look_of(request)
    return chart_of(chart, made.figures, theme_named(theme), narrow=width == "narrow")
