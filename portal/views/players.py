from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.cache import patch_cache_control

from ratings.models import Player, Standing
from ratings.queries.certificates import codes_of
from ratings.queries.corrections import corrections_of
from ratings.queries.players import bands_within, career, public_standings, with_present_club

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
        history = career(the_player, shown.list)
        graph = history.graph
        ratings = [point["rating"] for point in graph]
        bands = bands_within(shown.list.rating_system, ratings) if shown.list.graded else []
        context |= {
            "career": history,
            "certificates": codes_of(shown, history.awards),
            "corrections": corrections_of(the_player, shown.list)[:CORRECTIONS],
            "rating_list": shown.list,
            "graph": {"points": graph, "bands": bands, "decimals": shown.list.rating_system.decimals},
            "games": Paginator(history.games, GAMES_PER_PAGE).get_page(request.GET.get("page")),
            "prior_grade": shown.list.members.filter(player=the_player).values_list("prior_grade", flat=True).first(),
        }
    return render(request, "portal/player.html", context)


def chosen(standings: list[Standing], slug: str | None) -> Standing | None:
    """The standing on the list asked for, else on the first."""
    return next((standing for standing in standings if standing.list.slug == slug), next(iter(standings), None))
