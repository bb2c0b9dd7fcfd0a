"""Preview images for links to lists, published lists, federations and the front page."""

from __future__ import annotations

import datetime as dt

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from portal.charts.card_pictures import card_response
from portal.lists import link_previews
from portal.lists.link_previews import ON_CARD, published_lines, top_lines
from portal.lists.views.federations import get_public_federation
from ratings.models import DatedList
from ratings.queries.lists.dated import lines_of
from ratings.queries.lists.federations import federation_of_list
from ratings.queries.lists.lists import public_lists, status_of
from ratings.queries.lists.ranks import ranks_of, top_of


@require_safe
@cache_control(public=True, no_cache=True)
def list_card(request: HttpRequest, slug: str) -> HttpResponseBase:
    the_list, today = get_object_or_404(public_lists(), slug=slug), timezone.localdate()
    top, players = top_lines(top_of(the_list, today, ON_CARD)), len(ranks_of(the_list, today))
    card = link_previews.list_card(the_list, status_of(the_list), players, top, federation_of_list(the_list))
    return card_response(request, card)


@require_safe
@cache_control(public=True, no_cache=True)
def dated_card(request: HttpRequest, slug: str, day: dt.date) -> HttpResponseBase:
    the_list = get_object_or_404(public_lists(), slug=slug)
    dated = get_object_or_404(DatedList.objects.select_related("list"), list=the_list, day=day)
    top = published_lines(lines_of(dated)[:ON_CARD])
    return card_response(request, link_previews.published_card(dated, top, federation_of_list(the_list)))


@require_safe
@cache_control(public=True, no_cache=True)
def federation_card(request: HttpRequest, slug: str) -> HttpResponseBase:
    federation = get_public_federation(slug)
    names = [each.label for each in public_lists().filter(federation=federation, comparison_to=None)]
    return card_response(request, link_previews.federation_card(federation, names))


@require_safe
@cache_control(public=True, no_cache=True)
def portal_card(request: HttpRequest) -> HttpResponseBase:
    """Return the card of pages that are about no federation, if there are several."""
    names = dict.fromkeys(each.federation.name for each in public_lists().filter(comparison_to=None))
    return card_response(request, link_previews.federation_card(None, list(names)))
