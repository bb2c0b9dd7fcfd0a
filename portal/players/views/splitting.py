from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from portal.players.forms.moving_results import SplitForm
from portal.site.views.access import require
from ratings.access import Action
from ratings.domain.lists.list_permissions import NotOfficerError
from ratings.domain.players.reassign_results import move_results, preview_move
from ratings.domain.runs.previewing import TABLES_PER_REQUEST
from ratings.models import Event, Player
from ratings.queries.events.player_tables import player_tables
from ratings.queries.players.player_details import describe, players_with_details
from ratings.queries.players.suggestions import suggest_players

TEMPLATE = "players/split.html"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def move_results_page(request: HttpRequest) -> HttpResponse:
    """Preview and make a move of some of a player's tables, of all events or of one, to another player."""
    require(request, Action.KEEP_PLAYERS)
    data = request.POST if request.method == "POST" else request.GET
    public_id = data.get("player", "").strip()
    player = players_with_details([public_id]).get(public_id)
    event = get_object_or_404(Event, public_id=data["event"]) if data.get("event") else None
    if player is None:
        return render(request, TEMPLATE, {"asked": public_id}, status=404 if public_id else 200)
    seats = player_tables(player, event)
    form = SplitForm(request.POST if request.method == "POST" else None, seats)
    marked = form.marked if form.is_bound or event is None else list(form.seats)
    context = {"player": player, "described": describe(player), "event": event, "seats": seats, "form": form}
    context |= {"marked": [int(pk) for pk in marked], "candidates": find_candidates(form, player)}
    if request.method != "POST" or "search" in request.POST:
        return render(request, TEMPLATE, context)
    if not form.is_valid():
        return render(request, TEMPLATE, context | {"problems": form.error_messages()}, status=422)
    tables, other = form.cleaned_data["tables"], form.cleaned_data["other"]
    try:
        if "give" in request.POST:
            move_results(tables, player, other, reason=form.cleaned_data["reason"])
            messages.success(request, _("Results moved. The lists are being rated again."))
            return redirect("organise_event", event.public_id) if event else redirect("duplicates")
        at_most = None if request.POST.get("preview") == "ratings" else TABLES_PER_REQUEST
        context |= {"previews": preview_move(tables, player, other, tables_at_most=at_most), "other": other}
    except (NotOfficerError, ValidationError) as error:
        problems, status = ([str(error)], 403) if isinstance(error, NotOfficerError) else (error.messages, 422)
        return render(request, TEMPLATE, context | {"problems": problems}, status=status)
    return render(request, TEMPLATE, context)


def find_candidates(form: SplitForm, giver: Player) -> list[tuple[Player, str]]:
    """Return the players that the searched name may mean, each with details that distinguish namesakes."""
    text = form.data.get("name", "").strip()
    return [(player, describe(player)) for player in suggest_players(text) if player != giver] if text else []
