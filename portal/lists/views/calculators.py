"""Calculators of a list: for any player with games against rated opponents, and for a whole tournament."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_ratelimit.core import is_ratelimited

from portal.lists.calculations import result_context
from portal.lists.calculators import ListCalculatorForm, TournamentForm
from portal.middleware.limits import address_of
from ratings.domain.lists.tournament_calculator import simulate_tournament
from ratings.localize import translate_message
from ratings.models import RatingList
from ratings.queries.grades.progress import simulate_new_player
from ratings.systems.messages import message_of

from .lists import get_visible_list


@require_safe
def list_calculator(request: HttpRequest, slug: str) -> HttpResponse:
    rating_list = get_visible_list(request, slug)
    is_filled_in = bool(request.GET.get("games", "").strip())
    form = ListCalculatorForm(rating_list, request.GET if is_filled_in else None)
    context: dict[str, Any] = {"rating_list": rating_list, "form": form}
    if is_filled_in and form.is_valid():
        context |= calculation_context(rating_list, form)
    return render(request, "lists/list_calculator.html", context)


def calculation_context(rating_list: RatingList, form: ListCalculatorForm) -> dict[str, Any]:
    values = form.cleaned_data
    try:
        outcome = simulate_new_player(rating_list, form.starting_state(), values["games"], timezone.localdate())
    except ValueError as error:
        return {"problem": translate_message(message_of(error))}
    if not form.knows_grade:
        outcome = outcome.without_grades()
    return result_context(outcome, values["games"], rating_list, form.list_assumptions())


RATE = "20/m"


@require_http_methods(["GET", "HEAD", "POST"])
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    rating_list = get_visible_list(request, slug)
    form = TournamentForm(request.POST, request.FILES) if request.method == "POST" else TournamentForm()
    context: dict[str, Any] = {"rating_list": rating_list, "form": form}
    if is_ratelimited(request, group="tournament", key=address_of, rate=RATE, method="POST", increment=True):
        context["message"] = _("Too many calculations. Try again in a minute.")
        return render(request, "lists/tournament.html", context, status=429)
    if form.is_bound and form.is_valid():
        context["imagined"] = simulate_tournament(rating_list, form.read_data(), timezone.localdate())
    return render(request, "lists/tournament.html", context)
