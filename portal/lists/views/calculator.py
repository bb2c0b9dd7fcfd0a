from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.grades.progress import describe_progress
from portal.lists.calculations import result_context
from portal.lists.calculators import TypedGamesForm
from portal.lists.forms import MAX_GAMES, hypothetical_games
from portal.players.careers import RequestedPlayer, player_view
from ratings.localize import translate_message
from ratings.models import Player, Standing
from ratings.queries.grades.progress import simulate
from ratings.systems.messages import message_of


@player_view
def calculator(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    """Show how hypothetical games would change a player's rating and grade."""
    standing, _career = requested.standing_and_career
    rows = get_row_count(request.GET.get("rows", ""))
    games = hypothetical_games(request.GET, rows, round(standing.rating or 0), standing.list.rating_system)
    context = {
        "player": requested.player,
        "standing": standing,
        "standings": requested.standings,
        "rating_list": standing.list,
        "games": games,
        "more": rows + 1 if rows < MAX_GAMES else None,
    }
    typed = TypedGamesForm(request.GET if request.GET.get("games", "").strip() else None)
    context["typed"] = typed
    if typed.is_bound and typed.is_valid():
        context |= calculation_context(requested.player, standing, typed.cleaned_data["games"])
    elif games.is_bound and games.is_valid():
        entered = [(form.cleaned_data["rating"], form.cleaned_data["score"]) for form in games if form.has_changed()]
        context |= calculation_context(requested.player, standing, entered)
    return render(request, "lists/calculator.html", context)


def calculation_context(the_player: Player, standing: Standing, games: list[tuple[float, float]]) -> dict[str, Any]:
    try:
        outcome = simulate(the_player, standing.list, games, timezone.localdate())
    except ValueError as error:
        return {"problem": translate_message(message_of(error))}
    if outcome is None:
        return {"problem": _("This list is being rated again. Try again in a few minutes.")}
    progress = outcome.progress and describe_progress(outcome.progress, outcome.standing, standing.list)
    return result_context(outcome, games, standing.list) | {"progress": progress}


def get_row_count(value: str) -> int:
    return min(max(int(value), 1), MAX_GAMES) if value.isascii() and value.isdigit() and len(value) < 3 else 1
