from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_countries import countries

from portal.players.listings.clubs import MemberListing
from portal.site.public_ids import by_public_id, redirect_to_current
from portal.site.table_paging import sort_and_paginate
from portal.templatetags.portal_format import sorted_countries
from ratings.models import Club, RatingList
from ratings.queries.lists.lists import public_lists
from ratings.queries.players.clubs import (
    Strength,
    club_lines,
    clubs_of_country,
    countries_with_clubs,
    events_of,
    members_on,
    promotions_of_members,
)

PER_PAGE, MEMBERS = 25, 50
NEWEST = 8
MAX_NAME_LENGTH = 100  # characters of a name to search for


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    country, name = request.GET.get("country", ""), request.GET.get("q", "")[:MAX_NAME_LENGTH].replace("\0", "")
    known = sorted_countries(countries_with_clubs())
    valid_country = country if country in countries else ""
    matching_clubs = clubs_of_country(valid_country, name, () if valid_country else [code for _, code in known])
    page = Paginator(matching_clubs, PER_PAGE).get_page(request.GET.get("page"))
    lists = list(public_lists().filter(comparison_to=None))
    context = {
        "page": page,
        "lines": club_lines(list(page.object_list), lists, timezone.now().date()),
        "countries": known,
        "country": country,
        "q": name,
    }
    return render(request, "players/clubs.html", context)


@require_safe
def club(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    the_club = by_public_id(Club.objects.all(), public_id)
    if request.path != the_club.get_absolute_url():
        return redirect_to_current(request, the_club.get_absolute_url())
    lists = list(public_lists().filter(comparison_to=None))
    (line,) = club_lines([the_club], lists, timezone.now().date())
    rating_list = choose_list(line.strengths, request.GET.get("list"))
    members = MemberListing(rating_list, members_on(the_club, rating_list))
    sort_and_paginate(request, members, MEMBERS)
    context = {
        "club": the_club,
        "line": line,
        "rating_list": rating_list,
        "members": members,
        "table": members.as_html(request) if line.members else "",
        "events": events_of(the_club)[:NEWEST],
        "promotions": promotions_of_members(the_club)[:NEWEST],
    }
    return render(request, "players/club.html", context)


def choose_list(strengths: list[Strength], slug: str | None) -> RatingList | None:
    """Return the list with this slug, else the one on which most members are rated."""
    requested = next((strength.rating_list for strength in strengths if strength.rating_list.slug == slug), None)
    largest = max(strengths, key=lambda strength: strength.rated, default=None)
    return requested or (largest.rating_list if largest else None)
