from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.events.views.explanations import find_rated_change
from portal.grades.progress import describe_progress
from portal.lists.calculations import assume_games, result_context
from portal.lists.calculators import TypedGamesForm
from portal.lists.forms import MAX_GAMES, hypothetical_games
from portal.players.careers import RequestedPlayer, player_view
from ratings.formats.typed_games import GAMES_AT_MOST
from ratings.localize import translate_message
from ratings.models import Change, Player, RatedTable, RatingList, Standing
from ratings.queries.events.explained_games import ExplainedGame, read_start_before
from ratings.queries.grades.progress import Simulation, simulate, simulate_before
from ratings.systems.messages import message_of

MAX_DIGITS = 19
"""Numbers with this many digits or more are too long for a primary key."""


class ExplainedChange(NamedTuple):
    """A rated table and a player's change in it, before which the calculator begins."""

    rated: RatedTable
    change: Change


@player_view
def calculator(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    """Show how hypothetical games would change a player's rating and grade."""
    standing, _career = requested.standing_and_career
    explained = find_explained_change(request, requested.player, standing.list)
    rows = get_row_count(request.GET.get("rows", ""))
    games = hypothetical_games(request.GET, rows, round(standing.rating or 0), standing.list.rating_system)
    context = {
        "player": requested.player,
        "standing": standing,
        "standings": requested.standings,
        "rating_list": standing.list,
        "games": games,
        "explained": explained,
        "more": rows + 1 if rows < MAX_GAMES else None,
    }
    typed = TypedGamesForm(request.GET if request.GET.get("games", "").strip() else None)
    context["typed"] = typed
    if typed.is_bound and typed.is_valid():
        played = [ExplainedGame(*game) for game in typed.cleaned_data["games"]]
        context |= calculation_context(requested.player, standing, played, explained)
    elif games.is_bound and games.is_valid():
        played = [
            ExplainedGame(form.cleaned_data["rating"], form.cleaned_data["score"], form.conditions)
            for form in games
            if form.has_changed()
        ]
        context |= calculation_context(requested.player, standing, played, explained)
    return render(request, "lists/calculator.html", context)


def find_explained_change(request: HttpRequest, player: Player, rating_list: RatingList) -> ExplainedChange | None:
    """Return the table and the change before which the calculator begins; None if it begins today.

    Raise Http404 if the address names a table without a public change of the player.
    """
    table = request.GET.get("table", "").strip()
    if not table:
        return None
    if not (table.isascii() and table.isdigit() and len(table) < MAX_DIGITS):
        raise Http404
    return ExplainedChange(*find_rated_change(rating_list.slug, int(table), player.public_id))


def calculation_context(
    the_player: Player, standing: Standing, games: list[ExplainedGame], explained: ExplainedChange | None
) -> dict[str, Any]:
    results, conditions = [(game.rating, game.score) for game in games], [game.conditions for game in games]
    try:
        outcome: Simulation | None
        if explained is None:
            outcome = simulate(the_player, standing.list, results, timezone.localdate(), conditions)
        else:
            outcome = simulate_before(
                explained.rated, read_start_before(explained.rated, the_player), results, conditions
            )
    except ValueError as error:
        return {"problem": translate_message(message_of(error))}
    if outcome is None:
        return {"problem": _("This list is being rated again. Try again in a few minutes.")}
    progress = outcome.progress and describe_progress(outcome.progress, outcome.standing, standing.list)
    if explained is None:
        about_games = assume_games(with_handicaps=any(each.handicap for each in conditions))
    else:
        about_games = _("All games count as games of this event, with its day and its time control.")
    return result_context(outcome, results, standing.list, about_games=about_games) | {"progress": progress}


def get_row_count(value: str) -> int:
    return min(max(int(value), 1), GAMES_AT_MOST) if value.isascii() and value.isdigit() and len(value) < 3 else 1
