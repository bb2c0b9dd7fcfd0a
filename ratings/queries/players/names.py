"""How players are named and ordered for the public, without telling what is hidden; the order of countries."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from django.db.models import Case, F, Q, Value, When
from django.db.models.expressions import OrderBy

from ratings.matching import fold
from ratings.models import Player, Shown


def by_public_name(to_player: str = "") -> list[OrderBy]:
    """Family and given name, folded; who is not shown by his full name comes last, by his public id, which tells
    nothing.

    `to_player` is the way to the player, as "player__".
    """
    full = Q(**{f"{to_player}shown": Shown.FULL})
    name = Case(When(full, then=f"{to_player}search_name"))
    return [name.asc(nulls_last=True), F(f"{to_player}public_id").asc()]


def spellings(public_id: str) -> set[str]:
    """A public id as somebody may type it."""
    return {public_id, public_id.upper(), public_id.lower()}


def place_of_country(order: Sequence[str], field: str = "country") -> Case:
    """To order by: the place of a country among these codes; behind them, and where none is known, the last one."""
    last = Value(len(order))
    places = [When(**{field: code}, then=Value(place)) for place, code in enumerate(order)]
    return Case(*places, When(**{field: ""}, then=last), default=last)  # one at least: a mere value is no order


ID = re.compile(r"([A-Za-z0-9]+)(?:~\w+)?")


def with_names(text: str, names: Mapping[str, str]) -> str:
    """A text with public ids in it (of guests, with their table's behind), with the names known in their place."""
    return ID.sub(lambda found: names.get(found[1], found[0]), text)


def hidden_names() -> str:
    """A short text that is another one whenever somebody comes to be shown otherwise."""
    hidden = Player.objects.exclude(shown=Shown.FULL).order_by("public_id").values_list("public_id", "shown")
    return hashlib.sha256(repr(list(hidden)).encode()).hexdigest()[:16]


def names_hidden(texts: Iterable[str]) -> bool:
    """Whether free texts may name somebody who is not shown by his full name: a word of them is one of his names."""
    words = set(re.findall(r"\w+", fold(" ".join(texts))))
    if not words:
        return False
    hidden = Player.objects.exclude(shown=Shown.FULL).values_list("search_name", flat=True)
    names = {word for name in hidden.iterator() for word in re.findall(r"\w+", name)}
    return any(word in names or _holds(word, names) for word in words)


def _holds(word: str, names: Collection[str]) -> bool:
    """Whether a word of a script that parts no words holds a name."""
    return not word.isascii() and any(name in word for name in names if not name.isascii())
