"""Finding players, clubs and events by any parts of their names, in any order, and by their public ids."""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
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
from ratings.models import Club, Event, Player, Shown, Standing

from .lists import public_lists
from .names import spellings
from .players import with_present_club

LONGEST, PARTS = 100, 8  # of a text so many signs and words are looked at
MOST = 500  # of a kind; who finds so many can only add another part of the name
FEW = 3  # who finds fewer is offered similar names
SIMILAR = 75  # rapidfuzz's ratio, in the mean of the parts, from which a name is similar
SHORT = 3  # letters from which trigrams serve to find a part
WORD = re.compile(r"[^\W_]+")


def parts_of(text: str) -> list[str]:
    """The folded words of a text, without what stands between them."""
    return list(dict.fromkeys(WORD.findall(fold(text[:LONGEST]))))[:PARTS]


def is_enough(parts: Sequence[str]) -> bool:
    """Two letters, or one sign of a script whose signs are words."""
    return len("".join(parts)) > 1 or any(map(_is_wide, parts))


def _is_wide(part: str) -> bool:
    return any(unicodedata.east_asian_width(sign) in "WF" for sign in part)


def name_has(parts: Sequence[str], to_row: str = "") -> Q:
    """Each part stands somewhere in the name; one or two letters at the beginning of a word.

    `to_row` is the way to what is named, as "player__".
    """
    column = f"{to_row}search_name"
    wanted = Q() if parts else Q(pk__in=[])
    for part in parts:
        if len(part) < SHORT and not _is_wide(part):
            wanted &= Q(**{f"{column}__startswith": part}) | Q(**{f"{column}__contains": f" {part}"})
        else:
            wanted &= Q(**{f"{column}__contains": part})
    return wanted


def meant_by(text: str, to_player: str = "") -> Q:
    """Players with these parts in a name shown in full, or with this public id; `to_player` as "player__"."""
    named = Q(**{f"{to_player}shown": Shown.FULL}) & name_has(parts_of(text), to_player)
    return named | Q(**{f"{to_player}public_id__iexact": text.strip()})


def public_events(today: dt.date) -> QuerySet[Event]:
    """Those with a page, and those that the calendar shows."""
    return Event.objects.filter(Q(state=Event.State.ACCEPTED) | Q(announced_at__isnull=False, end__gte=today))


@dataclass(frozen=True)
class Kind:
    """What may be found by its name, the key that a name leads to, and the order of names that fit as well."""

    named: Callable[[dt.date], QuerySet[Any]]
    key: Combinable
    order: str


KINDS = {
    # the names of merged players lead to whom they were merged into
    "players": Kind(lambda _: Player.objects.filter(shown=Shown.FULL), Coalesce("merged_into", "pk"), "search_name"),
    "clubs": Kind(lambda _: Club.objects.all(), F("pk"), "search_name"),
    "events": Kind(public_events, F("pk"), "-end"),
}


@dataclass(frozen=True)
class Found:
    """What a text leads to: keys by kind, the best first; (kind, key) of similar names where that is little; and the
    kinds of which there are more than were looked at.
    """

    keys: dict[str, list[int]]
    similar: list[tuple[str, int]]
    cut: frozenset[str] = frozenset()


def search(text: str, today: dt.date, *, kinds: Collection[str] = tuple(KINDS), most: int = MOST) -> Found:
    """Nothing if the text is too short."""
    parts = parts_of(text)
    if not is_enough(parts):
        return Found({kind: [] for kind in kinds}, [])
    keys = {kind: _keys(KINDS[kind], parts, today, most) for kind in kinds}
    cut = frozenset(kind for kind, several in keys.items() if len(several) >= most)
    few = sum(map(len, keys.values())) < FEW
    similar = [one for one in _similar(kinds, parts, today) if one[1] not in keys[one[0]]] if few else []
    of_players = [*keys.get("players", ()), *(key for kind, key in similar if kind == "players")]
    shown = _on_lists(of_players)
    keys |= {kind: [key for key in keys[kind] if key in shown] for kind in keys if kind == "players"}
    return Found(keys, [(kind, key) for kind, key in similar if kind != "players" or key in shown], cut)


