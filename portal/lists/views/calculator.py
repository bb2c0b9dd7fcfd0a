from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from portal.careers import Asked, of_player
from portal.forms import MOST_GAMES, imagined_games
from portal.progress import told
from portal.reckoning import TypedForm
from portal.views.players import is_own
from ratings.models import Player, Standing
from ratings.queries.progress import imagine
from ratings.translating import translated


@of_player
def calculator(request: HttpRequest, asked: Asked) -> HttpResponse:
    """What imagined games would do to a player's rating and grade."""
    shown, _career = asked.shown
    rows = rows_asked(request.GET.get("rows", ""))
    games = imagined_games(request.GET, rows, round(shown.rating or 0), shown.list.rating_system)
    context = {"player": asked.player, "standing": shown, "standings": asked.standings, "rating_list": shown.list,
               "games": games, "more": rows + 1 if rows < MOST_GAMES else None}  # fmt: skip
    typed = TypedForm(request.GET if request.GET.get("games", "").strip() else None)
    context["typed"] = typed
    if typed.is_bound and typed.is_valid():
        context |= imagined(request, asked.player, shown, typed.cleaned_data["games"])
    elif games.is_bound and games.is_valid():
        given = [(form.cleaned_data["rating"], form.cleaned_data["score"]) for form in games if form.has_changed()]
        context |= imagined(request, asked.player, shown, given)
    return render(request, "portal/calculator.html", context)


def imagined(
    request: HttpRequest, the_player: Player, shown: Standing, given: list[tuple[float, float]]
) -> dict[str, Any]:
    try:
        found = imagine(the_player, shown.list, given, timezone.now().date())
    except ValueError as error:
        return {"problem": translated(str(error))}
    if found is None:
        return {"problem": _("This list is being rated anew; ask again in a while.")}
    own = is_own(request, the_player)
    progress = found.progress and told(found.progress, found.standing, shown.list, own=own)
    names = {f"opponent {number}": _("Game %(number)d") % {"number": number} for number in range(1, len(given) + 1)}
    return {"imagined": found, "names": names, "progress": progress}


def rows_asked(written: str) -> int:
    return min(max(int(written), 1), MOST_GAMES) if written.isascii() and written.isdigit() and len(written) < 3 else 1
