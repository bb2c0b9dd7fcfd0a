"""What staff do with several chosen objects at once; all of it is for officers."""

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
from ratings.domain.outside import rate_from_the_beginning
from ratings.domain.reports import decline_report
from ratings.domain.review import accept
from ratings.models import Event, Player, RatingList, Report

M = TypeVar("M", bound=Model)
Screen = admin.ModelAdmin[Any]


def _each(
    screen: Screen, request: HttpRequest, several: QuerySet[M], right: Action, act: Callable[[M], object], done: str
) -> None:
    """Each by itself: what cannot be or may not be is told, and keeps none of the others back."""
    changed = []
    for one in several:
        if not may(request.user, right, one):
            told = _("%(one)s is for the officers of its lists.") % {"one": one}
            screen.message_user(request, told, messages.ERROR)
            continue
        try:
            act(one)
        except ValidationError as error:
            screen.message_user(request, f"{one}: {' '.join(error.messages)}", messages.ERROR)
        else:
            changed.append(str(one))
    if changed:
        screen.message_user(request, f"{done} {', '.join(changed)}", messages.SUCCESS)


@admin.action(description=gettext_lazy("Accept what was submitted of the chosen events"), permissions=["officer"])
def accept_submitted(screen: Screen, request: HttpRequest, queryset: QuerySet[Event]) -> None:
    _each(screen, request, queryset, Action.REVIEW, accept, _("Accepted, and being rated:"))


@admin.action(description=gettext_lazy("Close the chosen reports without an answer (spam)"), permissions=["officer"])
def decline(screen: Screen, request: HttpRequest, queryset: QuerySet[Report]) -> None:
    _each(screen, request, queryset, Action.KEEP_PLAYERS, decline_report, _("Closed:"))


@admin.action(description=gettext_lazy("Rate the chosen lists again from the beginning"), permissions=["officer"])
def rate_again(screen: Screen, request: HttpRequest, queryset: QuerySet[RatingList]) -> None:
    _each(screen, request, queryset, Action.KEEP_LIST, rate_from_the_beginning, _("Being rated again:"))


@admin.action(description=gettext_lazy("Merge the two chosen players"), permissions=["officer"])
def merge_two(screen: Screen, request: HttpRequest, queryset: QuerySet[Player]) -> HttpResponse | None:
    """Leads to the page that shows what merging would do; whoever was entered first is kept."""
    ids = list(queryset.order_by("pk").values_list("public_id", flat=True)[:3])
    if len(ids) != 2:
        screen.message_user(request, _("Choose two players."), messages.ERROR)
        return None
    return redirect(f"{reverse('merge_players')}?{urlencode({'kept': ids[0], 'gone': ids[1]})}")