def _on_lists(keys: Collection[int]) -> set[int]:
    """Who is shown by name and stands on a public list, be it without a rating yet: of others there is no page with
    anything on it, and who was never rated in public is not to be found by his name.
    """
    of_players = Standing.objects.filter(player__in=keys, player__shown=Shown.FULL)
    public = of_players.filter(list__in=public_lists().values("pk"))
    return set(public.values_list("player", flat=True)) if keys else set()


def _keys(kind: Kind, parts: Sequence[str], today: dt.date, most: int) -> list[int]:
    padded = Concat(Value(" "), "search_name", Value(" "), output_field=TextField())
    named = kind.named(today).filter(name_has(parts)).alias(padded=padded).annotate(key=kind.key)
    ranked = named.alias(rank=_rank(parts)).order_by("rank", kind.order, "pk")
    return list(dict.fromkeys(ranked.values_list("key", flat=True)[:most]))


def _rank(parts: Sequence[str]) -> Combinable:
    """0 if each part is a word of the name; one more for each that only begins one, two for each within one."""
    first, *others = (
        Case(When(padded__contains=f" {part} ", then=0), When(padded__contains=f" {part}", then=1), default=2)
        for part in parts
    )
    return sum(others, start=first)


def _similar(kinds: Collection[str], parts: Sequence[str], today: dt.date) -> list[tuple[str, int]]:
    """Names a letter or two off, the likest first; of PostgreSQL those that share trigrams with the longest part."""
    of_kinds = [
        _candidates(KINDS[kind].named(today), parts).order_by().values_list(Value(kind), KINDS[kind].key, "search_name")
        for kind in kinds
    ]
    likest: dict[tuple[str, int], float] = {}
    for kind, key, name in of_kinds[0].union(*of_kinds[1:], all=True):
        likest[kind, key] = max(likeness(parts, name), likest.get((kind, key), 0))
    alike = [one for one, ratio in likest.items() if ratio >= SIMILAR]
    return sorted(alike, key=lambda one: (-likest[one], list(KINDS).index(one[0]), one[1]))


def _candidates(named: QuerySet[Any], parts: Sequence[str]) -> QuerySet[Any]:
    if connection.vendor != "postgresql":
        return named
    return named.filter(TrigramWordSimilar(F("search_name"), Value(max(parts, key=len))))


def likeness(parts: Sequence[str], name: str) -> float:
    """How well the parts stand for words of a folded name, 0..100."""
    words = WORD.findall(name)
    ratios = [max([fuzz.ratio(part, word) for word in words], default=0.0) for part in parts]
    return sum(ratios) / len(ratios)


def with_public_id(text: str, today: dt.date) -> Player | Club | Event | None:
    """Whoever or whatever has exactly this public id, in capitals or not; of merged players the one who was kept."""
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
    )
    for kind, key in first.union(*others, all=True):
        found: Player | Club | Event = (described(public[kind]) if kind == "players" else public[kind]).get(pk=key)
        return found
    return None


def rows_of(kind: str, keys: Collection[int]) -> dict[int, Any]:
    """What was found, by its key; players with their present clubs in `present` and public standings in `public`."""
    if not keys:
        return {}
    if kind != "players":
        return (Club if kind == "clubs" else Event).objects.in_bulk(list(keys))
    return described(Player.objects.all()).in_bulk(list(keys))


def described(players: QuerySet[Player]) -> QuerySet[Player]:
    standings = Standing.objects.filter(list__in=public_lists().filter(comparison_to=None), published=True)
    public = standings.filter(rating__isnull=False).select_related("list").order_by("list")
    return with_present_club(players).prefetch_related(Prefetch("standings", public, to_attr="public"))
