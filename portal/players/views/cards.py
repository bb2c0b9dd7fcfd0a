"""Preview images for links to a player and to a comparison of two players."""

from __future__ import annotations

from django.http import Http404, HttpRequest
from django.http.response import HttpResponseBase
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from portal.charts.card_pictures import card_response
from portal.players.careers import get_requested_player
from portal.players.hero import LATEST_STEPS, find_last_event, rank_on_day
from portal.players.link_previews import PlayerFigures, duel_card, player_card
from portal.players.views.versus import find_duel
from ratings.queries.lists.federations import federation_of_list
from ratings.queries.players.players import facts_of, steps_of


@require_safe
@cache_control(public=True, no_cache=True)
def card(request: HttpRequest, public_id: str) -> HttpResponseBase:
    requested = get_requested_player(request, public_id)
    player, career, standing = requested.player, requested.career, requested.standing
    if player.merged_into is not None:
        raise Http404
    facts = facts_of(career, standing) if career else None
    if career is None or facts is None:
        federation = federation_of_list(career.rating_list if career else None)
        return card_response(request, player_card(player, None, federation))
    ranked, last_event = rank_on_day(career, standing, facts), find_last_event(steps_of(career, 0, LATEST_STEPS))
    figures = PlayerFigures(career, facts, ranked, last_event)
    return card_response(request, player_card(player, figures, federation_of_list(career.rating_list)))


@require_safe
@cache_control(public=True, no_cache=True)
def versus_card(request: HttpRequest, public_id: str, rival_id: str) -> HttpResponseBase:
    requested, rival = get_requested_player(request, public_id), get_requested_player(request, rival_id)
    if requested.player == rival.player or requested.player.merged_into or rival.player.merged_into:
        raise Http404
    duel, _shared = find_duel(request, requested, rival)
    return card_response(request, duel_card(duel, federation_of_list(duel.rating_list)))
