from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from portal.forms import PromotionFilter
from portal.listings.paging import configured
from portal.listings.promotions import PromotionListing
from ratings.models import RatingList
from ratings.queries.lists import holders, holders_of, promotions_by_year

from .lists import PER_PAGE, shown_list

HIGHEST, HOLDERS = 3, 100


def graded_list(request: HttpRequest, slug: str) -> RatingList:
    the_list = shown_list(request, slug)
    if not the_list.graded:
        raise Http404
    return the_list


def grades(request: HttpRequest, slug: str) -> HttpResponse:
    """The scale of a list's grades, who holds them, and how often they were won."""
    the_list = graded_list(request, slug)
    scale, held, years = the_list.rating_system.rules().grades, holders(the_list), promotions_by_year(the_list)
    order = list(reversed(the_list.rating_system.grades))
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
    return render(request, "portal/grades.html", context)


def promotions(request: HttpRequest, slug: str) -> HttpResponse:
    the_list = shown_list(request, slug)
    chosen = PromotionFilter(request.GET, the_list)
    listing = PromotionListing(the_list, chosen.qs)
    configured(request, listing, PER_PAGE)
    return render(request, "portal/promotions.html", {"rating_list": the_list, "filter": chosen, "listing": listing})
