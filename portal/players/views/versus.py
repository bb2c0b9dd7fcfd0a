"""Two players head to head, and up to five on one graph."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from portal.careers import RANGES, Asked, asked_player, graph_data, of_player, points_told, range_asked, since
from portal.charts import picture, pictures, sent
from portal.comparing import MOST, Comparing, comparing
from portal.templatetags.portal_format import rating
from ratings.queries.careers import Career
from ratings.queries.games import played_games, players_meant
from ratings.queries.versus import lists_of_both, scores_among
from ratings.queries.versus import versus as versus_of


@require_safe
def versus(request: HttpRequest, public_id: str, rival_id: str) -> HttpResponse:
    """Also of two who never met, and of two who stand on no list together."""
    one, other = asked_player(request, public_id), asked_player(request, rival_id)
    kept = [asked.player.merged_into or asked.player for asked in (one, other)]
    if kept[0] == kept[1]:
        raise Http404
    if kept != [one.player, other.player]:
        return redirect(reverse("versus", args=[player.public_id for player in kept]))
    mine, theirs = ({standing.list_id: standing for standing in asked.standings} for asked in (one, other))
    shared = lists_of_both(one.player, other.player, mine, theirs)
    context = {"player": one.player, "rival": other.player, "shared": shared}
    chosen = next((a_list for a_list in shared if a_list.slug == request.GET.get("list")), next(iter(shared), None))
    if chosen is not None:
        found = versus_of(one.player, other.player, chosen, mine, theirs)
        leads = {one.row.pk: one.lead for one in found.met}
        games = [(played, leads[played.row.pk]) for played in played_games([one.row for one in found.met])]
        context |= {"versus": found, "rating_list": chosen, "games": games}
    return render(request, "portal/versus.html", context)


@of_player
def choose(request: HttpRequest, asked: Asked) -> HttpResponse:
    """Whom to meet: a name or public id, or one of those whom he has met."""
    standing, _ = asked.shown
    text = request.GET.get("rival", "").strip()
    found = [player for player in players_meant(text) if player != asked.player] if text else []
    if len(found) == 1:
        address = reverse("versus", args=[asked.player.public_id, found[0].public_id])
        return redirect(f"{address}?list={standing.list.slug}")
    context = {"player": asked.player, "rating_list": standing.list, "standing": standing, "asked": asked,
               "text": text, "found": found}  # fmt: skip
    return render(request, "portal/choose_rival.html", context)


@require_safe
def compare(request: HttpRequest) -> HttpResponse:
    asked = comparing(request)
    context: dict[str, Any] = {"asked": asked, "rating_list": asked.rating_list, "most": MOST}
    if asked.careers:
        context |= compared(request, asked)
    return render(request, "portal/compare.html", context)


def compared(request: HttpRequest, asked: Comparing) -> dict[str, Any]:
    met = asked.players if len(asked.lists) == 1 else []  # scores are those of one list
    scores = scores_among(met, asked.lists[0])
    within = range_asked(request)
    series = [(name, points_told(career)) for name, career in zip(asked.names, asked.careers, strict=True)]
    finest = max(asked.lists, key=lambda one: one.rating_system.decimals)
    return {
        "graph": {
            "data": graph_data(finest, series, [], within),
            "ranges": RANGES,
            **pictures("compare_graph", request.GET.urlencode()),
        },
        "rows": [
            (career, standing, [scores.get((career.player.pk, other.pk)) for other in met])
            for career, standing in zip(asked.careers, asked.standings, strict=True)
        ],
        "yearly": yearly(asked.careers),
    }


def yearly(careers: list[Career]) -> list[tuple[int, list[str]]]:
    """The rating of each at the end of every year since the first of them had one, newest first."""
    known = [point.day.year for career in careers for point in career.rated]
    years = range(max(known), min(known) - 1, -1) if known else ()
    return [(year, [rating(at_the_end(career, year), career.rating_list) for career in careers]) for year in years]


def at_the_end(career: Career, year: int) -> float | None:
    """Of a year; None before he had a rating."""
    until = [point.after for point in career.rated if point.day.year <= year]
    return until[-1] if until else None


@require_safe
@picture
def compare_graph(request: HttpRequest, form: str) -> HttpResponse:
    from portal.charts.base import theme_named  # noqa: PLC0415 - takes half a second to load
    from portal.charts.ratings import Curve, draw_ratings  # noqa: PLC0415 - the same

    asked, within = comparing(request), range_asked(request)
    if not asked.careers:
        raise Http404
    first = max((since(career, within) for career in asked.careers), default=None)
    curves = [
        Curve(name, [(p.day, p.after or 0) for p in career.rated if first is None or p.day >= first])
        for name, career in zip(asked.names, asked.careers, strict=True)
    ]
    return sent(draw_ratings(curves, theme_named(request.GET.get("theme"))), form)
