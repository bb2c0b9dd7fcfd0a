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
from ratings.queries.search import KINDS, LONGEST, Found, is_enough, parts_of, rows_of, search, with_public_id

OF_EACH, OF_ONE, SIMILAR, SUGGESTED = 10, 50, 10, 8
PLACES = {"players": 4, "clubs": 2, "events": 2}
CANDIDATES = 4 * SUGGESTED  # some of them may stand on no list
MINUTE = 60
TITLES = {"players": _("Players"), "clubs": _("Clubs"), "events": _("Events")}


@dataclass(frozen=True)
class Hit:
    """A line of what was found: its name, what tells it from its namesakes, and where it leads."""

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
    """Country, club, and his first list with grade and rating; who is not shown by name is in no club."""
    yield player.country.name
    if not player.is_anonymous:
        yield from (membership.club.name for membership in player.present)
    for standing in player.public[:1]:
        told = rating(standing.rating, standing.list) + MARKS.get(standing.category, "")
        yield f"{standing.list.name}: {standing.grade} {told}".replace("  ", " ")


def joined(details: Iterable[str]) -> str:
    return " · ".join(detail for detail in details if detail)


def hits_of(keys: dict[str, list[int]]) -> dict[tuple[str, int], Hit]:
    rows = {kind: rows_of(kind, several) for kind, several in keys.items()}
    return {(kind, key): hit_of(row) for kind, several in rows.items() for key, row in several.items()}


def in_order(hits: dict[tuple[str, int], Hit], wanted: Iterable[tuple[str, int]]) -> list[Hit]:
    return [hits[one] for one in wanted if one in hits]


def asked(request: HttpRequest) -> tuple[str, list[str]]:
    """The text, and the kinds to look among: one if the address names it."""
    kind = request.GET.get("kind", "")
    return request.GET.get("q", "").replace("\0", "").strip()[:LONGEST], [kind] if kind in KINDS else list(KINDS)


@require_safe
def search_page(request: HttpRequest) -> HttpResponse:
    text, kinds = asked(request)
    today = timezone.now().date()
    exact = with_public_id(text, today)
    if exact is not None:
        return redirect(exact)
    found = search(text, today, kinds=kinds)
    only = kinds[0] if len(kinds) == 1 else ""
    context = {"searched": text, "enough": is_enough(parts_of(text)), "kind": only, "title": TITLES.get(only, "")}
    return render(request, "portal/search.html", context | shown(found, request.GET.get("page")))


def shown(found: Found, page: str | None) -> dict[str, Any]:
    """The first of each kind, or a page of the only one; and similar names."""
    only = len(found.keys) == 1
    per_page, number = (OF_ONE, page) if only else (OF_EACH, 1)
    pages = {kind: Paginator(keys, per_page).get_page(number) for kind, keys in found.keys.items() if keys}
    similar = found.similar[:SIMILAR]
    wanted = {kind: [*pages.get(kind, ()), *(key for of, key in similar if of == kind)] for kind in found.keys}
    hits = hits_of(wanted)
    sections = [
        {"kind": kind, "title": TITLES[kind], "page": one, "hits": in_order(hits, [(kind, key) for key in one]),
         "cut": kind in found.cut}
        for kind, one in pages.items()
    ]  # fmt: skip
    return {"sections": sections, "similar": in_order(hits, similar)}


@require_safe
@cache_control(public=True, max_age=MINUTE)
def suggest(request: HttpRequest) -> HttpResponse:
    """The first of what a text would find, while it is being typed."""
    text, kinds = asked(request)
    today = timezone.now().date()
    exact = with_public_id(text, today)
    hits = [hit_of(exact)] if exact is not None else suggestions(text, kinds, today)
    told = ngettext("%d suggestion", "%d suggestions", len(hits)) % len(hits) if hits else gettext("Nothing found")
    return JsonResponse({"told": told, "suggestions": [asdict(hit) for hit in hits]})


def suggestions(text: str, kinds: list[str], today: dt.date) -> list[Hit]:
    """Players, clubs, events; a few of each before more of any; similar names where there is little else."""
    found = search(text, today, kinds=kinds, most=CANDIDATES)
    several = [(kind, key) for kind in kinds for key in found.keys[kind]]
    some = [(kind, key) for kind in kinds for key in found.keys[kind][: PLACES[kind]]]
    chosen = sorted(list(dict.fromkeys([*some, *several]))[:SUGGESTED], key=several.index)
    wanted = [*chosen, *found.similar][:SUGGESTED]
    return in_order(hits_of({kind: [key for of, key in wanted if of == kind] for kind in kinds}), wanted)
