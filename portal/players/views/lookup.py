"""Page on which many players are looked up at once, by names and ids, with the result as a page or as CSV."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods
from django_ratelimit.core import is_ratelimited

from portal.middleware.limits import address_of
from portal.players.forms.lookup import LookupForm, apply_choices
from portal.site.files import encoded
from ratings.formats.list_rows import ListRow, LookedUpRow, write_lookup_csv
from ratings.models import RatingList
from ratings.queries.lists.lists import public_lists
from ratings.queries.players.lookup import ListedPlayer, LookedUpLine, look_up_players

RATE = "20/m"


@require_http_methods(["GET", "HEAD", "POST"])
def lookup(request: HttpRequest) -> HttpResponse:
    lists = {one.slug: one for one in public_lists().order_by("pk")}
    if not lists:
        raise Http404
    data = apply_choices(request.POST) if request.method == "POST" else None
    form = LookupForm(lists.values(), data, request.GET.get("list", ""))
    context: dict[str, Any] = {"form": form, "rating_list": lists.get(str(form["list"].value()))}
    if is_ratelimited(request, group="lookup", key=address_of, rate=RATE, method="POST", increment=True):
        context["message"] = _("Too many look-ups. Try again in a minute.")
        return render(request, "players/lookup.html", context, status=429)
    if form.is_bound and form.is_valid():
        rating_list = lists[form.cleaned_data["list"]]
        found = look_up_players(list(form.lines.values()), rating_list, timezone.localdate())
        if "csv" in request.POST:
            return csv_response(found, rating_list)
        context |= result_context(dict(zip(form.lines, found, strict=True)))
    return render(request, "players/lookup.html", context)


def result_context(lines: Mapping[int, LookedUpLine]) -> dict[str, Any]:
    """Return the lines by number, those for which a candidate has to be chosen, and how many players were found."""
    return {
        "lines": lines,
        "questions": {number: line for number, line in lines.items() if line.candidates},
        "found": sum(1 for line in lines.values() if line.found),
    }


def csv_response(lines: list[LookedUpLine], rating_list: RatingList) -> HttpResponse:
    rows = [describe_row(line, has_grades=rating_list.has_grades) for line in lines]
    body, charset = encoded(write_lookup_csv(rows, rating_list.decimals), latin1=False)
    headers = {"Content-Disposition": f'attachment; filename="{rating_list.slug}-lookup.csv"'}
    return HttpResponse(body, content_type=f"text/csv{charset}", headers=headers)


def describe_row(line: LookedUpLine, *, has_grades: bool) -> LookedUpRow:
    """Return a line for the file; a name that is only similar to the player's is marked in the verdict."""
    if line.found is None:
        return LookedUpRow(line.text, line.verdict.value)
    ids = line.found.outside_ids
    outside = {each.registry: each.value for each in ids if not each.country}
    national = [f"{each.country} {each.value}" for each in ids if each.country]
    verdict = f"{line.verdict.value}, similar name" if line.is_similar else line.verdict.value
    person = name_person(line.found)
    standing = line.found.standing
    if standing is None or standing.rating is None:
        return LookedUpRow(line.text, verdict, None, person, outside, national)
    row = ListRow(
        line.found.rank,
        *person,
        standing.grade if has_grades else "",
        standing.rating,
        standing.games,
        standing.category,
        standing.last_played,
        line.found.deviation,
    )
    return LookedUpRow(line.text, verdict, row, person, outside, national)


def name_person(found: ListedPlayer) -> tuple[str, str, str, str, str]:
    """Return a player's id, family name, given name, country and club, as the public may see them."""
    player = found.player
    club = found.club.name if found.club else ""
    return player.public_id, player.public_family, player.public_given, str(player.country), club
