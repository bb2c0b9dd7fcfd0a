"""Preview images for links to an event and to explained rating changes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from portal.charts.card_pictures import card_response
from portal.events import link_previews
from portal.events.event_tabs import Selection, Tab, render_tab
from portal.events.views.events import choose_list, choose_table
from portal.events.views.explanations import find_closing_explanation, find_explanation
from portal.site.public_ids import by_public_id
from ratings.models import Event
from ratings.queries.events.crosstables import rated_tables
from ratings.queries.events.events import events_with_page, public_lists_of
from ratings.queries.events.table_facts import is_new_peak
from ratings.queries.lists.federations import federation_of_list


@require_safe
@cache_control(public=True, no_cache=True)
def event_card(request: HttpRequest, public_id: str) -> HttpResponseBase:
    event = by_public_id(events_with_page(), public_id)
    rating_list = choose_list(public_lists_of(event), request.GET.get("list"))
    tables = rated_tables(event, rating_list) if event.state == Event.State.ACCEPTED else {}
    podium: Sequence[link_previews.PodiumPlace] = ()
    if tables:
        table = choose_table(tables, request.GET.get("table"))
        podium = render_tab(event, rating_list, tables, table, Tab.RESULTS, Selection()).podium
    return card_response(request, link_previews.event_card(event, rating_list, podium, federation_of_list(rating_list)))


@require_safe
@cache_control(public=True, no_cache=True)
def explanation_card(request: HttpRequest, slug: str, table: int, public_id: str) -> HttpResponseBase:
    rated, change, explanation = find_explanation(slug, table, public_id)
    is_peak = is_new_peak(rated, change.player_id)
    federation = federation_of_list(rated.list)
    card = link_previews.explanation_card(explanation, rated, is_peak=is_peak, federation=federation)
    return card_response(request, card)


@require_safe
@cache_control(public=True, no_cache=True)
def closing_card(request: HttpRequest, slug: str, day: dt.date, public_id: str) -> HttpResponseBase:
    rating_list, explanation = find_closing_explanation(slug, day, public_id)
    card = link_previews.closing_card(explanation, rating_list, federation_of_list(rating_list))
    return card_response(request, card)
