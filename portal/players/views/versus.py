"""Comparison of two players head to head, and of up to five on one graph."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from portal.charts import chart_response, graph_urls, svg_security_policy
from portal.players.careers import (
    RANGES,
    RequestedPlayer,
    first_day_of_range,
    get_requested_player,
    get_requested_range,
    graph_data,
    player_view,
    translated_points,
)
from portal.players.comparison import MAX_CURVES, PlayerComparison, get_comparison
from portal.templatetags.portal_format import rating
from ratings.queries.players.careers import Career
from ratings.queries.players.games import find_players, played_games
from ratings.queries.players.versus import lists_of_both, mutual_scores
from ratings.queries.players.versus import versus as versus_of


@require_safe
def versus(request: HttpRequest, public_id: str, rival_id: str) -> HttpResponse:
    """Compare two players head to head, including players who never met or who share no list."""
    requested, rival = get_requested_player(request, public_id), get_requested_player(request, rival_id)
    players = [side.player.merged_into or side.player for side in (requested, rival)]
    if players[0] == players[1]:
        raise Http404
    if players != [requested.player, rival.player]:
        return redirect(reverse("versus", args=[player.public_id for player in players]))
    mine, theirs = ({standing.list_id: standing for standing in side.standings} for side in (requested, rival))
    shared = lists_of_both(requested.player, rival.player, mine, theirs)
    context = {"player": requested.player, "rival": rival.player, "shared": shared}
    chosen = next((a_list for a_list in shared if a_list.slug == request.GET.get("list")), next(iter(shared), None))
    if chosen is not None:
        record = versus_of(requested.player, rival.player, chosen, mine, theirs)
        leads = {met.row.pk: met.lead for met in record.games}
        games = [(played, leads[played.row.pk]) for played in played_games([met.row for met in record.games])]
        context |= {"versus": record, "rating_list": chosen, "games": games, "met": [met.row for met in record.games]}
    return render(request, "players/versus.html", context)


@player_view
def choose_opponent(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    """Let the visitor choose an opponent to compare with, by name or public id, or from the opponents so far."""
    standing, _ = requested.standing_and_career
    text = request.GET.get("rival", "").strip()
    matches = [player for player in find_players(text) if player != requested.player] if text else []
    if len(matches) == 1:
        address = reverse("versus", args=[requested.player.public_id, matches[0].public_id])
        return redirect(f"{address}?list={standing.list.slug}")
    context = {"player": requested.player, "rating_list": standing.list, "standing": standing, "asked": requested,
               "text": text, "found": matches}  # fmt: skip
    return render(request, "players/choose_rival.html", context)


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    comparison = get_comparison(request)
    context: dict[str, Any] = {"asked": comparison, "rating_list": comparison.rating_list, "most": MAX_CURVES}
    if comparison.careers:
        context |= comparison_context(request, comparison)
    return render(request, "players/compare.html", context)


def comparison_context(request: HttpRequest, comparison: PlayerComparison) -> dict[str, Any]:
    opponents = comparison.players if len(comparison.lists) == 1 else []  # scores are counted on one list only
    scores = mutual_scores(opponents, comparison.lists[0])
    within = get_requested_range(request)
    series = [
        (name, translated_points(career)) for name, career in zip(comparison.names, comparison.careers, strict=True)
    ]
    finest = max(comparison.lists, key=lambda rating_list: rating_list.decimals)
    return {
        "graph": {
            "data": graph_data(finest, series, [], within),
            "ranges": RANGES,
            **graph_urls("compare_graph", request.GET.urlencode()),
        },
        "rows": [
            (career, standing, [scores.get((career.player.pk, other.pk)) for other in opponents])
            for career, standing in zip(comparison.careers, comparison.standings, strict=True)
        ],
        "yearly": yearly_ratings(comparison.careers),
    }


def yearly_ratings(careers: list[Career]) -> list[tuple[int, list[str]]]:
    """Return the ratings at the end of each year since the first player had one, newest year first."""
    known = [point.day.year for career in careers for point in career.rated]
    years = range(max(known), min(known) - 1, -1) if known else ()
    return [
        (year, [rating(rating_at_end_of_year(career, year), career.rating_list) for career in careers])
        for year in years
    ]


def rating_at_end_of_year(career: Career, year: int) -> float | None:
    """Return the rating at the end of a year, or None before the player had one."""
    ratings = [point.after for point in career.rated if point.day.year <= year]
    return ratings[-1] if ratings else None


@require_safe
@svg_security_policy
def compare_graph(request: HttpRequest, format: str) -> HttpResponse:
    from portal.charts.base import get_theme  # noqa: PLC0415 - takes half a second to load
    from portal.charts.ratings import Curve, draw_ratings  # noqa: PLC0415 - also slow to load

    comparison, within = get_comparison(request), get_requested_range(request)
    if not comparison.careers:
        raise Http404
    first = max((first_day_of_range(career, within) for career in comparison.careers), default=None)
    curves = [
        Curve(name, [(p.day, p.after or 0) for p in career.rated if first is None or p.day >= first])
        for name, career in zip(comparison.names, comparison.careers, strict=True)
    ]
    return chart_response(draw_ratings(curves, get_theme(request.GET.get("theme"))), format)
