import datetime as dt
from collections.abc import Sequence
from typing import Any, NamedTuple

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString

from portal.events.event_tabs import render_story
from portal.events.highlights import describe_upset_of_year
from portal.lists.sparkline import draw_sparkline
from portal.site.federation_identity import crest_address
from portal.templatetags.portal_format import sorted_countries
from ratings.models import Event, Federation, RatingList
from ratings.queries.events.crosstables import rated_tables
from ratings.queries.events.events import (
    announced_events,
    public_events,
    read_last_and_next_events,
    set_player_counts,
)
from ratings.queries.events.table_facts import add_winners, read_biggest_upset
from ratings.queries.lists.choices import choices_of
from ratings.queries.lists.lists import newest_promotions, public_lists, set_promotion_counts
from ratings.queries.lists.period_changes import read_period_causes
from ratings.queries.lists.ranks import ranks_of, top_of
from ratings.queries.lists.recent_changes import TopPlayer, add_last_tables, read_points_of_year
from ratings.queries.lists.rises import PERIOD, read_rises
from ratings.queries.players.countries import statistics_of_lists
from ratings.time_zones import activate_zone

NEWEST, COMING = 6, 6
TOP, TOP_OF_CARD, RISING, NEW_GRADES = 10, 3, 4, 4
YEAR = dt.timedelta(days=365)
MAX_TABLES = 3
"""Number of tables up to which the latest event is told as a story."""


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
    first = next(iter(lists), None)
    events = list(public_events().filter(lists__in=lists).distinct()[:NEWEST])
    story = _describe_latest_result(events[0], lists[0]) if events and len(lists) == 1 else SafeString()
    set_player_counts(events)
    set_promotion_counts(events)
    rises = read_rises(first, today, RISING) if first else []
    rising, start = [rise.player.pk for rise in rises], today - PERIOD - dt.timedelta(days=1)
    points = read_points_of_year(first, rising, today) if first and rising else {}
    return _coming_context(lists, today) | {
        "federation": federation,
        "has_users": bool(lists) or User.objects.exists(),
        "latest": events[0] if story else None,
        "story": story,
        "events": add_winners(events[1:] if story else events),
        "upset": _describe_upset(lists[0], today) if len(lists) == 1 else None,
        "countries": _list_countries(first) if first and len(lists) == 1 else [],
        "promotions": newest_promotions(lists, NEW_GRADES),
        "rises": [(rise, draw_sparkline(points.get(rise.player.pk, ()), today)) for rise in rises],
        "rise_tables": read_period_causes(first, rising, start, today) if first and rising else {},
        "tops": [(each, add_last_tables(each, top_of(each, today, TOP), today)) for each in lists],
    }


def _portal_context(lists: list[RatingList], today: dt.date) -> dict[str, Any]:
    events = list(public_events()[:NEWEST])
    set_player_counts(events)
    set_promotion_counts(events)
    federations = dict.fromkeys(rating_list.federation for rating_list in lists)
    last_and_next = read_last_and_next_events(lists, today)
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
    }


def _describe_federation(
    federation: Federation, lists: list[RatingList], today: dt.date, last: Event | None, following: Event | None
) -> FederationCard:
    return FederationCard(
        federation,
        crest_address(federation),
        lists,
        len(ranks_of(lists[0], today)),
        add_last_tables(lists[0], top_of(lists[0], today, TOP_OF_CARD), today),
        last,
        following,
    )


def _coming_context(lists: list[RatingList], today: dt.date) -> dict[str, Any]:
    coming = list(announced_events(today).filter(lists__in=lists).distinct()[:COMING])
    return {"coming": coming, "days_until": (coming[0].start - today).days if coming else None, "today": today}


def _list_countries(rating_list: RatingList) -> list[tuple[str, str, int]]:
    """Return name, code and number of active players of each country on a list, most players first.

    The numbers are those of the stored statistics, 0 before there are any.
    """
    figures = next((figures for _, figures in statistics_of_lists([rating_list])), None)
    active = {line["country"]: line["active"] for line in (figures or {}).get("countries", [])}
    countries = sorted_countries(choices_of(rating_list).countries)
    return sorted(((name, code, active.get(code, 0)) for name, code in countries), key=lambda line: -line[2])


def _describe_latest_result(event: Event, rating_list: RatingList) -> SafeString:
    """Return the podium and the highlights of the latest event as HTML; empty if it has neither."""
    tables = rated_tables(event, rating_list)
    story = render_story(event, rating_list, tables) if len(tables) <= MAX_TABLES else SafeString()
    return story if story.strip() else SafeString()


def _describe_upset(rating_list: RatingList, today: dt.date) -> dict[str, Any] | None:
    """Return the sentence about the biggest upset of the last year, and the winner's change with its explanation."""
    upset = read_biggest_upset(rating_list, today - YEAR)
    if upset is None:
        return None
    change = upset.winner
    address = reverse("explanation", args=[rating_list.slug, change.table_id, change.player.public_id])
    return {"sentence": describe_upset_of_year(upset, rating_list), "change": change.change, "why": address}
