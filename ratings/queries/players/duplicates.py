"""Players who are probably one."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

from rapidfuzz import fuzz

from ratings.matching import fold
from ratings.models import Player

ALIKE = 92  # rapidfuzz's ratio from which two names are shown
SHOWN = 100


@dataclass(frozen=True)
class Pair:
    """Two who may be one, and how alike their names are (0..100)."""

    one: Player
    other: Player
    alike: float


def probable_duplicates() -> list[Pair]:
    """Pairs with the same or nearly the same names, whatever their order, most alike first.

    Names are compared that begin alike in one of their parts, which keeps this quick.
    """
    players = Player.objects.filter(merged_into=None).only("public_id", "family_name", "given_name", "country")
    blocks: dict[str, set[Player]] = defaultdict(set)
    for player in players:
        for part in fold(player.name).split():
            blocks[part[:4]].add(player)
    pairs: dict[tuple[int, int], Pair] = {}
    for block in blocks.values():
        for one, other in combinations(sorted(block, key=lambda player: player.pk), 2):
            alike = fuzz.token_sort_ratio(fold(one.name), fold(other.name))
            if alike >= ALIKE:
                pairs[one.pk, other.pk] = Pair(one, other, alike)
    return sorted(pairs.values(), key=lambda pair: (-pair.alike, pair.one.name))[:SHOWN]
