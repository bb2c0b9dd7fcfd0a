from typing import Any

from django.core.paginator import Paginator
from django.forms import BaseFormSet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from portal.forms import MOST_GAMES, GameForm, imagined_games
from portal.progress import told
from ratings.models import Player, Standing
from ratings.queries.corrections import corrections_of
from ratings.queries.grade_history import grade_history
from ratings.queries.players import bands_within, career, public_standings, with_present_club
from ratings.queries.progress import imagine, progress_of

GAMES_PER_PAGE = 100
CORRECTIONS = 20


def player(request: HttpRequest, public_id: str, slug: str = "") -> HttpResponse:
    the_player = get_object_or_404(with_present_club(Player.objects.all()), public_id=public_id)
    if the_player.merged_into is not None:
        return redirect(the_player.merged_into, permanent=False)  # a merge can be undone
    if request.path != the_player.get_absolute_url():
        response = redirect(the_player, permanent=True)
        patch_cache_control(response, no_cache=True)  # he may come to be shown by another name, and by this one again
        return response
    standings = public_standings(the_player)
    shown = chosen(standings, request.GET.get("list"))
    context = {"player": the_player, "standings": standings, "standing": shown}
    if shown is not None:
        context |= on_list(request, the_player, shown)
    return render(request, "portal/player.html", context)


def on_list(request: HttpRequest, the_player: Player, shown: Standing) -> dict[str, Any]:
    """What his page tells of him on one list."""
    history, progress = career(the_player, shown.list), progress_of(the_player, shown.list)
    graph = history.graph
    ratings = [point["rating"] for point in graph]
    bands = bands_within(shown.list.rating_system, ratings) if shown.list.graded else []
    kinds = {"promotion": _("promoted"), "demotion": _("demoted"), "waiting": _("earned, needs approval")}
    return {
        "career": history,
        "corrections": corrections_of(the_player, shown.list)[:CORRECTIONS],
        "rating_list": shown.list,
        "graph": {"points": graph, "bands": bands, "decimals": shown.list.rating_system.decimals, "kinds": kinds},
        "games": Paginator(history.games, GAMES_PER_PAGE).get_page(request.GET.get("page")),
        "prior": shown.list.members.filter(player=the_player).exclude(prior_grade="").first(),
        "grades": grade_history(the_player, shown, history.awards) if shown.list.graded else [],
        "progress": progress and told(progress, shown, shown.list, own=is_own(request, the_player)),
    }


@require_safe
def calculator(request: HttpRequest, public_id: str) -> HttpResponse:
    """What imagined games would do to a player's rating and grade."""
    the_player = get_object_or_404(Player, public_id=public_id)
    if the_player.merged_into is not None:
        return redirect(reverse("calculator", args=[the_player.merged_into.public_id]))
    standings = public_standings(the_player)
    shown = chosen(standings, request.GET.get("list"))
    if shown is None:
        raise Http404
    rows = rows_asked(request.GET.get("rows", ""))
    games = imagined_games(request.GET, rows, round(shown.rating or 0), shown.list.rating_system)
    context = {"player": the_player, "standing": shown, "standings": standings, "rating_list": shown.list,
               "games": games, "more": rows + 1 if rows < MOST_GAMES else None}  # fmt: skip
    if games.is_bound and games.is_valid():
        context |= imagined(request, the_player, shown, games)
    return render(request, "portal/calculator.html", context)


def imagined(request: HttpRequest, the_player: Player, shown: Standing, games: BaseFormSet[GameForm]) -> dict[str, Any]:
    given = [(form.cleaned_data["rating"], form.cleaned_data["score"]) for form in games if form.has_changed()]
    try:
        found = imagine(the_player, shown.list, given, timezone.now().date())
    except ValueError as error:
        return {"problem": str(error)}
    if found is None:
        return {"problem": _("This list is being rated anew; ask again in a while.")}
    own = is_own(request, the_player)
    progress = found.progress and told(found.progress, found.standing, shown.list, own=own)
    names = {f"opponent {number}": _("Game %(number)d") % {"number": number} for number in range(1, len(given) + 1)}
    return {"imagined": found, "names": names, "progress": progress}


def rows_asked(written: str) -> int:
    return min(max(int(written), 1), MOST_GAMES) if written.isascii() and written.isdigit() and len(written) < 3 else 1


def is_own(request: HttpRequest, the_player: Player) -> bool:
    return the_player.account_id is not None and the_player.account_id == request.user.pk


def chosen(standings: list[Standing], slug: str | None) -> Standing | None:
    """The standing on the list asked for, else on the first."""
    return next((standing for standing in standings if standing.list.slug == slug), next(iter(standings), None))
