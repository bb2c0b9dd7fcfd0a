"""What the pages of a player share: who and on which list is meant, and his graph."""

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

from portal.addresses import by_public_id
from ratings.models import Player, RatingList, Standing
from ratings.queries.careers import Career
from ratings.queries.players import bands_within, graph_of, public_standings, with_present_club
from ratings.translating import translated

RANGES = {"1": 1, "5": 5, "10": 10, "all": None}
"""Years back from the last point (or from the day asked for) that a graph shows."""


Series = list[tuple[str, list[dict[str, Any]]]]
"""Names with points: date, rating, change, event, perhaps a mark."""


@dataclass(frozen=True)
class Asked:
    """A player with his public standings; the one on the list asked for (else his first) and his career on it."""

    player: Player
    standings: list[Any]
    standing: Any
    career: Career | None
    elsewhere: bool = False
    """Whether he stands on no list like the one asked for."""

    @property
    def shown(self) -> tuple[Any, Career]:
        """Http404 where he stands on no list."""
        if self.standing is None or self.career is None:
            raise Http404
        return self.standing, self.career


def asked_player(request: HttpRequest, public_id: str) -> Asked:
    """By the address, `list` and `on`; a merged player is left to the caller."""
    player = by_public_id(with_present_club(Player.objects.select_related("merged_into")), public_id)
    if player.merged_into is not None:
        return Asked(player, [], None, None)
    standings = public_standings(player)
    slug = request.GET.get("list")
    standing = chosen(standings, slug)
    career = Career(player, standing.list, day_asked(request)) if standing else None
    return Asked(player, standings, standing, career, bool(slug and standing and standing.list.slug != slug))


def of_player(view: Callable[[HttpRequest, Asked], HttpResponse]) -> Callable[[HttpRequest, str], HttpResponse]:
    """A page of a player on a list, by his public id: that of a merged one leads to whom he was merged into."""

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, public_id: str) -> HttpResponse:
        asked = asked_player(request, public_id)
        if kept := asked.player.merged_into:
            assert request.resolver_match
            return redirect(reverse(request.resolver_match.view_name, args=[kept.public_id]))
        return view(request, asked)

    return answer


def chosen(standings: list[Standing], slug: str | None) -> Standing | None:
    """The standing on the list asked for, else on the first."""
    return next((standing for standing in standings if standing.list.slug == slug), next(iter(standings), None))


def day_asked(request: HttpRequest) -> dt.date | None:
    """The past day of `on`; today and later are now. Http404 for what is no day."""
    written = request.GET.get("on", "").strip()
    if not written:
        return None
    try:
        day = dt.date.fromisoformat(written)
    except ValueError:
        raise Http404 from None
    return day if day < timezone.now().date() else None


def range_asked(request: HttpRequest) -> str:
    asked = request.GET.get("range", "all")
    return asked if asked in RANGES else "all"


def since(career: Career, within: str) -> dt.date:
    """The first day of a range of the graph."""
    years = RANGES[within]
    if years is None or not career.rated:
        return dt.date.min
    return career.rated[-1].day - dt.timedelta(days=round(365.25 * years))


def kinds() -> dict[str, Any]:
    """What the graph's marks mean."""
    return {"promotion": _("promoted"), "demotion": _("demoted"), "waiting": _("earned, needs approval")}


def graph_data(of: RatingList, series: Series, bands: list[dict[str, Any]], within: str = "all") -> dict[str, Any]:
    """What graph.js draws: the points of one player with his grade bands, or of several."""
    return {
        "series": [{"name": name, "points": points} for name, points in series],
        "bands": bands,
        "decimals": of.rating_system.decimals,
        "kinds": kinds(),
        "range": within,
    }


def points_told(career: Career) -> list[dict[str, Any]]:
    """The points of his graph, in the present language."""
    return [point if point["played"] else point | {"event": translated(point["event"])} for point in graph_of(career)]


def bands_of(career: Career, points: list[dict[str, Any]]) -> list[dict[str, Any]]:
    system = career.rating_list.rating_system
    return bands_within(system, [point["rating"] for point in points]) if career.rating_list.graded else []
