from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render

from ratings.models import Club
from ratings.queries.clubs import club_members, clubs_with_members


def clubs(request: HttpRequest) -> HttpResponse:
    return render(request, "portal/clubs.html", {"clubs": clubs_with_members()})


def club(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    the_club = get_object_or_404(Club, public_id=public_id)
    if request.path != the_club.get_absolute_url():
        return redirect(the_club, permanent=True)
    return render(request, "portal/club.html", {"club": the_club, "members": club_members(the_club)})
