from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from portal.charts import graph_urls
from portal.grades.progress import describe_progress
from portal.players.careers import RequestedPlayer, get_requested_player
from portal.players.certainty import certainty_context
from portal.players.corrections import list_corrections
from portal.players.graph_page import graph_context
from portal.players.graphs import build_graph
from portal.players.hero import hero_context
from portal.site.public_ids import redirect_to_current
from portal.templatetags.portal_format import comma_name
from ratings.queries.grades.grade_history import GradeLine, grade_history
from ratings.queries.grades.progress import progress_of
from ratings.queries.players.breakdowns import Tally, tally_of_year
from ratings.queries.players.careers import Career
from ratings.queries.players.games import GameWithOpponent, players_by_key
from ratings.queries.players.periods import with_score

LATEST, BEST_WINS, MOST_PLAYED = 5, 3, 4


@require_safe
def player(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    requested = get_requested_player(request, public_id)
    the_player = requested.player
    if the_player.merged_into is not None:
        return redirect(the_player.merged_into, permanent=False)  # a merge can be undone
    if request.path != the_player.get_absolute_url():
        response = redirect_to_current(request, the_player.get_absolute_url())
        patch_cache_control(response, no_cache=True)  # the displayed name may change, and change back
        return response
    context = hero_context(requested, "player")
    if context.get("facts") is not None:
        context |= overview_context(request, requested, context)
    return render(request, "players/player.html", context)


def overview_context(request: HttpRequest, requested: RequestedPlayer, hero: dict[str, Any]) -> dict[str, Any]:
    """Return the context of the overview on one list, except for its head."""
    standing, career = requested.standing_and_career
    rating_list, facts, totals = standing.list, hero["facts"], hero["summary"]
    grades = grade_lines(requested)
    progress = progress_of(career)
    players = players_by_key([*(row.opponent for row in totals.best), *(row.pk for row in totals.opponents)])
    return {
        "graph": describe_graph(request, career),
        "certainty": certainty_context(career, facts, totals.opponents),
        "latest": hero["steps"][:LATEST],
        "shown_periods": [with_score(career, period) for period in hero["periods"][:LATEST]],
        "grades": grades[:LATEST],
        "grade_count": len(grades),
        "corrections": list_corrections(career),
        "progress": progress and describe_progress(progress, facts, rating_list),
        "year": describe_year(career),
        "best": [GameWithOpponent(row, players.get(row.opponent)) for row in totals.best[:BEST_WINS]],
        "most_played": [(players[row.pk], row) for row in totals.opponents if row.games > 1][:MOST_PLAYED],
    }


def grade_lines(requested: RequestedPlayer) -> list[GradeLine]:
    """Return the player's grade history until the requested day, newest first; empty for a list without grades."""
    standing, career = requested.standing_and_career
    if not standing.list.has_grades:
        return []
    lines = grade_history(requested.player, standing, career.awards, career.steps)
    return lines if career.on is None else [line for line in lines if line.day <= career.on]


class Year(NamedTuple):
    """The results of a year until the requested day; `change` is the change of the rating, in rating points."""

    tally: Tally[int]
    change: float | None


def describe_year(career: Career) -> Year | None:
    """Return the results of the present year; None without games."""
    year = (career.on or timezone.localdate()).year
    tally = tally_of_year(career, year)
    if tally is None:
        return None
    before = [point for point in career.rated if point.day.year < year]
    change = None if not before else (career.rated[-1].after or 0) - (before[-1].after or 0)
    return Year(tally, change)


def describe_graph(request: HttpRequest, career: Career) -> dict[str, Any]:
    """Return the context of the graph of one player."""
    graph = build_graph(request, [career], [comma_name(career.player)])
    query = urlencode(
        {"list": career.rating_list.slug, "range": graph.span.name} | ({"on": career.on} if career.on else {})
    )
    return graph_context(request, graph, graph_urls("player_graph", query, career.player.public_id))
