"""Which player of the roster a written name means. Pure: names in, a verdict with its reason out."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from anyascii import anyascii
from rapidfuzz import fuzz, process

LIKELY = 85  # rapidfuzz's ratio from which a name counts as a near miss
CANDIDATES = 5


def fold(text: str) -> str:
    """A name without case, accents, composition and doubled spaces; Latin letters such as ł ø ß become plain ones.

    Other scripts keep their letters, so that no two alphabets are taken for each other.
    """
    stripped = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    plain = (anyascii(c) if not c.isascii() and unicodedata.name(c, "").startswith("LATIN") else c for c in stripped)
    return " ".join("".join(plain).casefold().split())


@dataclass(frozen=True, slots=True)
class Match:
    """`players` is the one meant (exact), the namesakes (several), the near misses (likely), or nobody (unknown)."""

    verdict: str
    players: tuple[str, ...] = ()


class Roster:
    """All known players by their folded names. `names` maps an id to every (family, given) name he goes by."""

    def __init__(self, names: Mapping[str, Iterable[tuple[str, str]]]) -> None:
        self.by_name: dict[tuple[str, str], set[str]] = {}
        for id, several in names.items():
            for family, given in several:
                self.add(id, family, given)
        self.known = {key: " ".join(key) for key in self.by_name}

    def add(self, id: str, family: str, given: str) -> None:
        """Somebody new, found by his exact name from now on; nobody is taken for a near miss of him."""
        self.by_name.setdefault((fold(family), fold(given)), set()).add(id)

    def match(self, family: str, given: str) -> Match:
        """Exact after folding; anything less names its candidates and is left to people."""
        exact = self.by_name.get((fold(family), fold(given)))
        if exact:
            return Match("exact" if len(exact) == 1 else "several", tuple(sorted(exact)))
        near = self._near(fold(family), fold(given))
        return Match("likely", near) if near else Match("unknown")

    def _near(self, family: str, given: str) -> tuple[str, ...]:
        """Last and first name swapped, a letter or two off, or one part alone the same but for a letter."""
        hits = process.extract(
            f"{family} {given}", self.known, scorer=fuzz.token_sort_ratio, score_cutoff=LIKELY, limit=CANDIDATES
        )
        return tuple(dict.fromkeys(id for _, _, key in hits for id in sorted(self.by_name[key])))
