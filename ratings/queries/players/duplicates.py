"""Possible duplicates among the players."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from django.core.cache import cache
from rapidfuzz import fuzz
from rapidfuzz.process import cdist

from ratings.matching import fold
from ratings.models import Player

MIN_SIMILARITY = 92  # rapidfuzz's ratio (0..100) from which two names are reported
MAX_PAIRS = 100  # pairs
START = 4  # letters that two names must share at the beginning of a part
LARGE = 200  # names with the same start above which a second part must be alike
COUNT_KEY, COUNT_SECONDS = "possible-duplicates", 600
MAX_COUNTED = 20_000
"""Number of players above which the pairs are not counted for the desk, as that takes seconds."""


@dataclass(frozen=True)
class Pair:
    """Two players who may be the same person, and the similarity of their names (0..100)."""

    first: Player
    second: Player
    similarity: float


def probable_duplicates() -> list[Pair]:
    """Return pairs of players with the same or nearly the same name, in any order of its parts, most similar first.

    Pairs whose births differ are left out. Only names that share the beginning of a part are compared. Where many names
    do, a second part must begin or end alike too, so that 100,000 players take some seconds.
    """
    fields = ("public_id", "family_name", "given_name", "shown", "country", "birth_date", "birth_year")
    players = list(Player.objects.filter(merged_into=None).only(*fields).order_by("pk"))
    names = [sorted(fold(player.name).split()) for player in players]
    alike: dict[tuple[int, int], float] = {}
    for block in _group_similar_names(names):
        joined = [" ".join(names[n]) for n in block]
        scores = cdist(joined, joined, scorer=fuzz.ratio, score_cutoff=MIN_SIMILARITY)
        for first, second in zip(*np.nonzero(np.triu(scores, 1)), strict=True):
            pair = block[first], block[second]
            if not have_different_births(players[pair[0]], players[pair[1]]):
                alike[pair] = float(scores[first, second])
    best = sorted(alike, key=lambda pair: (-alike[pair], players[pair[0]].name, pair))[:MAX_PAIRS]
    cache.set(COUNT_KEY, len(best), COUNT_SECONDS)
    return [Pair(players[first], players[second], alike[first, second]) for first, second in best]


def have_different_births(first: Player, second: Player) -> bool:
    """Return True if the birth years of two players are known and differ, or else their birth dates."""
    if first.birth_date and second.birth_date:
        return first.birth_date != second.birth_date
    years = {first.year_of_birth, second.year_of_birth}
    return None not in years and len(years) > 1


def count_probable_duplicates() -> int | None:
    """Return the number of pairs, cached for ten minutes; None if there are too many players to count them quickly."""
    number: int | None = cache.get(COUNT_KEY)
    if number is None and Player.objects.filter(merged_into=None).count() <= MAX_COUNTED:
        number = len(probable_duplicates())
    return number


def _group_similar_names(names: Sequence[Sequence[str]]) -> Iterator[list[int]]:
    """Yield groups of positions of names that are to be compared with each other."""
    by_start: dict[str, dict[int, None]] = defaultdict(dict)
    for n, parts in enumerate(names):
        for part in parts:
            by_start[part[:START]][n] = None
    for start, block in by_start.items():
        if len(block) <= LARGE:
            yield list(block)
            continue
        smaller: dict[tuple[str, str], dict[int, None]] = defaultdict(dict)
        for n in block:
            others = [part for part in names[n] if not part.startswith(start)] or [""]
            for part in others:
                smaller["starts", part[:2]][n] = None
                smaller["ends", part[-3:]][n] = None
        yield from (list(positions) for positions in smaller.values())
