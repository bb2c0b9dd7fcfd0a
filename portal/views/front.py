from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ratings.queries.events import public_events
from ratings.queries.lists import promotions, public_lists, published_standings

NEWEST = 8
TOP, TOP_OF_SEVERAL = 10, 5


def front(request: HttpRequest) -> HttpResponse:
    today = timezone.now().date()
    lists = public_lists().filter(comparison_to=None)
    context = {
        "events": public_events()[:NEWEST],
        "promotions": promotions()[:NEWEST],
        "tops": [(one, published_standings(one, today)[: TOP if len(lists) == 1 else TOP_OF_SEVERAL]) for one in lists],
    }
    return render(request, "portal/front.html", context)


def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "portal/privacy.html")
