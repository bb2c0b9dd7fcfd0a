"""The calculator of a list: for anybody with a rating, and for a whole tournament."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe
from django_ratelimit.core import is_ratelimited

from portal.limits import address_of
from portal.reckoning import AnybodyForm, TournamentForm
from portal.views.lists import shown_list
from ratings.domain.imagining import imagine_tournament
from ratings.models import RatingList
from ratings.queries.progress import imagine_anybody
from ratings.translating import translated


@require_safe
def anybody(request: HttpRequest, slug: str) -> HttpResponse:
    rating_list = shown_list(request, slug)
    asked = bool(request.GET.get("games", "").strip())
    form = AnybodyForm(rating_list, request.GET if asked else None)
    context: dict[str, Any] = {"rating_list": rating_list, "form": form}
    if asked and form.is_valid():
        context |= reckoned(rating_list, form)
    return render(request, "portal/list_calculator.html", context)


def reckoned(rating_list: RatingList, form: AnybodyForm) -> dict[str, Any]:
    given = form.cleaned_data
    try:
        found = imagine_anybody(rating_list, form.opening(), given["games"], timezone.now().date())
    except ValueError as error:
        return {"problem": translated(str(error))}
    names = {f"opponent {n}": _("Game %(number)d") % {"number": n} for n in range(1, len(given["games"]) + 1)}
    return {"imagined": found, "names": names}


RATE = "20/m"


@require_http_methods(["GET", "HEAD", "POST"])
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    rating_list = shown_list(request, slug)
    form = TournamentForm(request.POST, request.FILES) if request.method == "POST" else TournamentForm()
    context: dict[str, Any] = {"rating_list": rating_list, "form": form}
    if is_ratelimited(request, group="tournament", key=address_of, rate=RATE, method="POST", increment=True):
        context["told"] = _("These are many tournaments in a minute. Please come back in a while.")
        return render(request, "portal/tournament.html", context, status=429)
    if form.is_bound and form.is_valid():
        context["imagined"] = imagine_tournament(rating_list, form.data_given(), timezone.now().date())
    return render(request, "portal/tournament.html", context)
