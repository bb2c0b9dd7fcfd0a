"""Suggestions of players for users who enter results: also of players who are on no list or not shown by name."""

import re
from collections.abc import Sequence

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, JsonResponse

from portal.results.views.organise import get_managed_event
from portal.results.views.submissions import get_submission
from portal.site.search_rows import describe_number_of_suggestions
from portal.site.views.access import require
from ratings.access import Action
from ratings.models import Player, RatingList
from ratings.queries.events.events import lists_of
from ratings.queries.players.player_details import describe, describe_details
from ratings.queries.players.suggestions import find_or_suggest

PRIMARY_KEY = re.compile(r"\d{1,18}", re.ASCII)


@login_required
def known_players(request: HttpRequest) -> JsonResponse:
    """Return the players that a typed name or public id may mean, as JSON that static/portal/search.js reads too.

    With the key of a submission or the public id of an event, players of its lists come first, then those of a country.
    """
    require(request, Action.ORGANISE)
    text, country = request.GET.get("q", ""), request.GET.get("country", "")
    suggestions = [_describe(player) for player in find_or_suggest(text, _find_lists(request), country)]
    return JsonResponse({"message": describe_number_of_suggestions(len(suggestions)), "suggestions": suggestions})


def _find_lists(request: HttpRequest) -> Sequence[RatingList]:
    key, public_id = request.GET.get("submission", ""), request.GET.get("event", "").replace("\0", "")
    if PRIMARY_KEY.fullmatch(key):
        return lists_of(get_submission(request, int(key)).event)
    return lists_of(get_managed_event(request, public_id)) if public_id else []


def _describe(player: Player) -> dict[str, str]:
    """Return a suggestion with the true name, and its parts as the fields of a row need them."""
    family, given = player.family_name, player.given_name
    return {
        "public_id": player.public_id,
        "family": family,
        "given": given,
        "country": str(player.country),
        "described": describe(player),
        "name": f"{family}, {given}" if given else family,
        "bold": family,
        "native": player.native_name,
        "details": describe_details(player),
    }
