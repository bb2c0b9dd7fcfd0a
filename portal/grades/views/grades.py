from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from portal.grades.filters import PromotionFilter
from portal.grades.promotion_counts import count_years, group_by_month
from portal.lists.views.lists import PER_PAGE, get_visible_list
from ratings.models import RatingList
from ratings.queries.grades.awards import waiting_awards
from ratings.queries.lists.lists import holders, holders_of

HIGHEST, HOLDERS, BARS = 3, 100, 8


def graded_list(request: HttpRequest, slug: str) -> RatingList:
    the_list = get_visible_list(request, slug)
    if not the_list.has_grades:
        raise Http404
    return the_list


def grades(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the grade scale of a list, the holders of each grade, and how often it was won."""
    the_list = graded_list(request, slug)
    system, held, years = the_list.rating_system, holders(the_list), count_years(the_list)
    scale, order = system.presentation.rules().grades, list(reversed(system.grading.grades))
    highest = [grade for grade in order if grade in held][:HIGHEST]
    context = {
        "rating_list": the_list,
        "scale": scale,
        "rows": [(list(zip(scale.columns, row, strict=True)), held.get(str(row[0]), 0)) for row in scale.rows]
        if scale
        else [],
        "highest": holders_of(the_list, highest)[:HOLDERS],
        "years": years,
        "most_in_a_year": max((year.total for year in years), default=0),
    }
    return render(request, "grades/grades.html", context)


def promotions(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the promotions on a list by month, the grades that await approval, and how many hold each grade."""
    the_list = get_visible_list(request, slug)
    years = count_years(the_list) if the_list.has_grades else []
    chosen = PromotionFilter(request.GET, the_list, [year.year for year in years])
    page = Paginator(chosen.qs, PER_PAGE).get_page(request.GET.get("page"))
    held = holders(the_list) if the_list.has_grades else {}
    system, this_year = the_list.rating_system, timezone.localdate().year
    scale = system.presentation.rules().grades
    context = {
        "rating_list": the_list,
        "filter": chosen,
        "page": page,
        "months": group_by_month(the_list, page.object_list, chosen.qs),
        "years": years,
        "this_year": next((year for year in years if year.year == this_year), None),
        "total": sum(year.total for year in years),
        "waiting": waiting_awards(the_list) if system.grading.grades_needing_approval else [],
        "held": [(grade, held[grade]) for grade in reversed(system.grading.grades) if grade in held][:BARS],
        "most_held": max(held.values(), default=0),
        "scale": scale,
    }
    return render(request, "grades/promotions.html", context)
