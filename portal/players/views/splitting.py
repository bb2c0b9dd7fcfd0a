from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from portal.splitting import SplitForm
from ratings.access import Action
from ratings.domain.giving import give_tables, preview_given
from ratings.models import Event, Player
from ratings.queries.roster import describe, described_players, players_named
from ratings.queries.seats import seats_of

from .access import require

TEMPLATE = "portal/organise/split.html"


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def split(request: HttpRequest) -> HttpResponse:
    """A player's tables, all or those of one event, of which some are given to another: looked at first, then done."""
    require(request, Action.KEEP_PLAYERS)
    given = request.POST if request.method == "POST" else request.GET
    asked = given.get("player", "").strip()
    player = described_players([asked]).get(asked)
    event = get_object_or_404(Event, public_id=given["event"]) if given.get("event") else None
    if player is None:
        return render(request, TEMPLATE, {"asked": asked}, status=404 if asked else 200)
    seats = seats_of(player, event)
    form = SplitForm(request.POST if request.method == "POST" else None, seats)
    marked = form.marked if form.is_bound or event is None else list(form.seats)
    context = {"player": player, "described": describe(player), "event": event, "seats": seats, "form": form}
    context |= {"marked": [int(pk) for pk in marked], "candidates": candidates_of(form, player)}
    if request.method != "POST" or "search" in request.POST:
        return render(request, TEMPLATE, context)
    if not form.is_valid():
        return render(request, TEMPLATE, context | {"problems": form.told()}, status=422)
    tables, other = form.cleaned_data["tables"], form.cleaned_data["other"]
    try:
        if "give" in request.POST:
            give_tables(tables, player, other, reason=form.cleaned_data["reason"])
            messages.success(request, _("Done; the lists are being rated again."))
            return redirect("organise_event", event.public_id) if event else redirect("duplicates")
        context |= {"previews": preview_given(tables, player, other), "other": other}
    except ValidationError as error:
        return render(request, TEMPLATE, context | {"problems": error.messages}, status=422)
    return render(request, TEMPLATE, context)


def candidates_of(form: SplitForm, giver: Player) -> list[tuple[Player, str]]:
    """Whom the name that was looked for may mean, with what tells them apart."""
    text = form.data.get("name", "").strip()
    return [(player, describe(player)) for player in players_named(text) if player != giver] if text else []
