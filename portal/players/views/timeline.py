from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from portal.players.timeline import step_line, timeline_of
from portal.site.redirects import redirect_to_next
from portal.site.views.access import require
from ratings.access import Action
from ratings.domain.players.erasure_requests import may_erase
from ratings.domain.site.undoing import describe_undo, undo_step
from ratings.models import Player, RecordedStep
from ratings.queries.players.claims import player_of_user
from ratings.queries.players.erasure_requests import find_open_request
from ratings.queries.players.player_details import describe, players_with_details

OWN_STEPS = (RecordedStep.What.VISIBILITY_CHANGED, RecordedStep.What.ERASURE_REQUESTED)
"""Steps that users undo on their own page."""


@login_required
def player_timeline(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the changes to a player's data, and which of them can be undone."""
    require(request, Action.KEEP_PLAYERS)
    player = get_object_or_404(Player.objects.select_related("merged_into"), public_id=public_id)
    described = players_with_details([public_id])[public_id]
    context = {
        "player": player,
        "described": describe(described),
        "steps": timeline_of(player),
        "may_erase": player.erased_at is None and may_erase(request.user, player),
        "may_request": player.erased_at is None and find_open_request(player) is None,
    }
    return render(request, "players/player_timeline.html", context)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def undo_recorded_step(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo a step and return to the page that lists it; GET asks whether to undo an import."""
    require(request, Action.KEEP_PLAYERS)
    step = get_object_or_404(RecordedStep, pk=pk)
    if request.method == "POST":
        undo_with_message(request, step)
        return redirect_to_next(request, get_page_of_step(step))
    line = step_line(step)
    if not (line.asks_first and line.undo_url):
        return redirect(get_page_of_step(step))
    context = {
        "title": _("Undo the import of %(files)s?") % {"files": line.reason},
        "depends": describe_undo(step),
        "button": _("Undo the import"),
        "asks_reason": True,
        "next": get_page_of_step(step),
    }
    return render(request, "results/confirm.html", context)


def get_page_of_step(step: RecordedStep) -> str:
    """Return the path of the page that lists a step: the player's time line, the list's imports or the queue."""
    if step.player is not None:
        return reverse("player_timeline", args=[step.player.public_id])
    return reverse("import_list", args=[step.list.slug]) if step.list is not None else reverse("queue")


@login_required
@require_POST
def undo_own_step(request: HttpRequest, pk: int) -> HttpResponse:
    """Undo a change of how the public sees the user's own player, or withdraw their request to be erased."""
    player = player_of_user(request.user)
    if player is None:
        raise PermissionDenied
    step = get_object_or_404(player.recorded_steps, pk=pk, what__in=OWN_STEPS)
    undo_with_message(request, step)
    return redirect("me")


def undo_with_message(request: HttpRequest, step: RecordedStep) -> None:
    reason = request.POST.get("reason", "").strip()
    try:
        warning = undo_step(step, reason=reason)
    except ValidationError as error:
        note = [_("Your reason was: “%(reason)s”.") % {"reason": reason}] if reason else []
        messages.error(request, " ".join(error.messages + note))
        return
    messages.success(request, _("Undone."))
    if warning:
        messages.warning(request, warning)
