from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_countries import countries

from portal.addresses import at_its_address, by_public_id
from portal.listings.clubs import MemberListing
from portal.listings.paging import configured
from portal.templatetags.portal_format import countries_by_name
from ratings.models import Club, RatingList
from ratings.queries.clubs import (
    Strength,
    club_lines,
    clubs_of_country,
    countries_with_clubs,
    events_of,
    members_on,
    promotions_of_members,
)
from ratings.queries.lists import public_lists

PER_PAGE, MEMBERS = 25, 50
NEWEST = 8
LONGEST = 100  # of a name to look for


@require_safe
def clubs(request: HttpRequest) -> HttpResponse:
    country, name = request.GET.get("country", ""), request.GET.get("q", "")[:LONGEST].replace("\0", "")
    known = countries_by_name(countries_with_clubs())
    asked = country if country in countries else ""
    chosen = clubs_of_country(asked, name, () if asked else [code for _, code in known])
    page = Paginator(chosen, PER_PAGE).get_page(request.GET.get("page"))
    lists = list(public_lists().filter(comparison_to=None))
    context = {
        "page": page,
        "lines": club_lines(list(page.object_list), lists, timezone.now().date()),
        "countries": known,
        "country": country,
        "q": name,
    }
    return render(request, "portal/clubs.html", context)


@require_safe
def club(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    the_club = by_public_id(Club.objects.all(), public_id)
    if request.path != the_club.get_absolute_url():
        return at_its_address(request, the_club.get_absolute_url())
    lists = list(public_lists().filter(comparison_to=None))
    (line,) = club_lines([the_club], lists, timezone.now().date())
    shown = chosen_list(line.strengths, request.GET.get("list"))
    members = MemberListing(shown, members_on(the_club, shown))
    configured(request, members, MEMBERS)
    context = {
        "club": the_club,
        "line": line,
        "rating_list": shown,
        "members": members,
        "table": members.as_html(request) if line.members else "",
        "events": events_of(the_club)[:NEWEST],
        "promotions": promotions_of_members(the_club)[:NEWEST],
    }
    return render(request, "portal/club.html", context)


def chosen_list(strengths: list[Strength], slug: str | None) -> RatingList | None:
    """The list asked for, else the one on which most members are rated."""
    asked = next((one.rating_list for one in strengths if one.rating_list.slug == slug), None)
    most = max(strengths, key=lambda one: one.rated, default=None)
    return asked or (most.rating_list if most else None)
