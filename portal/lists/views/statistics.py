from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from portal.charts import grades_chart_height, svg_security_policy
from ratings.models import ListStatistics
from ratings.queries.lists.list_cache import cached
from ratings.queries.lists.lists import public_lists

from .lists import get_visible_list

CHART_FIGURES = {
    "grades": "grades",
    "ratings": "classes",
    "games": "years",
    "players": "years",
    "drift": "drift",
    "calibration": "calibration",
}
"""Names of the charts, each with the name of the figures that it needs."""


@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = get_visible_list(request, slug)
    stored = ListStatistics.objects.filter(list=the_list).first()
    context = {
        "rating_list": the_list,
        "made": stored,
        "figures": stored.figures if stored else None,
        "accuracy": list_accuracy(stored.figures["forecasts"]) if stored and stored.figures["calibration"] else [],
        "grades_height": grades_chart_height(len(stored.figures["grades"])) if stored else None,
        "overtaken": stored is not None and (stored.revision != the_list.revision or bool(the_list.out_of_date_from)),
    }
    return render(request, "lists/statistics.html", context)


def list_accuracy(forecasts: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any], bool]]:
    """Return the label and the scores of each group of games, and whether it spans all years; the latest year first."""
    groups = [(_("all rated players"), "all")]
    if forecasts["provisional"]:
        groups += [(_("two established players"), "established"), (_("a provisional player"), "provisional")]
    totals = [(label, forecasts[key], True) for label, key in groups if forecasts[key]]
    return [*totals, *((str(line["year"]), line, False) for line in reversed(forecasts["years"]))]


def get_etag(request: HttpRequest, slug: str, chart: str) -> str | None:
    """Return the ETag of a chart, from the release, its figures, colours, width and language."""
    stored = ListStatistics.objects.filter(list__slug=slug, list__in=public_lists())
    row = stored.values_list("list", "computed_at", "list__federation__house").first()
    look = "-".join((settings.RELEASE[:12], chart, *theme_and_width(request), get_language() or ""))
    return row and f'"{row[0]}-{row[1]:%Y%m%d%H%M%S%f}-{row[2]}-{look}"'


def theme_and_width(request: HttpRequest) -> tuple[str, str]:
    theme = "dark" if request.GET.get("theme") == "dark" else "light"
    return theme, "narrow" if request.GET.get("narrow") == "1" else "wide"


@svg_security_policy  # also for a 304: browsers apply its headers to their cached copy
@require_safe
@cache_control(public=True, no_cache=True)
@condition(etag_func=get_etag)
def statistics_chart(request: HttpRequest, slug: str, chart: str) -> HttpResponse:
    """Return a chart as SVG."""
    the_list = get_visible_list(request, slug)
    stored = ListStatistics.objects.filter(list=the_list).first()
    if stored is None or chart not in CHART_FIGURES or not stored.figures[CHART_FIGURES[chart]]:
        raise Http404
    (theme, width), house = theme_and_width(request), the_list.federation.house

    def draw() -> bytes:
        from portal.charts.base import get_theme  # noqa: PLC0415 - takes half a second to load
        from portal.charts.statistics import draw_chart  # noqa: PLC0415 - also slow to load

        return draw_chart(chart, stored.figures, get_theme(theme, house), narrow=width == "narrow")

    name = f"chart {chart} {theme} {width} {get_language()}"
    drawing = cached(the_list, name, draw, detail=f"{stored.computed_at} {house}")
    return HttpResponse(drawing, content_type="image/svg+xml")
