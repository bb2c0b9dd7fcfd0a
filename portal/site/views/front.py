from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString

from portal.events.event_tables import STORY, event_tables
from portal.templatetags.portal_format import sorted_countries
from ratings.models import Event, Federation, RatingList
from ratings.queries.events.crosstables import rated_tables
from ratings.queries.events.events import announced_events, public_events, set_player_counts
from ratings.queries.lists.choices import choices_of
from ratings.queries.lists.lists import newest_promotions, public_lists
from ratings.queries.lists.ranks import top_of

NEWEST, COMING = 8, 6
TOP, TOP_OF_SEVERAL = 10, 5
MAX_TABLES = 3
"""Number of tables up to which the latest event is told as a story."""


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
    story = _tell_latest_result(events[0], lists[0]) if events and len(lists) == 1 else SafeString()
    announced = announced_events(today)
    coming = list((announced if federation is None else announced.filter(lists__in=lists).distinct())[:COMING])
    set_player_counts(events)
    context = {
        "federation": federation,
        "latest": events[0] if story else None,
        "story": story,
        "events": events[1:] if story else events,
        "countries": sorted_countries(choices_of(lists[0]).countries) if len(lists) == 1 else [],
        "coming": coming,
        "days_until": (coming[0].start - today).days if coming else None,
        "today": today,
        "promotions": newest_promotions(lists, NEWEST),
        "tops": [(each, top_of(each, today, TOP if len(lists) == 1 else TOP_OF_SEVERAL)) for each in lists],
    }
    return render(request, "site/front.html", context)


def _tell_latest_result(event: Event, rating_list: RatingList) -> SafeString:
    """Return the podium and the highlights of the latest event as HTML; empty if it has neither."""
    tables = rated_tables(event, rating_list)
    story = event_tables(event, rating_list, tables, STORY) if len(tables) <= MAX_TABLES else SafeString()
    return story if story.strip() else SafeString()


def privacy(request: HttpRequest) -> HttpResponse:
    return render(request, "site/privacy.html")
