"""Admin actions on the selected objects, all of them for officers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib import admin, messages
from django.core.exceptions import ValidationError
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.access import Action, may
from ratings.domain.lists.adjustments import rate_from_the_beginning
from ratings.domain.players.visibility import set_visibility
from ratings.domain.results.accepting import accept
from ratings.domain.site.reports import decline_report
from ratings.models import Event, NameVisibility, Player, RatingList, Report

M = TypeVar("M", bound=Model)
Screen = admin.ModelAdmin[Any]


def _act_on_each(
    screen: Screen, request: HttpRequest, objects: QuerySet[M], right: Action, act: Callable[[M], object], done: str
) -> None:
    """Do an action on each object, and show a message for each one that fails, without stopping."""
    changed = []
    for target in objects:
        if not may(request.user, right, target):
            text = _("%(one)s is for the officers of its lists.") % {"one": target}
            screen.message_user(request, text, messages.ERROR)
            continue
        try:
            act(target)
        except ValidationError as error:
            screen.message_user(request, f"{target}: {' '.join(error.messages)}", messages.ERROR)
        else:
            changed.append(str(target))
    if changed:
        screen.message_user(request, f"{done} {', '.join(changed)}", messages.SUCCESS)


@admin.action(description=gettext_lazy("Accept the submitted results of the selected events"), permissions=["officer"])
def accept_submitted(screen: Screen, request: HttpRequest, queryset: QuerySet[Event]) -> None:
    _act_on_each(screen, request, queryset, Action.REVIEW, accept, _("Accepted and being rated:"))


def _visibility_action(
    name: str,
    description: Any,
    visibility: str | None = None,
    *,
    birth_public: bool | None = None,
    gender_public: bool | None = None,
) -> Any:
    """Return an action that changes how the public sees the selected players; what is not given stays as it is."""

    @admin.action(description=description, permissions=["officer"])
    def change_visibility(screen: Screen, request: HttpRequest, queryset: QuerySet[Player]) -> None:
        def change(player: Player) -> None:
            shown = visibility or player.shown
            set_visibility(player, shown, birth_public=birth_public, gender_public=gender_public)

        _act_on_each(screen, request, queryset, Action.KEEP_PLAYERS, change, _("Changed:"))

    change_visibility.__name__ = name
    return change_visibility


HIDE_OR_SHOW = [
    _visibility_action("show_in_full", gettext_lazy("Show the selected players by full name"), NameVisibility.FULL),
    _visibility_action("show_initials", gettext_lazy("Show the selected players by initials"), NameVisibility.INITIALS),
    _visibility_action(
        "show_anonymously", gettext_lazy("Show the selected players anonymously"), NameVisibility.ANONYMOUS
    ),
    _visibility_action(
        "show_birth_year", gettext_lazy("Show the birth year of the selected players"), birth_public=True
    ),
    _visibility_action(
        "hide_birth_year", gettext_lazy("Hide the birth year of the selected players"), birth_public=False
    ),
    _visibility_action("show_gender", gettext_lazy("Show the gender of the selected players"), gender_public=True),
    _visibility_action("hide_gender", gettext_lazy("Hide the gender of the selected players"), gender_public=False),
]


@admin.action(description=gettext_lazy("Close the selected reports without an answer (spam)"), permissions=["officer"])
def decline(screen: Screen, request: HttpRequest, queryset: QuerySet[Report]) -> None:
    _act_on_each(screen, request, queryset, Action.KEEP_PLAYERS, decline_report, _("Closed:"))


@admin.action(description=gettext_lazy("Rate the selected lists again from the beginning"), permissions=["officer"])
def rate_again(screen: Screen, request: HttpRequest, queryset: QuerySet[RatingList]) -> None:
    _act_on_each(screen, request, queryset, Action.KEEP_LIST, rate_from_the_beginning, _("Being rated again:"))


@admin.action(description=gettext_lazy("Merge the two selected players"), permissions=["officer"])
def merge_two(screen: Screen, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
    """Redirect to the page that previews the merge; the player entered first remains."""
    ids = list(queryset.order_by("pk").values_list("public_id", flat=True)[:3])
    if len(ids) != 2:
        screen.message_user(request, _("Select two players."), messages.ERROR)
        return None
    return redirect(f"{reverse('merge_players')}?{urlencode({'kept': ids[0], 'gone': ids[1]})}")
