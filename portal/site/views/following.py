"""Pages that the user follows: following from a page, choosing how often mails come, and ending them by a link."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from portal.site.public_ids import by_public_id
from ratings.domain.site.acting import acting_user
from ratings.domain.site.following import MAX_FOLLOWS, read_unsubscribing, set_frequencies, stop_following, unsubscribe
from ratings.domain.site.following import follow as start_following
from ratings.models import TARGETS, Club, Event, Follow, MailFrequency, Player, RatingList
from ratings.queries.events.events import events_with_page
from ratings.queries.lists.lists import public_lists
from ratings.queries.players.claims import player_of_user
from ratings.queries.site.following import Target, find_follow, follows_of, own_frequency

HEADINGS = {
    "player": gettext_lazy("Players"),
    "club": gettext_lazy("Clubs"),
    "event": gettext_lazy("Events"),
    "list": gettext_lazy("Lists"),
}


class FrequencyForm(forms.Form):
    """Choices of how often mails come about each followed page and about corrections of the user's own rating."""

    def __init__(self, follows: list[Follow], own: str, data: Any = None) -> None:
        super().__init__(data)
        self.follows = follows
        own_label = _("Corrections of my rating without a new game")
        self.fields["own"] = forms.ChoiceField(
            label=own_label, choices=MailFrequency.choices, initial=own, required=False
        )
        for follow in follows:
            self.fields[f"follow-{follow.pk}"] = forms.ChoiceField(
                label=str(follow), choices=MailFrequency.choices, initial=follow.frequency, required=False
            )

    @property
    def groups(self) -> list[tuple[object, list[tuple[Follow, forms.BoundField]]]]:
        """The followed pages with their fields, by kind."""
        rows: dict[str, list[tuple[Follow, forms.BoundField]]] = {name: [] for name in TARGETS}
        for follow in self.follows:
            name = next(name for name in TARGETS if getattr(follow, f"{name}_id") is not None)
            rows[name].append((follow, self[f"follow-{follow.pk}"]))
        return [(HEADINGS[name], lines) for name, lines in rows.items() if lines]

    @property
    def frequencies(self) -> dict[int, str]:
        """The chosen frequencies by primary key; the button `all` chooses the same for all pages."""
        for_all = self.data.get("all", "")
        chosen = {follow.pk: for_all or self.cleaned_data[f"follow-{follow.pk}"] for follow in self.follows}
        return {pk: frequency for pk, frequency in chosen.items() if frequency}


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def following(request: HttpRequest) -> HttpResponse:
    """Show everything that the user follows, save how often they get mails, and stop following a page."""
    user = acting_user()
    assert user is not None
    follows = follows_of(user)
    form = FrequencyForm(follows, own_frequency(user), request.POST if request.method == "POST" else None)
    status = 200
    if request.method == "POST":
        if form.is_valid():
            try:
                set_frequencies(user, form.frequencies, form.cleaned_data["own"] or None)
            except ValidationError as error:
                form.add_error(None, error)
            else:
                messages.success(request, _("Saved."))
                if (stopped := request.POST.get("stop", "")).isdecimal():
                    _stop(request, int(stopped))
                return redirect("following")
        status = 422
    context = {"form": form, "player": player_of_user(user), "limit": MAX_FOLLOWS, "number": len(follows)}
    return render(request, "site/following.html", context, status=status)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def follow(request: HttpRequest, kind: str, key: str) -> HttpResponse:
    """Follow a page, or stop that, by the button on it; other requests, as after signing in, lead to the page."""
    target = _find_target(kind, key)
    user = acting_user()
    assert user is not None
    if request.method == "POST":
        existing = find_follow(user, target)
        if "stop" in request.POST:
            if existing is not None:
                _stop(request, existing.pk)
        else:
            try:
                started = start_following(user, target)
            except ValidationError as error:
                messages.error(request, " ".join(error.messages))
            else:
                text = _(
                    "You now follow %(page)s and get emails immediately. You can change how often on “Pages I follow”."
                )
                messages.success(request, text % {"page": started})
    return redirect(target)


def _stop(request: HttpRequest, pk: int) -> None:
    user = acting_user()
    assert user is not None
    stopped = stop_following(user, pk)
    if stopped is not None:
        messages.success(request, _("You no longer follow %(page)s.") % {"page": stopped})


def _find_target(kind: str, key: str) -> Target:
    """Return the player, club, event or list with this public id or slug that has a public page, or raise Http404."""
    target: Player | Club | Event | RatingList | None
    if kind == "list":
        target = public_lists().filter(slug=key).first()
    elif kind == "event":
        target = by_public_id(events_with_page(), key)
    elif kind == "player":
        target = by_public_id(Player.objects.all(), key)
    else:
        target = by_public_id(Club.objects.all(), key)
    if target is None:
        raise Http404
    return target


@never_cache
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe_page(request: HttpRequest, token: str) -> HttpResponse:
    """Ask whether to end all mails about followed pages, and end them on POST, also without a browser (RFC 8058).

    The signed token replaces signing in and the CSRF token.
    """
    user = read_unsubscribing(token)
    if user is None:
        raise Http404
    if request.method == "POST":
        unsubscribe(user)
    return render(request, "site/unsubscribe.html", {"is_done": request.method == "POST"})
