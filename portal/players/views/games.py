"""All games, events and opponents of a player, a page at a time."""

from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from portal.careers import Asked, of_player
from portal.game_filter import GameFilter
from ratings.queries.games import played_games, players_by_key
from ratings.queries.players import awards_of, steps_of
from ratings.queries.tallies import opponents as all_opponents
from ratings.queries.tallies import tally

PER_PAGE = 50
MOST_PERFORMED = 1000  # games; a performance of more takes longer than all of the page, and tells little


def context_of(asked: Asked, **more: Any) -> dict[str, Any]:
    standing, career = asked.shown
    return {"player": asked.player, "asked": asked, "standing": standing, "rating_list": standing.list,
            "career": career} | more  # fmt: skip


@of_player
def games(request: HttpRequest, asked: Asked) -> HttpResponse:
    _, career = asked.shown
    chosen = GameFilter(request.GET, career.games)
    rows = chosen.chosen()
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    played = [row for row in rows if row.played]
    total = tally("", played, career.rating_list.rating_system, performs=len(played) <= MOST_PERFORMED)
    context = context_of(asked, filter=chosen, page=page, games=played_games(list(page.object_list)), total=total)
    return render(request, "portal/player_games.html", context)


@of_player
def events(request: HttpRequest, asked: Asked) -> HttpResponse:
    _, career = asked.shown
    page = Paginator(range(len(career.line)), PER_PAGE).get_page(request.GET.get("page"))
    first = page.start_index() - 1 if career.line else 0
    context = context_of(asked, page=page, steps=steps_of(career, awards_of(career), first, first + PER_PAGE))
    return render(request, "portal/player_events.html", context)


@of_player
def opponents(request: HttpRequest, asked: Asked) -> HttpResponse:
    _, career = asked.shown
    page = Paginator(all_opponents(career.games), PER_PAGE).get_page(request.GET.get("page"))
    known = players_by_key(one.pk for one in page.object_list)
    several = [(known[one.pk], one) for one in page.object_list]
    return render(request, "portal/player_opponents.html", context_of(asked, page=page, opponents=several))
