"""Comparison of two players head to head, and of up to five on one graph."""

from itertools import combinations
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from portal.charts import graph_urls, svg_security_policy
from portal.players.careers import RequestedPlayer, get_requested_player, player_view
from portal.players.comparison import MAX_CURVES, PlayerComparison, get_comparison
from portal.players.graph_page import graph_context
from portal.players.graphs import Graph, build_graph
from portal.players.link_previews import Duel, build_duel_preview, describe_games
from portal.players.views.graphs import graph_file
from portal.templatetags.portal_format import comma_name, rating
from portal.templatetags.portal_players import game_columns
from ratings.localize import join_clauses
from ratings.models import Player, RatingList
from ratings.queries.players.breakdowns import opponents
from ratings.queries.players.careers import Career
from ratings.queries.players.choices import describe_choices
from ratings.queries.players.games import find_players, players_by_key
from ratings.queries.players.versus import lists_of_both, mutual_scores
from ratings.queries.players.versus import versus as versus_of

MOST_PLAYED, GAMES_PER_PAGE = 5, 100


@require_safe
def versus(request: HttpRequest, public_id: str, rival_id: str) -> HttpResponse:
    """Compare two players head to head, including players who never met or who share no list."""
    sides = read_sides(request, public_id, rival_id)
    ids = [get_present_player(side).public_id for side in sides]
    if any(side.player.merged_into for side in sides):
        return redirect(reverse("versus", args=ids))
    duel, shared = find_duel(request, *sides)
    context: dict[str, Any] = {"player": duel.player, "rival": duel.rival, "shared": shared}
    context["link_preview"] = build_duel_preview(duel)
    if duel.rating_list is not None and duel.versus is not None:
        graph = build_duel_graph(request, duel)
        query = urlencode({"list": duel.rating_list.slug, "range": graph.span.name})
        addresses = graph_urls("versus_graph", query, *ids)
        context |= {
            "versus": duel.versus,
            "rating_list": duel.rating_list,
            "result": describe_games(duel.versus, comma_name(duel.player)) if duel.versus.games else "",
            "graph": graph_context(request, graph, addresses) if graph.has_curve else None,
            "page": Paginator(duel.versus.games, GAMES_PER_PAGE).get_page(request.GET.get("page")),
            "columns": game_columns([met.row for met in duel.versus.games]),
        }
    return render(request, "players/versus.html", context)


@require_safe
@svg_security_policy
def versus_graph(request: HttpRequest, public_id: str, rival_id: str, format: str) -> HttpResponse:
    sides = read_sides(request, public_id, rival_id)
    if any(side.player.merged_into for side in sides):
        ids = [get_present_player(side).public_id for side in sides]
        return redirect(reverse("versus_graph", args=[*ids, format]))
    duel, _shared = find_duel(request, *sides)
    if duel.rating_list is None:
        raise Http404
    return graph_file(request, build_duel_graph(request, duel), format)


def read_sides(request: HttpRequest, public_id: str, rival_id: str) -> tuple[RequestedPlayer, RequestedPlayer]:
    """Return two players; raise Http404 for a player and themselves."""
    sides = get_requested_player(request, public_id), get_requested_player(request, rival_id)
    if len({get_present_player(side) for side in sides}) == 1:
        raise Http404
    return sides


def get_present_player(side: RequestedPlayer) -> Player:
    """Return a player, or the one they were merged into."""
    return side.player.merged_into or side.player


def build_duel_graph(request: HttpRequest, duel: Duel) -> Graph:
    """Return the graph of two players, who share a list."""
    assert duel.rating_list is not None
    players = [duel.player, duel.rival]
    careers = [Career(side, duel.rating_list) for side in players]
    return build_graph(request, careers, [comma_name(side) for side in players])


