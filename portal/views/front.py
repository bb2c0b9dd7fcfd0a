from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ratings.models import RatingList
from ratings.queries.events import public_events
from ratings.queries.lists import promotions, published_standings

NEWEST = 8
TOP = 10


def front(request: HttpRequest) -> HttpResponse:
    first = RatingList.objects.first()
    today = timezone.now().date()
    context = {
        "rating_list": first,
        "events": public_events()[:NEWEST],
        "promotions": promotions()[:NEWEST],
        "top": published_standings(first, today)[:TOP] if first else [],
    }
    return render(request, "portal/front.html", context)
