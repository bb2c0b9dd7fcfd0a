import datetime as dt
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_countries import countries as all_countries
from django_tables2 import RequestConfig

from portal.players.listings.countries import CountryListing
from ratings.models import RatingList
from ratings.queries.events.events import public_events
from ratings.queries.lists.lists import public_lists
from ratings.queries.lists.recent_changes import TopPlayer, add_recent_changes
from ratings.queries.players.clubs import open_clubs_of
from ratings.queries.players.countries import best_of, countries_on, promotions_in, statistics_of_lists

NEWEST, BEST, CLUBS = 8, 10, 20
OnList = tuple[RatingList, dict[str, Any]]


@require_safe
def countries(request: HttpRequest) -> HttpResponse:
    lists = statistics_of_lists(public_lists().filter(comparison_to=None))
    requested = [pair for pair in lists if pair[0].slug == request.GET.get("list")]
    current, figures = next(iter([*requested, *lists]), (None, None))
    context: dict[str, Any] = {
        "lists": [rating_list for rating_list, _ in lists],
        "rating_list": current,
        "figures": figures,
        "day": dt.date.fromisoformat(figures["day"]) if figures else None,
        "query": f"?list={current.slug}" if current and len(lists) > 1 else "",
    }
    if current is not None:
        listing = CountryListing(current, countries_on(figures), context["query"])
        RequestConfig(request, paginate=False).configure(listing)
        context |= {"listing": listing, "table": listing.as_html(request) if listing.rows else ""}
    return render(request, "players/countries.html", context)


@require_safe
def country(request: HttpRequest, code: str) -> HttpResponse:
    if code.upper() not in all_countries:
        raise Http404
    if not code.isupper():
        return redirect("country", code.upper(), permanent=True)
    statistics = statistics_of_lists(public_lists().filter(comparison_to=None))
    lists = lists_with_country(code, statistics)
    rating_list = choose_list(lists, request.GET.get("list"))
    context = {
        "code": code,
        "lists": lists,
        "is_computing": any(figures is None for _, figures in statistics),
        "rating_list": rating_list,
        "figures": next((line for each, line in lists if each == rating_list), None),
        "best": best_players(code, rating_list) if rating_list else [],
        "clubs": open_clubs_of(code)[: CLUBS + 1],
        "most_clubs": CLUBS,
        "events": public_events().filter(country=code)[:NEWEST],
        "promotions": promotions_in(code, rating_list)[:NEWEST] if rating_list and rating_list.has_grades else [],
    }
    return render(request, "players/country.html", context)


def best_players(code: str, rating_list: RatingList) -> list[TopPlayer]:
    today = timezone.localdate()
    return add_recent_changes(rating_list, best_of(code, rating_list, today, BEST), today)


def lists_with_country(code: str, statistics: list[tuple[RatingList, dict[str, Any] | None]]) -> list[OnList]:
    """Return the lists with players of a country, each with its statistics of that country."""
    lines = [(rating_list, line) for rating_list, figures in statistics if figures for line in figures["countries"]]
    return [(rating_list, line) for rating_list, line in lines if line["country"] == code]


def choose_list(lists: list[OnList], slug: str | None) -> RatingList | None:
    """Return the list with this slug, else the one with the most active players."""
    requested = next((rating_list for rating_list, _ in lists if rating_list.slug == slug), None)
    return requested or max(lists, key=lambda pair: (pair[1]["active"], pair[1]["players"]), default=(None, None))[0]
