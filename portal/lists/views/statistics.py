from collections.abc import Callable, Mapping
from operator import itemgetter
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import condition, require_safe

from portal.charts import grades_chart_height, svg_security_policy
from portal.lists.health_limits import name_causes
from portal.lists.health_page import (
    describe_health,
    list_points,
    list_shares,
    list_years,
    panel_change,
    write_health_csv,
)
from portal.site.palette import get_palette
from portal.templatetags.portal_work import waiting_time
from ratings.models import ListStatistics, RatingList
from ratings.queries.lists.answers import read_answers
from ratings.queries.lists.list_cache import cached
from ratings.queries.lists.lists import public_lists
from ratings.queries.lists.statistics import stored_statistics
from ratings.time_zones import find_today

from .lists import get_visible_list

CHART_FIGURES: Mapping[str, Callable[[Mapping[str, Any]], Any]] = {
    "grades": itemgetter("grades"),
    "ratings": itemgetter("classes"),
    "games": itemgetter("years"),
    "players": itemgetter("years"),
    "drift": itemgetter("drift"),
    "calibration": itemgetter("calibration"),
    "panel": lambda figures: figures["health"]["panel"],
    "points": lambda figures: figures["health"]["points"],
    "newcomers": lambda figures: figures["health"]["newcomers"]["points"],
    "losses": lambda figures: figures["forecasts"]["years"],
}
"""Names of the charts, each with the figures that it needs."""


def find_statistics(rating_list: RatingList) -> ListStatistics | None:
    """Return the stored statistics of a list; None until they are computed, or if an earlier release computed them."""
    return stored_statistics().filter(list=rating_list).first()


@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = get_visible_list(request, slug)
    stored = find_statistics(the_list)
    context = {
        "rating_list": the_list,
        "made": stored,
        "figures": stored.figures if stored else None,
        "accuracy": list_accuracy(stored.figures["forecasts"]) if stored and stored.figures["calibration"] else [],
        "grades_height": grades_chart_height(len(stored.figures["grades"])) if stored else None,
        "overtaken": is_overtaken(stored, the_list),
    }
    return render(request, "lists/statistics.html", context)


def is_overtaken(stored: ListStatistics | None, rating_list: RatingList) -> bool:
    """Return True if results have come in since the statistics were computed."""
    return stored is not None and (stored.revision != rating_list.revision or bool(rating_list.out_of_date_from))


@require_safe
def health(request: HttpRequest, slug: str) -> HttpResponse:
    """Show whether a list's ratings keep their meaning over the years."""
    the_list = get_visible_list(request, slug)
    stored = find_statistics(the_list)
    context: dict[str, Any] = {"rating_list": the_list, "made": stored, "overtaken": is_overtaken(stored, the_list)}
    if stored is not None:
        context |= {
            "figures": stored.figures,
            "health": stored.figures["health"],
            "panel_change": panel_change(stored.figures),
            "findings": describe_health(the_list, stored.figures),
            "causes": list(name_causes().values()),
            **list_shares(stored.figures),
            "points": list_points(stored.figures),
            "unseparated_years": [line["year"] for line in stored.figures["health"]["points"] if not line["separated"]],
            "newcomers": stored.figures["health"]["newcomers"]["years"],
            "years": list_years(stored.figures),
        }
    return render(request, "lists/health.html", context | answers_context(the_list))


def answers_context(rating_list: RatingList) -> dict[str, Any]:
    """Return the answers to reports about a list, the day of its next publication and its next closing day."""
    now, today = timezone.now(), find_today(rating_list.federation.time_zone)
    answers = read_answers(rating_list, now)
    return {
        "answers": answers,
        "median_time": waiting_time(now - answers.median) if answers.median is not None else "",
        "next_list": rating_list.source.next_publication(today),
        "closing_day": rating_list.dated_system.on(today).rating.counting_day(today),
    }


@require_safe
def health_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Return the figures of a list's health by year as CSV."""
    the_list = get_visible_list(request, slug)
    stored = find_statistics(the_list)
    if stored is None:
        raise Http404
    headers = {"Content-Disposition": f'attachment; filename="health-{the_list.slug}.csv"'}
    return HttpResponse(write_health_csv(stored.figures), content_type="text/csv; charset=utf-8", headers=headers)


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
    stored = find_statistics(the_list)
    if stored is None or chart not in CHART_FIGURES or not CHART_FIGURES[chart](stored.figures):
        raise Http404
    (theme, width), house = theme_and_width(request), the_list.federation.house

    def draw() -> bytes:
        from portal.charts.statistics import draw_chart  # noqa: PLC0415 - takes half a second to load

        return draw_chart(chart, stored.figures, get_palette(theme, house), narrow=width == "narrow")

    name = f"chart {chart} {theme} {width} {get_language()}"
    drawing = cached(the_list, name, draw, detail=f"{stored.computed_at} {house}")
    return HttpResponse(drawing, content_type="image/svg+xml")
