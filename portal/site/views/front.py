from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from ratings.models import Federation
from ratings.queries.events.events import announced_events, public_events, set_player_counts
from ratings.queries.lists.lists import newest_promotions, public_lists
from ratings.queries.lists.ranks import top_of

NEWEST, COMING = 8, 6
TOP, TOP_OF_SEVERAL = 10, 5


def front(request: HttpRequest) -> HttpResponse:
    """Show the front page: that of the only federation, or one for all."""
    return render_front(request, None)


def render_front(request: HttpRequest, federation: Federation | None) -> HttpResponse:
    """Return the front page of a federation, or of all lists."""
    today = timezone.now().date()
    lists = public_lists().filter(comparison_to=None)
    shown_events = public_events()
    if federation is not None:
        lists = lists.filter(federation=federation)
        shown_events = shown_events.filter(lists__in=lists).distinct()
    events = list(shown_events[:NEWEST])
    announced = announced_events(today)
    coming = list((announced if federation is None else announced.filter(lists__in=lists).distinct())[:COMING])
    set_player_counts(events)
    context = {
        "federation": federation,
        "events": events,
        "coming": coming,
        "days_until": (coming[0].start - today).days if coming else None,
        "today": today,
        "promotions": newest_promotions(lists, NEWEST),
        "tops": [(each, top_of(each, today, TOP if len(lists) == 1 else TOP_OF_SEVERAL)) for each in lists],
    }
    return render(request, "site/front.html", context)


def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "site/privacy.html")
