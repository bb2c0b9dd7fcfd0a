"""Requested player, list, day and range of the pages of a player, and the data of their graphs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from portal.site.public_ids import by_public_id
from ratings.localize import translate_message
from ratings.models import Player, RatingList, Standing
from ratings.queries.players.careers import Career
from ratings.queries.players.players import bands_in_graph, graph_of, public_standings, with_current_club

RANGES = {"1": 1, "5": 5, "10": 10, "all": None}
"""Ranges of a graph, in years back from its last point (on or before the requested day); None shows all years."""


Series = list[tuple[str, list[dict[str, Any]]]]
"""Names of curves with their points: dicts with date, rating, change, event and, for some, a mark."""


@dataclass(frozen=True)
class RequestedPlayer:
    """Requested player with their public standings, and the standing and career on the requested (else first) list."""

    player: Player
    standings: list[Any]
    standing: Any
    career: Career | None
    not_on_requested_list: bool = False
    """True if the player is not on the requested list, but on another one."""

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
    return RequestedPlayer(player, standings, standing, career, bool(slug and standing and standing.list.slug != slug))


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
    return day if day < timezone.now().date() else None


def get_requested_range(request: HttpRequest) -> str:
    value = request.GET.get("range", "all")
    return value if value in RANGES else "all"


def first_day_of_range(career: Career, within: str) -> dt.date:
    """Return the first day of a range of the graph."""
    years = RANGES[within]
    if years is None or not career.rated:
        return dt.date.min
    return career.rated[-1].day - dt.timedelta(days=round(365.25 * years))


def mark_labels() -> dict[str, Any]:
    """Return the labels of the graph's marks."""
    return {"promotion": _("promoted"), "demotion": _("demoted"), "waiting": _("earned, needs approval")}


def graph_data(
    rating_list: RatingList, series: Series, bands: list[dict[str, Any]], selected_range: str = "all"
) -> dict[str, Any]:
    """Return the data that graph.js draws: the points of one player with grade bands, or of several players."""
    return {
        "series": [{"name": name, "points": points} for name, points in series],
        "bands": bands,
        "decimals": rating_list.decimals,
        "kinds": mark_labels(),
        "range": selected_range,
    }


def translated_points(career: Career) -> list[dict[str, Any]]:
    """Return the points of a player's graph, with texts in the active language."""
    return [
        point if point["played"] else point | {"event": translate_message(point["event"])} for point in graph_of(career)
    ]


def grade_bands(career: Career, points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    system = career.rating_list.rating_system
    return bands_in_graph(system, [point["rating"] for point in points]) if career.rating_list.has_grades else []
