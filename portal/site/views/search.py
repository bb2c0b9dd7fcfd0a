import datetime as dt
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from string import ascii_uppercase
from typing import Any

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from portal.lists.player_groups import JUNIORS, has_juniors
from portal.site.search_rows import SearchRow, build_rows, describe_number_of_suggestions, read_rows
from portal.templatetags.portal_format import MARKS, colon, comma_name, rating, sorted_countries
from ratings.localize import format_days, join_details
from ratings.models import Club, Event, NameVisibility, Player, RatingList
from ratings.queries.lists.choices import choices_of
from ratings.queries.lists.lists import public_lists
from ratings.queries.players.players import players_by_initial
from ratings.queries.site.search import (
    KINDS,
    MAX_LENGTH,
    SearchResult,
    is_searchable,
    parts_of,
    rows_of,
    search,
    with_clubs_and_standings,
    with_public_id,
)

OF_EACH, OF_ONE, SIMILAR, SUGGESTED = 10, 50, 10, 8
CLUBS = 30
LETTERS = list(ascii_uppercase)
PLACES = {"players": 4, "clubs": 2, "events": 2}
CANDIDATES = 4 * SUGGESTED  # some may be on no list
MINUTE = 60
TITLES = {"players": _("Players"), "clubs": _("Clubs"), "events": _("Events")}


@dataclass(frozen=True)
class Hit:
    """A suggestion: its kind, name, address, and a line with the kind and the details that namesakes do not share.

    `bold` is the beginning of the name that is shown in bold: a player's family name, else the whole name.
    """

    word: str
    name: str
    bold: str
    native: str
    details: str
    address: str
    public_id: str


def hit_of(row: Player | Club | Event) -> Hit:
    if isinstance(row, Player):
        word, details = gettext("player"), [*details_of(row)]
        name, native = comma_name(row), row.public_native
        bold = row.family_name if row.shown == NameVisibility.FULL else name
    elif isinstance(row, Club):
        word, details = gettext("club"), [row.city, row.country.name]
        name, bold, native = row.name, row.name, ""
    else:
        word, details = gettext("event"), [format_days(row.start, row.end), row.place, row.country.name]
        name, bold, native = row.name, row.name, ""
    return Hit(word, name, bold, native, join_details([word, *details]), row.get_absolute_url(), row.public_id)


def details_of(player: Any) -> Iterable[str]:
    """Yield a player's country, club, and first list with grade and rating; no club of anonymous players."""
    yield player.country.name
    if not player.is_anonymous:
        yield from (membership.club.name for membership in player.present)
    for standing in player.public[:1]:
        text = rating(standing.rating, standing.list) + MARKS.get(standing.category, "")
        yield f"{colon(standing.list.name)} {standing.grade} {text}".replace("  ", " ")


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
    """Show the results of a search, the players whose name begins with a letter, or ways to browse the players."""
    text, kinds = parse_query(request)
    today = timezone.localdate()
    rating_list = find_list(request.GET.get("list", ""))
    context: dict[str, Any] = {"searched": text, "rating_list": rating_list, "letters": LETTERS}
    context["query"] = f"&list={rating_list.slug}" if rating_list else ""
    if not text and (letter := request.GET.get("letter", "")) in LETTERS:
        return render(request, "players/by_letter.html", context | letter_context(request, letter, rating_list))
    if not is_searchable(parts_of(text)):
        return render(request, "players/browse.html", context | browse_context(rating_list))
    exact = with_public_id(text, today)
    if exact is not None:
        return redirect(exact)
    results = search(text, today, kinds=kinds)
    only = kinds[0] if len(kinds) == 1 else ""
    context |= {"kind": only, "title": TITLES.get(only, "")}
    return render(request, "site/search.html", context | results_context(results, request.GET.get("page"), rating_list))


def find_list(slug: str) -> RatingList | None:
    """Return the public list with this slug that is no comparison; None for an unknown or empty slug."""
    return public_lists().filter(comparison_to=None, slug=slug.replace("\0", "")).first() if slug else None


def browse_context(rating_list: RatingList | None) -> dict[str, Any]:
    """Return the countries and clubs of a list, to browse its players; the lists to choose from if there are several.

    Without a list it is the only one.
    """
    lists = [] if rating_list else list(public_lists().filter(comparison_to=None))
    context: dict[str, Any] = {"has_own_search": True, "lists": lists}
    current = rating_list or (lists[0] if len(lists) == 1 else None)
    if current is None:
        return context
    offered = choices_of(current)
    return context | {
        "current": current,
        "countries": sorted_countries(offered.countries),
        "clubs": (offered.clubs or [])[: CLUBS + 1],
        "most_clubs": CLUBS,
        "juniors": JUNIORS if has_juniors(offered.active_groups, timezone.now().year) else "",
    }


def letter_context(request: HttpRequest, letter: str, rating_list: RatingList | None) -> dict[str, Any]:
    """Return a page of the players whose family name begins with a letter."""
    players = with_clubs_and_standings(players_by_initial(letter, rating_list))
    page = Paginator(players, OF_ONE).get_page(request.GET.get("page"))
    return {"letter": letter, "page": page, "hits": build_rows((("players", row) for row in page), rating_list)}


def results_context(result: SearchResult, page: str | None, rating_list: RatingList | None) -> dict[str, Any]:
    """Return the context of the results: the first of each kind, or a page of the only kind, and similar names."""
    only = len(result.keys) == 1
    per_page, number = (OF_ONE, page) if only else (OF_EACH, 1)
    pages = {kind: Paginator(keys, per_page).get_page(number) for kind, keys in result.keys.items() if keys}
    similar = result.similar[:SIMILAR]
    wanted = {kind: [*pages.get(kind, ()), *(key for group, key in similar if group == kind)] for kind in result.keys}
    rows = read_rows(wanted)

    def build(keys: Iterable[tuple[str, int]]) -> list[SearchRow]:
        return build_rows([(key[0], rows[key]) for key in keys if key in rows], rating_list)

    found = {kind: build((kind, key) for key in keys) for kind, keys in pages.items()}
    sections = [
        {"kind": kind, "title": TITLES[kind], "page": keys, "hits": found[kind], "cut": kind in result.truncated}
        for kind, keys in pages.items()
    ]
    namesakes = any(hit.shows_id for hits in found.values() for hit in hits)
    return {"sections": sections, "similar": build(similar), "has_namesakes": namesakes}


@require_safe
@cache_control(public=True, max_age=MINUTE)
def suggest(request: HttpRequest) -> HttpResponse:
    """Return the first results for a text that is being typed, as JSON."""
    text, kinds = parse_query(request)
    today = timezone.localdate()
    exact = with_public_id(text, today, kinds)
    hits = [hit_of(exact)] if exact is not None else suggestions(text, kinds, today)
    message = describe_number_of_suggestions(len(hits))
    return JsonResponse({"message": message, "suggestions": [asdict(hit) for hit in hits]})


def suggestions(text: str, kinds: list[str], today: dt.date) -> list[Hit]:
    """Return players, clubs and events: a few of each before more of any, then similar names."""
    results = search(text, today, kinds=kinds, limit=CANDIDATES)
    candidates = [(kind, key) for kind in kinds for key in results.keys[kind]]
    first = [(kind, key) for kind in kinds for key in results.keys[kind][: PLACES[kind]]]
    chosen = sorted(list(dict.fromkeys([*first, *candidates]))[:SUGGESTED], key=candidates.index)
    wanted = [*chosen, *results.similar][:SUGGESTED]
    return in_order(hits_of({kind: [key for group, key in wanted if group == kind] for kind in kinds}), wanted)
