"""Pages on which people request to be erased, and officers confirm or decline that."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied, ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from portal.players.timeline import step_line
from portal.site.views.access import require
from ratings.access import Action
from ratings.domain.players.erased_mentions import find_unchanged_mentions
from ratings.domain.players.erased_names import is_account_erased
from ratings.domain.players.erasing import erase_person, is_rated_by_age
from ratings.domain.players.erasure_requests import may_confirm, may_erase, request_erasure
from ratings.domain.players.visibility import list_with_merged
from ratings.models import Player
from ratings.queries.players.claims import player_of_user
from ratings.queries.players.erasure_requests import find_open_request, open_erasure_requests

WITHOUT_NAME = gettext_lazy("Do not enter the name here: this text is not deleted.")


class EraseForm(forms.Form):
    """Reason for erasing a person, and their public id, typed as a check."""

    reason = forms.CharField(label=gettext_lazy("Requested by, and when"), max_length=300, help_text=WITHOUT_NAME)
    public_id = forms.CharField(label=gettext_lazy("Type the public id to confirm"), max_length=12)

    def __init__(self, player: Player, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.player = player

    def clean_public_id(self) -> str:
        typed = str(self.cleaned_data["public_id"])
        if typed.strip().upper() != self.player.public_id:
            raise ValidationError(
                _("This is not the public id of this player: %(id)s.") % {"id": self.player.public_id}
            )
        return typed


class OwnRequestForm(forms.Form):
    """Request of a person to be erased, with an optional message to the officers."""

    reason = forms.CharField(
        label=gettext_lazy("Message to the officers (optional)"),
        max_length=300,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


class RequestForm(forms.Form):
    """Request of an officer to erase a person."""

    reason = forms.CharField(label=gettext_lazy("Requested by, and when"), max_length=300, help_text=WITHOUT_NAME)


def describe_effects(player: Player) -> dict[str, Any]:
    """Return what the pages say about erasing a player: what stays, and for whom."""
    account = player.account
    return {
        "player": player,
        "merged": list_with_merged(player)[1:],
        "keeps_birth_date": player.year_of_birth is not None and is_rated_by_age(player),
        "keeps_account": account is not None and not is_account_erased(account),
    }


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def erase(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show what erasing a person deletes, and erase the person once their public id is typed."""
    require(request, Action.KEEP_PLAYERS)
    player = get_object_or_404(Player.objects.select_related("account"), public_id=public_id)
    if not may_erase(request.user, player):
        raise PermissionDenied
    asked = find_open_request(player)
    initial = {"reason": _("requested on %(day)s") % {"day": f"{asked.at:%Y-%m-%d}"}} if asked else None
    form = EraseForm(player, request.POST or None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            erase_person(player, reason=form.cleaned_data["reason"])
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("The person was erased. Their results stay without a name."))
            return redirect("player_timeline", public_id)
    context = describe_effects(player) | {"form": form, "mentions": find_unchanged_mentions(player)}
    return render(request, "players/erase.html", context, status=422 if form.is_bound else 200)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def request_by_officer(request: HttpRequest, public_id: str) -> HttpResponse:
    """Let an officer request that a person be erased, which another officer confirms."""
    require(request, Action.KEEP_PLAYERS)
    player = get_object_or_404(Player.objects.select_related("account"), public_id=public_id)
    return _show_request(request, player, RequestForm(_posted(request)), "players/request_erasure.html")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def request_own(request: HttpRequest) -> HttpResponse:
    """Show users what erasing their data means, and send their request to the officers."""
    player = player_of_user(request.user)
    if player is None:
        return render(request, "players/request_own_erasure.html", {"player": None}, status=_unlinked_status(request))
    return _show_request(request, player, OwnRequestForm(_posted(request)), "players/request_own_erasure.html")


def _posted(request: HttpRequest) -> Any:
    """Return the sent form, also one without any field, or None if the page was only opened."""
    return request.POST if request.method == "POST" else None


def _unlinked_status(request: HttpRequest) -> int:
    return 422 if request.method == "POST" else 200


def _show_request(request: HttpRequest, player: Player, form: forms.Form, template: str) -> HttpResponse:
    """Show the form of a request and save it; the page also shows the request that waits already."""
    if request.method == "POST" and form.is_valid():
        try:
            request_erasure(player, form.cleaned_data["reason"])
        except ValidationError as error:
            form.add_error(None, error.messages)
        else:
            messages.success(request, _("The erasure was requested. An officer will answer."))
            return redirect("me") if player.account_id == request.user.pk else redirect("erasures")
    waiting = find_open_request(player)
    context = describe_effects(player) | {"form": form, "waiting": step_line(waiting) if waiting else None}
    return render(request, template, context, status=422 if form.is_bound else 200)


@login_required
@require_safe
def erasures(request: HttpRequest) -> HttpResponse:
    """List the requests to erase a person, with links to confirm them and forms to decline them."""
    require(request, Action.KEEP_PLAYERS)
    waiting = [(step_line(step), may_confirm(request.user, step)) for step in open_erasure_requests()]
    return render(request, "players/erasures.html", {"waiting": waiting})
