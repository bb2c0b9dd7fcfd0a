"""Tabs of a player: all events, games, opponents and grades."""

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from portal.grades.progress import describe_progress
from portal.players.careers import RequestedPlayer, player_view
from portal.players.corrections import list_corrections
from portal.players.filters import GameFilter
from portal.players.game_groups import group_games
from portal.players.hero import hero_context
from portal.players.views.players import grade_lines
from ratings.queries.grades.progress import progress_of
from ratings.queries.players.breakdowns import break_down, tally
from ratings.queries.players.breakdowns import opponents as all_opponents
from ratings.queries.players.games import players_by_key
from ratings.queries.players.periods import with_score
from ratings.queries.players.players import steps_of

PER_PAGE = 50
MAX_PERFORMANCE_GAMES = 1000  # games; the performance of more takes longer than the whole page, and means little


@player_view
def games(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    _, career = requested.standing_and_career
    chosen = GameFilter(request.GET, career.games)
    rows = chosen.matching_games()
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    played = [row for row in rows if row.played]
    total = tally("", played, career.rating_list.rating_system, with_performance=len(played) <= MAX_PERFORMANCE_GAMES)
    hero = hero_context(requested, "player_games")
    frequent = players_by_key(row.pk for row in hero["summary"].opponents) if hero["facts"] else {}
    context = hero | {
        "filter": chosen,
        "page": page,
        "groups": group_games(career, list(page.object_list)),
        "total": total,
        "opponents": [(frequent[row.pk], row) for row in hero["summary"].opponents] if hero["facts"] else [],
        "breakdown": break_down(career) if hero["facts"] else None,
    }
    return render(request, "players/player_games.html", context)


@player_view
def events(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    """Show a player's events, or the rating periods on a list that has them."""
    _, career = requested.standing_and_career
    context = hero_context(requested, "player_events")
    periods = context.get("periods", [])
    page = Paginator(periods or range(len(career.steps)), PER_PAGE).get_page(request.GET.get("page"))
    if periods:
        context["shown_periods"] = [with_score(career, period) for period in page.object_list]
    else:
        first = page.start_index() - 1 if career.steps else 0
        context["steps"] = steps_of(career, first, first + PER_PAGE)
    context |= {"page": page, "corrections": list_corrections(career) if page.number == 1 else []}
    return render(request, "players/player_events.html", context)


@player_view
def opponents(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    _, career = requested.standing_and_career
    page = Paginator(all_opponents(career.games), PER_PAGE).get_page(request.GET.get("page"))
    players = players_by_key(opponent.pk for opponent in page.object_list)
    rows = [(players[opponent.pk], opponent) for opponent in page.object_list]
    context = hero_context(requested, "player_opponents") | {"page": page, "opponents": rows}
    return render(request, "players/player_opponents.html", context)


@player_view
def grades(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    standing, career = requested.standing_and_career
    if not standing.list.has_grades:  # reached by choosing another list
        return redirect(f"{requested.player.get_absolute_url()}?list={standing.list.slug}")
    hero = hero_context(requested, "player_grades")
    progress = progress_of(career) if hero["facts"] else None
    described = progress and describe_progress(progress, hero["facts"], standing.list)
    return render(
        request, "players/player_grades.html", hero | {"grades": grade_lines(requested), "progress": described}
    )
