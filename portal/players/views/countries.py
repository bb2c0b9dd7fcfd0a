from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_countries import countries as all_countries
from django_tables2 import RequestConfig

from portal.listings.countries import CountryListing
from ratings.models import RatingList
from ratings.queries.clubs import clubs_of_country
from ratings.queries.countries import best_of, countries_on, promotions_in, statistics_of_lists
from ratings.queries.events import public_events
from ratings.queries.lists import public_lists

NEWEST, BEST, CLUBS = 8, 10, 20
OnList = tuple[RatingList, dict[str, Any]]


@require_safe
def countries(request: HttpRequest) -> HttpResponse:
    lists = statistics_of_lists(public_lists().filter(comparison_to=None))
    asked = [one for one in lists if one[0].slug == request.GET.get("list")]
    shown, figures = next(iter([*asked, *lists]), (None, None))
    context: dict[str, Any] = {"lists": [one for one, _ in lists], "rating_list": shown, "figures": figures}
    if shown is not None:
        listing = CountryListing(shown, countries_on(figures))
        RequestConfig(request, paginate=False).configure(listing)
        context["listing"] = listing
    return render(request, "portal/countries.html", context)


@require_safe
def country(request: HttpRequest, code: str) -> HttpResponse:
    if code.upper() not in all_countries:
        raise Http404
    if not code.isupper():
        return redirect("country", code.upper(), permanent=True)
    lists = on_lists(code)
    shown = chosen(lists, request.GET.get("list"))
    context = {
        "code": code,
        "lists": lists,
        "rating_list": shown,
        "best": best_of(code, shown, timezone.now().date(), BEST) if shown else [],
        "clubs": clubs_of_country(code).filter(closed=None)[: CLUBS + 1],
        "most_clubs": CLUBS,
        "events": public_events().filter(country=code)[:NEWEST],
        "promotions": promotions_in(code, shown)[:NEWEST] if shown and shown.graded else [],
    }
    return render(request, "portal/country.html", context)


def on_lists(code: str) -> list[OnList]:
    """The lists that have players of a country, with their figures of it."""
    several = statistics_of_lists(public_lists().filter(comparison_to=None))
    lines = [(one, line) for one, figures in several if figures for line in figures["countries"]]
    return [(one, line) for one, line in lines if line["country"] == code]


def chosen(lists: list[OnList], slug: str | None) -> RatingList | None:
    """The list asked for, else the one with most active players."""
    asked = next((one for one, _ in lists if one.slug == slug), None)
    return asked or max(lists, key=lambda one: (one[1]["active"], one[1]["players"]), default=(None, None))[0]
