from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ratings.queries.events import count_players, public_events
from ratings.queries.lists import newest_promotions, public_lists
from ratings.queries.ranks import top_of

NEWEST = 8
TOP, TOP_OF_SEVERAL = 10, 5


def front(request: HttpRequest) -> HttpResponse:
    today = timezone.now().date()
    lists = public_lists().filter(comparison_to=None)
    events = list(public_events()[:NEWEST])
    count_players(events)
    context = {
        "events": events,
        "promotions": newest_promotions(lists, NEWEST),
        "tops": [(one, top_of(one, today, TOP if len(lists) == 1 else TOP_OF_SEVERAL)) for one in lists],
    }
    return render(request, "portal/front.html", context)


def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "portal/privacy.html")
