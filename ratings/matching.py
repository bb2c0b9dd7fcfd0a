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
CANDIDATES = 5


def fold(text: str) -> str:
    """Return a name in lower case, without accents and repeated spaces.

    Latin letters such as ł, ø and ß become plain ones. Other scripts keep their letters, so that letters of different
    alphabets are not confused.
    """
    stripped = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    plain = (anyascii(c) if not c.isascii() and unicodedata.name(c, "").startswith("LATIN") else c for c in stripped)
    return " ".join("".join(plain).casefold().split())


@dataclass(frozen=True, slots=True)
class NameMatch:
    """A verdict on a name, with the ids of the players that it may mean.

    The verdict is `exact` (one player with this name), `several` (players who share the name), `likely` (players with
    similar names) or `unknown` (no players).
    """

    verdict: str
    players: tuple[str, ...] = ()


class NameIndex:
    """All known players by their folded names.

    `names` maps a player's id to every (family, given) name of that player.
    """

    def __init__(self, names: Mapping[str, Iterable[tuple[str, str]]]) -> None:
        self.by_name: dict[tuple[str, str], set[str]] = {}
        for id, player_names in names.items():
            for family, given in player_names:
                self.add(id, family, given)
        self.known = {key: " ".join(key) for key in self.by_name}

    def add(self, id: str, family: str, given: str) -> None:
        """Add a name of a player.

        Names added after the roster is created are matched exactly only, not as similar names.
        """
        self.by_name.setdefault((fold(family), fold(given)), set()).add(id)

    def match(self, family: str, given: str) -> NameMatch:
        """Return the match for a name: exact after folding, else the similar names for a person to decide."""
        exact = self.by_name.get((fold(family), fold(given)))
        if exact:
            return NameMatch("exact" if len(exact) == 1 else "several", tuple(sorted(exact)))
        near = self._near(fold(family), fold(given))
        return NameMatch("likely", near) if near else NameMatch("unknown")

    def _near(self, family: str, given: str) -> tuple[str, ...]:
        """Return the ids of players with similar names, at most `CANDIDATES` names.

        Similar are names with last and first name swapped, or with a letter or two different.
        """
        hits = process.extract(
            f"{family} {given}", self.known, scorer=fuzz.token_sort_ratio, score_cutoff=LIKELY, limit=CANDIDATES
        )
        return tuple(dict.fromkeys(id for _, _, key in hits for id in sorted(self.by_name[key])))
