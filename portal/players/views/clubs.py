from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.players.filters import ClubFilter
from portal.players.listings.clubs import MemberListing
from portal.site.public_ids import by_public_id, redirect_to_current
from portal.site.table_paging import sort_and_paginate
from portal.templatetags.portal_format import sorted_countries
from ratings.models import Club
from ratings.queries.lists.lists import public_lists
from ratings.queries.players.clubs import (
    Strength,
    club_lines,
    countries_with_clubs,
    events_of,
    members_on,
    promotions_of_members,
)

PER_PAGE, MEMBERS = 25, 50
NEWEST = 8


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    lists = list(public_lists().filter(comparison_to=None))
    chosen = ClubFilter(request.GET, sorted_countries(countries_with_clubs()), lists)
    page = Paginator(chosen.qs, PER_PAGE).get_page(request.GET.get("page"))
    lines = club_lines(list(page.object_list), lists, timezone.localdate())
    rating_list = chosen.rating_list
    slug = rating_list.slug if rating_list else None
    context = {
        "page": page,
        "lines": [(line, choose_strength(line.strengths, slug)) for line in lines],
        "filter": chosen,
        "rating_list": rating_list,
        "names_lists": len(lists) > 1 and rating_list is None,
        "query": f"?list={rating_list.slug}" if rating_list else "",
    }
    return render(request, "players/clubs.html", context)


@require_safe
def club(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    the_club = by_public_id(Club.objects.all(), public_id)
    if request.path != the_club.get_absolute_url():
        return redirect_to_current(request, the_club.get_absolute_url())
    lists = list(public_lists().filter(comparison_to=None))
    (line,) = club_lines([the_club], lists, timezone.localdate())
    strength = choose_strength(line.strengths, request.GET.get("list"))
    rating_list = strength.rating_list if strength else None
    members = MemberListing(rating_list, members_on(the_club, rating_list))
    sort_and_paginate(request, members, MEMBERS)
    context = {
        "club": the_club,
        "line": line,
        "rating_list": rating_list,
        "strength": strength,
        "members": members,
        "table": members.as_html(request) if line.members else "",
        "events": events_of(the_club)[:NEWEST],
        "promotions": promotions_of_members(the_club)[:NEWEST],
    }
    return render(request, "players/club.html", context)


def choose_strength(strengths: list[Strength], slug: str | None) -> Strength | None:
    """Return the strength on the list with this slug, else on the one with most rated members; None without any."""
    requested = next((strength for strength in strengths if strength.rating_list.slug == slug), None)
    return requested or max(strengths, key=lambda strength: strength.rated, default=None)
