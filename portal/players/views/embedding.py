"""Badge of a player for other websites, and the page with the HTML to copy."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control

from portal.charts.badge import HEIGHT, Badge, draw_badge
from portal.players.careers import RequestedPlayer, player_view
from portal.site.embedding import picture, write_picture
from portal.templatetags.portal_format import MARKS, rating
from ratings.models import Federation


def make_badge(requested: RequestedPlayer) -> Badge:
    """Return the badge of a player on a list, with the name that the public sees."""
    standing, name = requested.standing, requested.player.public_name
    if standing is None:
        return Badge(name, _("not rated yet"), "–", "", Federation.House.SLATE)
    the_list = standing.list
    shown = f"{rating(standing.rating, the_list)}{MARKS.get(standing.category, '')}"
    return Badge(name, the_list.label, shown, standing.grade if the_list.has_grades else "", the_list.federation.house)


@picture
@cache_control(public=True, no_cache=True)
@player_view
def badge(_request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    """Return the badge of a player as SVG: on the list in the query, else on the first one."""
    return HttpResponse(draw_badge(make_badge(requested)), content_type="image/svg+xml")


@player_view
def embed_player(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    """Show the HTML that shows a player's badge on another site, with a preview."""
    player, standing, made = requested.player, requested.standing, make_badge(requested)
    path = reverse("player_badge", args=[player.public_id])
    query = {"list": standing.list.slug} if standing else {}
    # neither name nor rating are copied: they can change, and the picture has them
    page = reverse("player", args=[player.public_id])
    text = _("Current rating, %(list)s") % {"list": made.label}
    context = {
        "player": player,
        "standing": standing,
        "standings": requested.standings,
        "rating_list": standing.list if standing else None,
        "badge": made,
        "height": HEIGHT,
        "path": path,
        "code": write_picture(path, query, page, text, HEIGHT),
    }
    return render(request, "players/embed_player.html", context)
