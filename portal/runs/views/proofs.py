"""Proofs that a player's rating is in a published list: their page, and each proof as a text."""

import datetime as dt

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from portal.players.careers import RequestedPlayer, player_view
from portal.site.public_ids import by_public_id
from ratings.models import Player
from ratings.queries.runs.published_proofs import (
    ChangedLineError,
    find_provable_line,
    list_provable_lines,
    prove_line,
)


@player_view
def player_proof(request: HttpRequest, requested: RequestedPlayer) -> HttpResponse:
    """Show the published ratings of a player for which there is a proof."""
    context = {
        "player": requested.player,
        "lines": list_provable_lines(requested.player),
        "rating_list": requested.standing.list if requested.standing else None,
        "site": settings.SITE_ADDRESS,
    }
    return render(request, "runs/player_proof.html", context)


@require_safe
def player_proof_file(request: HttpRequest, public_id: str, slug: str, day: dt.date) -> HttpResponse:
    """Return the proof that a player's rating is in a published list, as text.

    The id is that in the list, also of a player who was merged into another one since.
    """
    player = by_public_id(Player.objects.select_related("merged_into"), public_id)
    provable = find_provable_line(player, slug, day)
    if provable is None:
        raise Http404
    try:
        proof = prove_line(provable)
    except ChangedLineError:
        text = _("The stored rating is not the one that was published. Please report this error.")
        return HttpResponse(f"{text}\n", status=409, content_type="text/plain; charset=utf-8")
    name = f"{player.public_id}-{slug}-{day}.txt"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(proof, content_type="text/plain; charset=utf-8", headers=headers)
