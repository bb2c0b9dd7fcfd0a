import datetime as dt
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from portal.templatetags.portal_format import MARKS, rating
from ratings.models import Club, Event, Player
from ratings.queries.site.search import (
    KINDS,
    MAX_LENGTH,
    SearchResult,
    is_searchable,
    parts_of,
    rows_of,
    search,
    with_public_id,
)

OF_EACH, OF_ONE, SIMILAR, SUGGESTED = 10, 50, 10, 8
PLACES = {"players": 4, "clubs": 2, "events": 2}
CANDIDATES = 4 * SUGGESTED  # some may be on no list
MINUTE = 60
TITLES = {"players": _("Players"), "clubs": _("Clubs"), "events": _("Events")}


@dataclass(frozen=True)
class Hit:
    """A search result: its kind, name, details that distinguish it from namesakes, and address."""

    word: str
    name: str
    native: str
    details: str
    address: str


def hit_of(row: Player | Club | Event) -> Hit:
    if isinstance(row, Player):
        return Hit(gettext("player"), str(row), row.public_native, joined(details_of(row)), row.get_absolute_url())
    if isinstance(row, Club):
        return Hit(gettext("club"), row.name, "", joined([row.city, row.country.name]), row.get_absolute_url())
    days = f"{row.start:%Y-%m-%d}" + (f" – {row.end:%Y-%m-%d}" if row.end != row.start else "")
    return Hit(gettext("event"), row.name, "", joined([days, row.place, row.country.name]), row.get_absolute_url())


def details_of(player: Any) -> Iterable[str]:
    """Yield a player's country, club, and first list with grade and rating; no club of anonymous players."""
    yield player.country.name
    if not player.is_anonymous:
        yield from (membership.club.name for membership in player.present)
    for standing in player.public[:1]:
        text = rating(standing.rating, standing.list) + MARKS.get(standing.category, "")
        yield f"{standing.list.name}: {standing.grade} {text}".replace("  ", " ")


def joined(details: Iterable[str]) -> str:
    return " · ".join(detail for detail in details if detail)


def hits_of(keys: dict[str, list[int]]) -> dict[tuple[str, int], Hit]:
    rows = {kind: rows_of(kind, ids) for kind, ids in keys.items()}
    return {(kind, key): hit_of(row) for kind, by_key in rows.items() for key, row in by_key.items()}


def in_order(hits: dict[tuple[str, int], Hit], wanted: Iterable[tuple[str, int]]) -> list[Hit]:
    return [hits[key] for key in wanted if key in hits]


def parse_query(request: HttpRequest) -> tuple[str, list[str]]:
    """Return the searched text, and the kinds to search: only the one that the address names, or all."""
    kind = request.GET.get("kind", "")
    return request.GET.get("q", "").replace("\0", "").strip()[:MAX_LENGTH], [kind] if kind in KINDS else list(KINDS)


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    text, kinds = parse_query(request)
    today = timezone.now().date()
    exact = with_public_id(text, today)
    if exact is not None:
        return redirect(exact)
    results = search(text, today, kinds=kinds)
    only = kinds[0] if len(kinds) == 1 else ""
    context = {"searched": text, "enough": is_searchable(parts_of(text)), "kind": only, "title": TITLES.get(only, "")}
    return render(request, "site/search.html", context | results_context(results, request.GET.get("page")))


def results_context(results: SearchResult, page: str | None) -> dict[str, Any]:
    """Return the context of the results: the first of each kind, or a page of the only kind, and similar names."""
    only = len(results.keys) == 1
    per_page, number = (OF_ONE, page) if only else (OF_EACH, 1)
    pages = {kind: Paginator(keys, per_page).get_page(number) for kind, keys in results.keys.items() if keys}
    similar = results.similar[:SIMILAR]
    wanted = {kind: [*pages.get(kind, ()), *(key for group, key in similar if group == kind)] for kind in results.keys}
    hits = hits_of(wanted)
    sections = [
        {"kind": kind, "title": TITLES[kind], "page": keys, "hits": in_order(hits, [(kind, key) for key in keys]),
         "cut": kind in results.truncated}
        for kind, keys in pages.items()
    ]  # fmt: skip
    return {"sections": sections, "similar": in_order(hits, similar)}


@require_safe
@cache_control(public=True, max_age=MINUTE)
def suggest(request: HttpRequest) -> HttpResponse:
    """Return the first results for a text that is being typed, as JSON."""
    text, kinds = parse_query(request)
    today = timezone.now().date()
    exact = with_public_id(text, today)
    hits = [hit_of(exact)] if exact is not None else suggestions(text, kinds, today)
    message = ngettext("%d suggestion", "%d suggestions", len(hits)) % len(hits) if hits else gettext("Nothing found")
    return JsonResponse({"message": message, "suggestions": [asdict(hit) for hit in hits]})


def suggestions(text: str, kinds: list[str], today: dt.date) -> list[Hit]:
    """Return players, clubs and events: a few of each before more of any, then similar names."""
    results = search(text, today, kinds=kinds, limit=CANDIDATES)
    candidates = [(kind, key) for kind in kinds for key in results.keys[kind]]
    first = [(kind, key) for kind in kinds for key in results.keys[kind][: PLACES[kind]]]
    chosen = sorted(list(dict.fromkeys([*first, *candidates]))[:SUGGESTED], key=candidates.index)
    wanted = [*chosen, *results.similar][:SUGGESTED]
    return in_order(hits_of({kind: [key for group, key in wanted if group == kind] for kind in kinds}), wanted)
