"""Requested player, list and day of the pages of a player."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.site.public_ids import by_public_id
from ratings.models import Player, Standing
from ratings.queries.players.careers import Career
from ratings.queries.players.players import public_standings, with_current_club


@dataclass(frozen=True)
class RequestedPlayer:
    """Requested player with their public standings, and the standing and career on the requested (else first) list."""

    player: Player
    standings: list[Any]
    standing: Any
    career: Career | None
    not_on_requested_list: bool = False
    """True if the player is not on the requested list, but on another one."""
    query: QueryDict = field(default_factory=QueryDict)

    @property
    def standing_and_career(self) -> tuple[Any, Career]:
        """Standing and career on the list; raises Http404 if the player is on no list."""
        if self.standing is None or self.career is None:
            raise Http404
        return self.standing, self.career


def get_requested_player(request: HttpRequest, public_id: str) -> RequestedPlayer:
    """Return the player with this public id, on the list and the day in `list` and `on` of the query.

    For a merged player only `player` is set: the caller redirects. Raise Http404 for an unknown id or an invalid day.
    """
    player = by_public_id(with_current_club(Player.objects.select_related("merged_into")), public_id)
    if player.merged_into is not None:
        return RequestedPlayer(player, [], None, None)
    standings = public_standings(player)
    slug = request.GET.get("list")
    standing = choose_standing(standings, slug)
    career = Career(player, standing.list, get_requested_day(request)) if standing else None
    is_elsewhere = bool(slug and standing and standing.list.slug != slug)
    return RequestedPlayer(player, standings, standing, career, is_elsewhere, request.GET)


def player_view(
    view: Callable[[HttpRequest, RequestedPlayer], HttpResponse],
) -> Callable[[HttpRequest, str], HttpResponse]:
    """Decorate a view of a player on a list, by public id; a merged player redirects to the remaining one."""

    @require_safe
    @wraps(view)
    def wrapper(request: HttpRequest, public_id: str) -> HttpResponse:
        requested = get_requested_player(request, public_id)
        if remaining_player := requested.player.merged_into:
            assert request.resolver_match
            return redirect(reverse(request.resolver_match.view_name, args=[remaining_player.public_id]))
        return view(request, requested)

    return wrapper


def choose_standing(standings: list[Standing], slug: str | None) -> Standing | None:
    """Return the standing on the list with this slug, else the first standing."""
    return next((standing for standing in standings if standing.list.slug == slug), next(iter(standings), None))


def get_requested_day(request: HttpRequest) -> dt.date | None:
    """Return the past day in `on`, None for today or later; raise Http404 for an invalid day."""
    value = request.GET.get("on", "").strip()
    if not value:
        return None
    try:
        day = dt.date.fromisoformat(value)
    except ValueError:
        raise Http404 from None
    return day if day < timezone.localdate() else None
