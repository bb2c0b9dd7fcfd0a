from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from portal.players.forms.merging import MergeSide
from portal.site.redirects import redirect_to_next
from portal.site.views.access import require
from ratings.access import Action
from ratings.domain.lists.list_permissions import NotOfficerError
from ratings.domain.players.merging import merge_players, preview_merge, undo_merge
from ratings.domain.runs.previewing import TABLES_PER_REQUEST
from ratings.localize import format_day
from ratings.models import Merge, Player
from ratings.queries.players.duplicates import have_different_births, probable_duplicates
from ratings.queries.players.player_details import describe_details, players_with_details

RECENT = 50
TEMPLATE = "players/merge.html"


@login_required
def duplicates(request: HttpRequest) -> HttpResponse:
    """Show pairs of players with nearly the same names, and the latest merges."""
    require(request, Action.KEEP_PLAYERS)
    merges = Merge.objects.select_related("gone", "kept", "by", "undone_by")[:RECENT]
    pairs = probable_duplicates()
    known = players_with_details([], [player.pk for pair in pairs for player in (pair.first, pair.second)])
    context = {
        "pairs": [(_add_details(pair.first, known), _add_details(pair.second, known)) for pair in pairs],
        "merges": merges,
    }
    return render(request, "players/duplicates.html", context)


class DescribedPlayer(NamedTuple):
    """A player with the details that tell namesakes apart, among them the public id."""

    player: Player
    details: str


def _add_details(player: Player, known: Mapping[str, Player]) -> DescribedPlayer:
    return DescribedPlayer(player, f"{describe_details(known[player.public_id])}, {player.public_id}")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def merge_page(request: HttpRequest) -> HttpResponse:
    """Find two players, show what merging them would do, and merge them."""
    require(request, Action.KEEP_PLAYERS)
    data = request.POST if request.method == "POST" else request.GET
    source, target = MergeSide("gone", data), MergeSide("kept", data)
    context: dict[str, Any] = {"sides": (source, target)}
    if source.player is None or target.player is None:
        return render(request, TEMPLATE, context, status=404 if source.is_unknown or target.is_unknown else 200)
    context |= {
        "gone": source.player,
        "kept": target.player,
        "reason": data.get("reason", ""),
        "births": _describe_births(source.player, target.player),
    }
    try:
        if request.method == "POST":
            merge_players(source.player, target.player, reason=request.POST.get("reason", "").strip())
            messages.success(request, _("Players merged. The lists are being rated again."))
            return redirect("player_timeline", target.player.public_id)
        at_most = None if "ratings" in request.GET else TABLES_PER_REQUEST
        context["previews"] = preview_merge(source.player, target.player, tables_at_most=at_most)
    except NotOfficerError as error:
        return render(request, TEMPLATE, context | {"problems": [str(error)]}, status=403)
    except ValidationError as error:
        return render(request, TEMPLATE, context | {"problems": error.messages}, status=422)
    return render(request, TEMPLATE, context)


def _describe_births(gone: Player, kept: Player) -> str:
    """Return a warning that two players were born in different years or on different days; empty if they were not."""
    if not have_different_births(gone, kept):
        return ""
    both = gone.birth_date and kept.birth_date
    births = [format_day(player.birth_date) if both else str(player.year_of_birth) for player in (gone, kept)]
    values = {"gone": gone.public_id, "kept": kept.public_id, "first": births[0], "second": births[1]}
    text = _(
        "The dates of birth differ: %(first)s (%(gone)s) and %(second)s (%(kept)s)."
        " They are probably two different people."
    )
    return text % values


@login_required
@require_POST
def undo_merge_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo a merge or a move of results, and return to the page that the button was on."""
    require(request, Action.KEEP_PLAYERS)
    record = get_object_or_404(Merge, pk=pk)
    try:
        unchanged_tables = undo_merge(record)
    except ValidationError as error:
        messages.error(request, " ".join(error.messages))
    else:
        messages.success(request, _("Undone. The lists are being rated again."))
        for table in unchanged_tables:
            warning = _("%(player)s is no longer in %(table)s, so that table was not changed.")
            messages.warning(request, warning % {"player": record.kept, "table": table})
    return redirect_to_next(request, reverse("duplicates"))
