"""Names of known players, all of them or those that some written names may mean."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.contrib.postgres.lookups import TrigramWordSimilar
from django.db import connection
from django.db.models import Exists, F, OuterRef, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from ratings.batches import in_batches
from ratings.matching import Key, NameIndex, fold, initials_of
from ratings.models import ANONYMOUS_NAME, FormerName, NameVisibility, Player, Standing
from ratings.queries.lists.lists import public_lists
from ratings.queries.players.names import spellings

NAMES_IN_QUERY = 100
"""Names that one query looks for; each is two conditions, and SQLite allows a thousand."""


@dataclass
class KnownNames:
    """Names of players by public id: (family, given) names, and the name in the player's own script.

    The names of a merged player belong to the player they were merged into. Players whose name is not displayed in full
    are also known by the name that exported files have for anonymous players. Former names are known unless `among`
    limits the players: they are not public.
    """

    latin: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    native: dict[str, str] = field(default_factory=dict)
    among: Q = field(default_factory=Q)
    """Condition of the players whose names are read; the names of all others count as unknown."""

    def read(self, condition: Q, ids: Collection[str] = ()) -> None:
        """Add the names that meet a condition on `search_name`, and those of the players with these public ids."""
        fields = ("public_id", "merged_into__public_id", "family_name", "given_name", "native_name", "shown")
        players = condition | Q(public_id__in=ids) if ids else condition
        rows = Player.objects.filter(self.among, players).order_by().values_list(*fields)
        if not self.among:
            rows = rows.union(self._select_former_names(condition), all=True)
        for id, merged_into, family, given, native, shown in rows:
            names = self.latin.setdefault(merged_into or id, [])
            names.append((family, given))
            if shown != NameVisibility.FULL:
                names.append((ANONYMOUS_NAME, id))
            if native:
                self.native[merged_into or id] = native

    def _select_former_names(self, condition: Q) -> QuerySet[FormerName, tuple[Any, ...]]:
        """Return the former names that meet a condition, with the columns that `read` reads of players."""
        player = ("player__public_id", "player__merged_into__public_id")
        others = (Value(""), Value(NameVisibility.FULL.value))
        return (
            FormerName.objects.filter(condition).order_by().values_list(*player, "family_name", "given_name", *others)
        )

    def index(self) -> NameIndex:
        """Return the names as an index to match names with."""
        return NameIndex(self.latin, self.native)


def read_known_names() -> KnownNames:
    """Return the names of all players."""
    names = KnownNames()
    names.read(Q())
    return names


def is_named_in_public() -> Q:
    """Return the condition that the public may find a player by name.

    The player is shown by full name and is on a public list, even without a rating yet. The name of a merged player
    leads to the player they were merged into, whom the same must hold for.
    """
    remaining = Coalesce(OuterRef("merged_into"), OuterRef("pk"))
    listed = Standing.objects.filter(player=remaining, list__in=public_lists().values("pk"))
    remaining_is_shown = Q(merged_into=None) | Q(merged_into__shown=NameVisibility.FULL)
    return Q(shown=NameVisibility.FULL) & remaining_is_shown & Q(Exists(listed))


def find_public_names(written: Iterable[tuple[str, str]]) -> KnownNames:
    """Return the public names that written (family, given) names may mean, in one query except with PostgreSQL."""
    if connection.vendor == "postgresql":
        return find_known_names(written, is_named_in_public())
    names = KnownNames(among=is_named_in_public())
    names.read(Q())
    return names


def find_known_names(written: Iterable[tuple[str, str]], among: Q | None = None) -> KnownNames:
    """Return the known names that written (family, given) names may mean, of the players that meet `among`.

    Names that no player has exactly are compared with similar ones. PostgreSQL selects these by common groups of three
    letters, but not the names of anonymous players in files; other databases read all names.
    """
    keys = {(fold(family), fold(given)) for family, given in written if family or given}
    names = KnownNames(among=among or Q())
    for batch in in_batches(sorted(keys), NAMES_IN_QUERY):
        names.read(*_filter_by_name(batch))
    unknown = keys - {(fold(family), fold(given)) for several in names.latin.values() for family, given in several}
    if unknown and connection.vendor != "postgresql":
        names = KnownNames(among=names.among)
        names.read(Q())
        return names
    for batch in in_batches(sorted(unknown), NAMES_IN_QUERY):
        names.read(_filter_by_similar_name(batch))
    return names


def find_words(words: Collection[str], index: NameIndex, among: Q) -> Collection[str]:
    """Return those of some folded words that are part of a known name of a player that meets `among`.

    `index` has the names that were read: with PostgreSQL only some, so that the database is asked.
    """
    if not words or connection.vendor != "postgresql":
        return index.words
    found: set[str] = set()
    for batch in in_batches(sorted(words), NAMES_IN_QUERY):
        first, *others = (query for word in batch for query in _with_word(word, among))
        found.update(word for (word,) in first.union(*others, all=True))
    return found


def _with_word(word: str, among: Q) -> Iterator[QuerySet[Any, tuple[str]]]:
    """Yield queries with the word as their only row if it is part of a name, else with no row."""
    whole = Q(search_name__contains=f" {word} ") | Q(search_name__endswith=f" {word}")
    named = (whole | Q(search_name__startswith=f"{word} ")) & Q(search_name__contains=word)
    yield Player.objects.filter(among, named).order_by().values_list(Value(word))[:1]
    if not among:
        yield FormerName.objects.filter(named).order_by().values_list(Value(word))[:1]


def _filter_by_name(keys: Iterable[Key]) -> tuple[Q, Collection[str]]:
    """Return a filter for rows whose `search_name` begins with one of the names, and the ids in anonymous names."""
    condition = Q()
    ids: list[str] = []
    for key in keys:
        name = " ".join(key).strip()
        condition |= Q(search_name=name) | Q(search_name__startswith=f"{name} ")
        if key[0] == fold(ANONYMOUS_NAME):
            ids.extend(spellings(key[1]))
    return condition, ids


def _filter_by_similar_name(keys: Iterable[Key]) -> Q:
    """Return a filter for rows part of whose name has common groups of three letters with one of the names.

    A part, because `search_name` ends with the name in the player's own script. Of a family name that is written alone
    or with initials all bearers are read.
    """
    condition = Q()
    for family, given in keys:
        condition |= Q(TrigramWordSimilar(F("search_name"), Value(f"{family} {given}".strip())))
        if not given or initials_of(given):
            condition |= Q(search_name__startswith=f"{family} ")
        if given and initials_of(family):
            condition |= Q(search_name__startswith=f"{given} ")
        if not f"{family}{given}".isascii():
            parts = [part for part in (family, given) if part]
            for order in (parts, parts[::-1]):
                condition |= Q(search_name__endswith=" ".join(order)) | Q(search_name__endswith="".join(order))
    return condition
