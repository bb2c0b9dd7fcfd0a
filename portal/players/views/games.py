"""Paginated lists of all games, events and opponents of a player."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from portal.players.careers import RequestedPlayer, player_view
from portal.players.filters import GameFilter
from ratings.queries.players.breakdowns import opponents as all_opponents
from ratings.queries.players.breakdowns import tally
from ratings.queries.players.games import played_games, players_by_key
from ratings.queries.players.players import steps_of

PER_PAGE = 50
MAX_PERFORMANCE_GAMES = 1000  # games; the performance of more takes longer than the whole page, and means little


def player_context(requested: RequestedPlayer, **more: Any) -> dict[str, Any]:
    standing, career = requested.standing_and_career
    return {"player": requested.player, "asked": requested, "standing": standing, "rating_list": standing.list,
            "career": career} | more  # fmt: skip


@player_view
def games(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    _, career = requested.standing_and_career
    chosen = GameFilter(request.GET, career.games)
    rows = chosen.matching_games()
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    played = [row for row in rows if row.played]
    total = tally("", played, career.rating_list.rating_system, with_performance=len(played) <= MAX_PERFORMANCE_GAMES)
    context = player_context(
        requested, filter=chosen, page=page, games=played_games(list(page.object_list)), total=total
    )
    return render(request, "players/player_games.html", context)


@player_view
def events(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    _, career = requested.standing_and_career
    page = Paginator(range(len(career.steps)), PER_PAGE).get_page(request.GET.get("page"))
    first = page.start_index() - 1 if career.steps else 0
    context = player_context(requested, page=page, steps=steps_of(career, first, first + PER_PAGE))
    return render(request, "players/player_events.html", context)


@player_view
def opponents(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    _, career = requested.standing_and_career
    page = Paginator(all_opponents(career.games), PER_PAGE).get_page(request.GET.get("page"))
    players = players_by_key(opponent.pk for opponent in page.object_list)
    rows = [(players[opponent.pk], opponent) for opponent in page.object_list]
    return render(request, "players/player_opponents.html", player_context(requested, page=page, opponents=rows))
