"""Search for players, clubs and events by any parts of their names, in any order, and by public id."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.contrib.postgres.lookups import TrigramWordSimilar
from django.db import connection
from django.db.models import (
    Case,
    F,
    Prefetch,
    Q,
    QuerySet,
    TextField,
    Value,
    When,
)
from django.db.models.expressions import Combinable
from django.db.models.functions import Coalesce, Concat
from rapidfuzz import fuzz

from ratings.matching import fold
from ratings.models import Club, Event, NameVisibility, Player, Standing
from ratings.queries.lists.lists import public_lists
from ratings.queries.players.names import spellings
from ratings.queries.players.outside_ids import find_by_outside_id
from ratings.queries.players.players import with_current_club

MAX_LENGTH, MAX_PARTS = 100, 8  # at most so many characters and words of a text are used
MAX_RESULTS = 500  # results of a kind; beyond, users can add another part of the name
MIN_RESULTS = 3  # with fewer results, similar names are offered
MIN_SIMILARITY = 75  # minimum of rapidfuzz's ratio, as the mean of the parts, for a similar name
TRIGRAM_LENGTH = 3  # minimum number of letters to search for a part by trigrams
WORD = re.compile(r"[^\W_]+")
DOUBLED = re.compile(r"(\w)\1")


def parts_of(text: str) -> list[str]:
    """Return the distinct folded words of a text, without characters between them."""
    return list(dict.fromkeys(WORD.findall(fold(text[:MAX_LENGTH]))))[:MAX_PARTS]


def is_searchable(parts: Sequence[str]) -> bool:
    """Return True for at least two letters, or one sign of a script whose signs are words."""
    return len("".join(parts)) > 1 or any(map(_is_wide, parts))


def _is_wide(part: str) -> bool:
    return any(unicodedata.east_asian_width(sign) in "WF" for sign in part)


def name_filter(parts: Sequence[str], prefix: str = "") -> Q:
    """Return a filter for names that contain each part; one or two letters must begin a word.

    `prefix` is the lookup prefix of the row with the name, such as "player__".
    """
    column = f"{prefix}search_name"
    condition = Q() if parts else Q(pk__in=[])
    for part in parts:
        if len(part) < TRIGRAM_LENGTH and not _is_wide(part):
            condition &= Q(**{f"{column}__startswith": part}) | Q(**{f"{column}__contains": f" {part}"})
        else:
            condition &= Q(**{f"{column}__contains": part})
    return condition


def contains_parts(name: str, parts: Sequence[str]) -> bool:
    """Return True if a name that is in no column contains each part, as `name_filter` compares them."""
    folded = fold(name)
    return bool(parts) and all(
        part in folded if len(part) >= TRIGRAM_LENGTH or _is_wide(part) else f" {part}" in f" {folded}"
        for part in parts
    )


def player_filter(text: str, prefix: str = "") -> Q:
    """Return a filter for players with these parts in a name shown in full, with this public id, or this outside id.

    `prefix` is the lookup prefix of the player, such as "player__".
    """
    named = Q(**{f"{prefix}shown": NameVisibility.FULL}) & name_filter(parts_of(text), prefix)
    outside = find_by_outside_id(text)
    with_id = Q() if outside.query.is_empty() else Q(**{f"{prefix}pk__in": outside.values("player")})
    return named | Q(**{f"{prefix}public_id__iexact": text.strip()}) | with_id


def public_events(today: dt.date) -> QuerySet[Event]:
    """Return the accepted events and those in the calendar."""
    return Event.objects.filter(Q(state=Event.State.ACCEPTED) | Q(announced_at__isnull=False, end__gte=today))


@dataclass(frozen=True)
class Kind:
    """A kind of search result: its rows, the key that a name leads to, and the order of equally good matches."""

    rows: Callable[[dt.date], QuerySet[Any]]
    key: Combinable
    order: str


KINDS = {
    # the names of merged players lead to the player they were merged into
    "players": Kind(
        lambda _: Player.objects.filter(shown=NameVisibility.FULL), Coalesce("merged_into", "pk"), "search_name"
    ),
    "clubs": Kind(lambda _: Club.objects.all(), F("pk"), "search_name"),
    "events": Kind(public_events, F("pk"), "-end"),
}


@dataclass(frozen=True)
class SearchResult:
    """The result of a search.

    `keys` are by kind, best first; `similar` are (kind, key) of similar names, if there are few keys; `truncated`
    are the kinds with more results than were read.
    """

    keys: dict[str, list[int]]
    similar: list[tuple[str, int]]
    truncated: frozenset[str] = frozenset()


def search(
    text: str, today: dt.date, *, kinds: Collection[str] = tuple(KINDS), limit: int = MAX_RESULTS
) -> SearchResult:
    """Return the results for a text; none if the text is too short."""
    parts = parts_of(text)
    if not is_searchable(parts):
        return SearchResult({kind: [] for kind in kinds}, [])
    keys = {kind: _find_keys(KINDS[kind], parts, today, limit) for kind in kinds}
    if "players" in keys and not (outside := find_by_outside_id(text)).query.is_empty():
        with_id = list(outside.values_list(Coalesce("player__merged_into", "player"), flat=True))
        keys["players"] = list(dict.fromkeys([*with_id, *keys["players"]]))
    cut = frozenset(kind for kind, results in keys.items() if len(results) >= limit)
    few = sum(map(len, keys.values())) < MIN_RESULTS
    similar = [pair for pair in _find_similar(kinds, parts, today) if pair[1] not in keys[pair[0]]] if few else []
    player_keys = [*keys.get("players", ()), *(key for kind, key in similar if kind == "players")]
    listed = _listed_players(player_keys)
    keys |= {kind: [key for key in keys[kind] if key in listed] for kind in keys if kind == "players"}
    return SearchResult(keys, [(kind, key) for kind, key in similar if kind != "players" or key in listed], cut)


def _listed_players(keys: Collection[int]) -> set[int]:
    """Return the keys of players who are shown by full name and are on a public list, even without a rating yet.

    Other players have no page with any content, and players never rated in public must not be found by name.
    """
    standings = Standing.objects.filter(player__in=keys, player__shown=NameVisibility.FULL)
    public = standings.filter(list__in=public_lists().values("pk"))
    return set(public.values_list("player", flat=True)) if keys else set()


def _find_keys(kind: Kind, parts: Sequence[str], today: dt.date, most: int) -> list[int]:
    padded = Concat(Value(" "), "search_name", Value(" "), output_field=TextField())
    named = kind.rows(today).filter(name_filter(parts)).alias(padded=padded).annotate(key=kind.key)
    ranked = named.alias(rank=_rank(parts)).order_by("rank", kind.order, "pk")
    return list(dict.fromkeys(ranked.values_list("key", flat=True)[:most]))


def _rank(parts: Sequence[str]) -> Combinable:
    """Return a rank: 0 if each part is a word of the name; plus 1 per part beginning a word, 2 per part within one."""
    first, *others = (
        Case(When(padded__contains=f" {part} ", then=0), When(padded__contains=f" {part}", then=1), default=2)
        for part in parts
    )
    return sum(others, start=first)


def _find_similar(kinds: Collection[str], parts: Sequence[str], today: dt.date) -> list[tuple[str, int]]:
    """Return (kind, key) of names that differ by a letter or two, most similar first.

    With PostgreSQL only names that share trigrams with the longest part are compared.
    """
    queries = [
        _filter_candidates(KINDS[kind].rows(today), parts)
        .order_by()
        .values_list(Value(kind), KINDS[kind].key, "search_name")
        for kind in kinds
    ]
    ratios: dict[tuple[str, int], float] = {}
    for kind, key, name in queries[0].union(*queries[1:], all=True):
        ratios[kind, key] = max(similarity(parts, name), ratios.get((kind, key), 0))
    similar = [pair for pair, ratio in ratios.items() if ratio >= MIN_SIMILARITY]
    return sorted(similar, key=lambda pair: (-ratios[pair], list(KINDS).index(pair[0]), pair[1]))


def _filter_candidates(named: QuerySet[Any], parts: Sequence[str]) -> QuerySet[Any]:
    if connection.vendor != "postgresql":
        return named
    return named.filter(TrigramWordSimilar(F("search_name"), Value(max(parts, key=len))))


def similarity(parts: Sequence[str], name: str) -> float:
    """Return how well the parts match words of a folded name, from 0 to 100.

    Doubled letters count once and y counts as i, if that makes them more alike: Flin is Flynn.
    """
    words = WORD.findall(name)
    ratios = [max([_compare_words(part, word) for word in words], default=0.0) for part in parts]
    return sum(ratios) / len(ratios)


def _compare_words(part: str, word: str) -> float:
    return max(fuzz.ratio(part, word), fuzz.ratio(_simplify(part), _simplify(word)))


@lru_cache(maxsize=10_000)  # names share their words
def _simplify(word: str) -> str:
    """Return a word with its doubled letters once and with i for y, as names are often misspelt."""
    return DOUBLED.sub(r"\1", word.replace("y", "i"))


def with_public_id(text: str, today: dt.date, kinds: Collection[str] = tuple(KINDS)) -> Player | Club | Event | None:
    """Return the player, club or event with exactly this public id, in capitals or not; None if there is none.

    `kinds` are the kinds of rows to look among. For a merged player the player they were merged into is returned.
    """
    if not re.fullmatch("[A-Za-z0-9]{1,12}", text):
        return None
    public: dict[str, QuerySet[Any]] = {
        "players": Player.objects.all(),
        "clubs": Club.objects.all(),
        "events": public_events(today),
    }
    ids = spellings(text)
    first, *others = (
        rows.filter(public_id__in=ids).order_by().values_list(Value(kind), KINDS[kind].key)
        for kind, rows in public.items()
        if kind in kinds
    )
    for kind, key in first.union(*others, all=True):
        row: Player | Club | Event = (
            with_clubs_and_standings(public[kind]) if kind == "players" else public[kind]
        ).get(pk=key)
        return row
    return None


def rows_of(kind: str, keys: Collection[int]) -> dict[int, Any]:
    """Return rows by key; players with their current clubs in `present` and public standings in `public`."""
    if not keys:
        return {}
    if kind != "players":
        return (Club if kind == "clubs" else Event).objects.in_bulk(list(keys))
    return with_clubs_and_standings(Player.objects.all()).in_bulk(list(keys))


def with_clubs_and_standings(players: QuerySet[Player]) -> QuerySet[Player]:
    standings = Standing.objects.filter(list__in=public_lists().filter(comparison_to=None), published=True)
    public = standings.filter(rating__isnull=False).select_related("list").order_by("list")
    return with_current_club(players).prefetch_related(Prefetch("standings", public, to_attr="public"))
