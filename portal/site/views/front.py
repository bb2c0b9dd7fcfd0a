import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from portal.site.federation_identity import crest_address
from portal.site.front_sections import (
    build_latest_story,
    find_upset_of_year,
    read_countries,
    read_rising_players,
)
from ratings.models import Event, Federation, RatingList
from ratings.queries.events.events import (
    announced_events,
    filter_by_lists,
    public_events,
    read_last_and_next_events,
    set_player_counts,
)
from ratings.queries.events.table_facts import add_winners
from ratings.queries.lists.lists import newest_promotions, public_lists, set_promotion_counts
from ratings.queries.lists.period_changes import NO_SINGLE_CAUSE
from ratings.queries.lists.ranks import ranks_of, top_of
from ratings.queries.lists.recent_changes import TopPlayer, add_recent_changes
from ratings.queries.lists.rises import read_rises_of_lists
from ratings.time_zones import activate_zone

NEWEST, COMING = 6, 6
TOP, TOP_OF_CARD, RISING, RISING_OF_LIST, NEW_GRADES = 10, 3, 4, 1, 4


class FederationCard(NamedTuple):
    """A federation on the front page of the portal, with its lists and the best players of the first one."""

    federation: Federation
    crest: str
    lists: Sequence[RatingList]
    players: int
    top: list[TopPlayer]
    last: Event | None
    next: Event | None


def front(request: HttpRequest) -> HttpResponse:
    """Show the front page: that of the only federation, or one for all."""
    return render_front(request, None)


def render_front(request: HttpRequest, federation: Federation | None) -> HttpResponse:
    """Return the front page of a federation, or that of the portal if there are several."""
    lists = public_lists().filter(comparison_to=None)
    if federation is not None:
        lists = lists.filter(federation=federation)
    shown = list(lists)
    activate_zone(rating_list.federation.time_zone for rating_list in shown)
    today = timezone.localdate()
    if len({rating_list.federation_id for rating_list in shown}) > 1:
        return render(request, "site/portal_front.html", _portal_context(shown, today))
    return render(request, "site/front.html", _federation_context(federation, shown, today))


def _federation_context(federation: Federation | None, lists: list[RatingList], today: dt.date) -> dict[str, Any]:
    events = list(filter_by_lists(public_events(), lists)[:NEWEST])
    story = build_latest_story(events[0], lists) if events else None
    set_player_counts(events)
    set_promotion_counts(events)
    return _coming_context(lists, today) | {
        "federation": federation,
        "has_users": bool(lists) or User.objects.exists(),
        "latest": story,
        "events": add_winners(events[1:] if story else events),
        "upset": find_upset_of_year(lists, today),
        "countries": read_countries(lists),
        "promotions": newest_promotions(lists, NEW_GRADES),
        "rising": read_rising_players(lists, today, RISING),
        "tops": [(each, add_recent_changes(each, top_of(each, today, TOP), today)) for each in lists],
    }


def _portal_context(lists: list[RatingList], today: dt.date) -> dict[str, Any]:
    events = list(public_events()[:NEWEST])
    set_player_counts(events)
    set_promotion_counts(events)
    federations = dict.fromkeys(rating_list.federation for rating_list in lists)
    last_and_next = read_last_and_next_events(lists, today)
    rising = [(each, rise) for each, rises in read_rises_of_lists(lists, today, RISING_OF_LIST) for rise in rises]
    return _coming_context(lists, today) | {
        "cards": [
            _describe_federation(
                federation,
                [each for each in lists if each.federation == federation],
                today,
                *last_and_next[federation.pk],
            )
            for federation in federations
        ],
        "events": add_winners(events),
        "rising": rising,
        "causes": dict.fromkeys((rise.player.pk for _, rise in rising), NO_SINGLE_CAUSE),
        "promotions": newest_promotions(lists, NEW_GRADES),
    }


def _describe_federation(
    federation: Federation, lists: list[RatingList], today: dt.date, last: Event | None, following: Event | None
) -> FederationCard:
    return FederationCard(
        federation,
        crest_address(federation),
        lists,
        len(ranks_of(lists[0], today)),
        add_recent_changes(lists[0], top_of(lists[0], today, TOP_OF_CARD), today),
        last,
        following,
    )


def _coming_context(lists: list[RatingList], today: dt.date) -> dict[str, Any]:
    coming = list(filter_by_lists(announced_events(today), lists)[:COMING])
    return {"coming": coming, "days_until": (coming[0].start - today).days if coming else None, "today": today}