def find_duel(
    request: HttpRequest, requested: RequestedPlayer, rival: RequestedPlayer
) -> tuple[Duel, list[RatingList]]:
    """Return two players with their comparison on the requested list, and all lists that both share."""
    mine, theirs = ({standing.list_id: standing for standing in side.standings} for side in (requested, rival))
    shared = lists_of_both(requested.player, rival.player, mine, theirs)
    chosen = next((a_list for a_list in shared if a_list.slug == request.GET.get("list")), next(iter(shared), None))
    versus = versus_of(requested.player, rival.player, chosen, mine, theirs) if chosen else None
    return Duel(requested.player, rival.player, versus, chosen), shared


@player_view
def choose_opponent(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    """Let the visitor choose an opponent to compare with, by name or public id, or from the opponents so far."""
    standing, career = requested.standing_and_career
    text = request.GET.get("rival", "").strip()
    matches = [player for player in find_players(text) if player != requested.player] if text else []
    if len(matches) == 1:
        address = reverse("versus", args=[requested.player.public_id, matches[0].public_id])
        return redirect(f"{address}?list={standing.list.slug}")
    today = timezone.localdate()
    context = {"player": requested.player, "rating_list": standing.list, "text": text}
    if text:
        context["found"] = describe_choices(matches, standing.list, today)
    else:
        most_played = players_by_key(row.pk for row in opponents(career.games)[:MOST_PLAYED])
        context["met"] = describe_choices(list(most_played.values()), standing.list, today)
    return render(request, "players/choose_rival.html", context)


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    comparison = get_comparison(request)
    context: dict[str, Any] = {"asked": comparison, "rating_list": comparison.rating_list, "most": MAX_CURVES}
    if comparison.suggestions:
        choices = describe_choices(comparison.suggestions, comparison.rating_list, timezone.localdate())
        context |= {"choices": choices, "typed": comparison.text}
    if comparison.careers:
        context["title"] = join_clauses(map(comma_name, comparison.players))
        context |= comparison_context(request, comparison)
    return render(request, "players/compare.html", context)


def comparison_context(request: HttpRequest, comparison: PlayerComparison) -> dict[str, Any]:
    together = comparison.players if len(comparison.lists) == 1 else []  # scores are counted on one list only
    scores = mutual_scores(together, comparison.lists[0])
    graph, query = build_graph(request, comparison.careers, comparison.names), request.GET.copy()
    query.pop("page", None)
    return {
        "graph": graph_context(request, graph, graph_urls("compare_graph", query.urlencode())),
        "rows": list(zip(comparison.careers, comparison.standings, strict=True)),
        "scores": [
            (one, other, Score(won, games - won))
            for one, other in combinations(together, 2)
            for won, games in [scores.get((one.pk, other.pk), (0, 0))]
            if games
        ],
        "yearly": yearly_ratings(comparison.careers, comparison.names),
    }


class Score(NamedTuple):
    """Points that a player won and lost in the games against another player."""

    won: float
    lost: float


def yearly_ratings(careers: list[Career], names: list[str]) -> list[tuple[int, list[tuple[str, str]]]]:
    """Return the names and ratings at the end of each year since the first player had one, newest year first."""
    known = [point.day.year for career in careers for point in career.rated]
    years = range(max(known), min(known) - 1, -1) if known else ()
    return [
        (
            year,
            [
                (name, rating(rating_at_end_of_year(career, year), career.rating_list))
                for career, name in zip(careers, names, strict=True)
            ],
        )
        for year in years
    ]


def rating_at_end_of_year(career: Career, year: int) -> float | None:
    """Return the rating at the end of a year, or None before the player had one."""
    ratings = [point.after for point in career.rated if point.day.year <= year]
    return ratings[-1] if ratings else None


@require_safe
@svg_security_policy
def compare_graph(request: HttpRequest, format: str) -> HttpResponse:
    comparison = get_comparison(request)
    if not comparison.careers:
        raise Http404
    return graph_file(request, build_graph(request, comparison.careers, comparison.names), format)
