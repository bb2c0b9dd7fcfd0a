from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from portal.grades.filters import PromotionFilter
from portal.grades.listings import PromotionListing
from portal.lists.views.lists import PER_PAGE, get_visible_list
from portal.site.table_paging import sort_and_paginate
from ratings.models import RatingList
from ratings.queries.lists.lists import holders, holders_of, promotions_by_year

HIGHEST, HOLDERS = 3, 100


def graded_list(request: HttpRequest, slug: str) -> RatingList:
    the_list = get_visible_list(request, slug)
    if not the_list.has_grades:
        raise Http404
    return the_list


def grades(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the grade scale of a list, the holders of each grade, and how often it was won."""
    the_list = graded_list(request, slug)
    system, held, years = the_list.rating_system, holders(the_list), promotions_by_year(the_list)
    scale, order = system.presentation.rules().grades, list(reversed(system.grading.grades))
    won = [grade for grade in order if any(grade in year for year in years.values())]
    highest = [grade for grade in order if grade in held][:HIGHEST]
    totals = {year: sum(numbers.values()) for year, numbers in years.items()}
    context = {
        "rating_list": the_list,
        "scale": scale,
        "rows": [(row, held.get(str(row[0]), 0)) for row in scale.rows] if scale else [],
        "highest": holders_of(the_list, highest)[:HOLDERS],
        "won": won,
        "years": [(year, totals[year], [years[year].get(grade, "") for grade in won]) for year in years],
        "most_in_a_year": max(totals.values(), default=0),
    }
    return render(request, "grades/grades.html", context)


def promotions(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = get_visible_list(request, slug)
    chosen = PromotionFilter(request.GET, the_list)
    listing = PromotionListing(the_list, chosen.qs)
    sort_and_paginate(request, listing, PER_PAGE)
    return render(request, "grades/promotions.html", {"rating_list": the_list, "filter": chosen, "listing": listing})
