from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ratings.queries.events.events import public_events, set_player_counts
from ratings.queries.lists.lists import newest_promotions, public_lists
from ratings.queries.lists.ranks import top_of

NEWEST = 8
TOP, TOP_OF_SEVERAL = 10, 5


def front(request: HttpRequest) -> HttpResponse:
    today = timezone.now().date()
    lists = public_lists().filter(comparison_to=None)
    events = list(public_events()[:NEWEST])
    set_player_counts(events)
    context = {
        "events": events,
        "promotions": newest_promotions(lists, NEWEST),
        "tops": [(each, top_of(each, today, TOP if len(lists) == 1 else TOP_OF_SEVERAL)) for each in lists],
    }
    return render(request, "site/front.html", context)


def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "site/privacy.html")
