"""NameMatch written names to the players of a federation.

The module is pure: it takes names and returns a verdict with its candidates.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anyascii import anyascii
from rapidfuzz import fuzz, process

LIKELY = 85  # rapidfuzz's ratio from which a name counts as similar
CANDIDATES = 5  # names with letters different
MOST_SIMILAR = 30  # players, such as all who share a family name that is written alone


def fold(text: str) -> str:
    """Return a name in lower case, without accents and repeated spaces.

    Latin letters such as ł, ø and ß become plain ones. Other scripts keep their letters, so that letters of different
    alphabets are not confused.
    """
    stripped = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    plain = (anyascii(c) if not c.isascii() and unicodedata.name(c, "").startswith("LATIN") else c for c in stripped)
    return " ".join("".join(plain).casefold().split())


SPELLED_OUT = {"ä": "ae", "ö": "oe", "ü": "ue", "ø": "oe", "å": "aa"}
"""Letters that some people write as two where a keyboard lacks them."""
_SPELLED_OUT = {ord(letter): letters for letter, letters in SPELLED_OUT.items()}


def fold_expanded(text: str) -> str:
    """Return a folded name in which ä, ö, ü, ø and å are written as two letters."""
    return fold(unicodedata.normalize("NFC", text).lower().translate(_SPELLED_OUT))


def initials_of(name: str) -> list[str]:
    """Return the letters of a name that consists of initials, such as "A." or "J.-P."; else an empty list."""
    words = fold(name).replace(".", " ").replace("-", " ").split()
    return words if all(len(word) == 1 and word != word.upper() for word in words) else []


def split_whole_name(name: str) -> list[tuple[str, str]]:
    """Return all ways to read a name of several words as two names, in this order."""
    words = name.split()
    return [(" ".join(words[:count]), " ".join(words[count:])) for count in range(1, len(words))]


def spell_variants(family: str, given: str) -> set[tuple[str, str]]:
    """Return folded names that leave out parts of a double family name and all given names but the first."""
    families = {fold(family), fold_expanded(family)}
    families |= {part for name in families for part in name.replace("-", " ").split() if len(part) > 2}
    givens = {fold(given), fold_expanded(given)}
    givens |= {name.replace("-", " ").split()[0] for name in givens if name.replace("-", " ").split()}
    return {(one, other) for one in families for other in givens}


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A verdict on a name, with the ids of the players that it may mean.

    The verdict is `exact` (one player with this name), `several` (players who share the name), `likely` (players with
    similar names) or `unknown` (no players).
    """

    verdict: str
    players: tuple[str, ...] = ()


Key = tuple[str, str]
"""Folded family and given name."""


class NameIndex:
    """All known players by their folded names.

    `names` maps a player's id to every (family, given) name of that player, `native` to the name in the player's own
    script.
    """

    def __init__(self, names: Mapping[str, Iterable[tuple[str, str]]], native: Mapping[str, str] | None = None) -> None:
        self.by_name: dict[Key, set[str]] = {}
        self._by_variant: dict[Key, set[Key]] = {}
        self._by_family: dict[str, set[Key]] = {}
        for id, player_names in names.items():
            for family, given in player_names:
                self.add(id, family, given)
                self._add_variants(family, given)
        self._by_native: dict[str, set[str]] = {}
        for id, name in (native or {}).items():
            self._by_native.setdefault("".join(fold(name).split()), set()).add(id)
        self.known = {key: " ".join(key) for key in self.by_name}

    def add(self, id: str, family: str, given: str) -> None:
        """Add a name of a player.

        Names added after the roster is created are matched exactly only, not as similar names.
        """
        self.by_name.setdefault((fold(family), fold(given)), set()).add(id)

    def _add_variants(self, family: str, given: str) -> None:
        key = (fold(family), fold(given))
        self._by_family.setdefault(key[0], set()).add(key)
        for variant in spell_variants(family, given):
            self._by_variant.setdefault(variant, set()).add(key)

    def match(self, family: str, given: str) -> NameMatch:
        """Return the match for a name: exact after folding, else the similar names for a person to decide."""
        exact = self.by_name.get((fold(family), fold(given)))
        if exact:
            return NameMatch("exact" if len(exact) == 1 else "several", tuple(sorted(exact)))
        near = self._find_similar(family, given) if family or given else ()
        return NameMatch("likely", near) if near else NameMatch("unknown")

    def count_namesakes(self, family: str) -> int:
        """Return the number of players with a family name."""
        return len({id for key in self._by_family.get(fold(family), ()) for id in self.by_name[key]})

    @property
    def words(self) -> set[str]:
        """All words of known names, folded."""
        return {word for name in self.known.values() for word in name.replace("-", " ").split()}

    def _find_similar(self, family: str, given: str) -> tuple[str, ...]:
        """Return the ids of players whom a name may mean, at most `MOST_SIMILAR`.

        Similar are names in the player's own script, with parts left out, swapped or shortened to initials, and names
        with a letter or two different.
        """
        ids = dict.fromkeys(self._find_native(family, given))
        keys = [*self._find_variants(family, given), *self._find_shortened(family, given)]
        keys += self._find_misspelt(family, given)
        for key in dict.fromkeys(keys):
            ids |= dict.fromkeys(sorted(self.by_name[key]))
        return tuple(ids)[:MOST_SIMILAR]

    def _find_native(self, family: str, given: str) -> list[str]:
        parts = ["".join(fold(part).split()) for part in (family, given)]
        return sorted(self._by_native.get("".join(parts), set()) | self._by_native.get("".join(parts[::-1]), set()))

    def _find_variants(self, family: str, given: str) -> list[Key]:
        variants = spell_variants(family, given) | spell_variants(given, family) if given else set()
        return sorted({key for variant in variants for key in self._by_variant.get(variant, ())})

    def _find_shortened(self, family: str, given: str) -> list[Key]:
        """Return the names of a family name written alone, or with initials, in any order.

        A family name of several words may be a whole name, in any order.
        """
        if not given:
            whole = {key for parts in split_whole_name(family) for key in self._find_variants(*parts)}
            return [*sorted(self._by_family.get(fold(family), ())), *sorted(whole)]
        keys = set()
        for one, other in ((family, given), (given, family)):
            if initials := initials_of(other):
                keys |= {key for key in self._by_family.get(fold(one), ()) if key[1].startswith(initials[0])}
        return sorted(keys)

    def _find_misspelt(self, family: str, given: str) -> list[Key]:
        """Return the names with a letter or two different, in this order or swapped, most similar first."""
        first, second = fold(family), fold(given)
        hits = [
            hit
            for name in dict.fromkeys((f"{first} {second}".strip(), f"{second} {first}".strip()))
            for hit in process.extract(name, self.known, scorer=fuzz.ratio, score_cutoff=LIKELY, limit=CANDIDATES)
        ]
        hits.sort(key=lambda hit: (-hit[1], hit[2]))
        return [key for _name, _ratio, key in hits[:CANDIDATES]]
