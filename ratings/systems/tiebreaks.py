"""Tournament placings by score and tie-breaks.

The score is the points won, with MacMahon points those added (MMS, the MacMahon score). SOS is the sum of the
opponents' scores. SODOS is the sum of the defeated opponents' scores; after a draw, half the score counts. Go and shogi
use these names; chess and renju call the sums Buchholz and Sonneborn–Berger.

A round without a game (bye, absence, forfeit) gives its points and has no opponent, so it adds nothing to either sum.
Chess adds an imagined opponent for it. Of the rules in use, adding nothing leaves the fewest rows of the shogi
federation's published tables out of order. Players who are equal in all three share the place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Result = tuple[int, float]
"""Opponent's number and the points won against them: 1, 0.5 or 0."""


@dataclass(frozen=True, slots=True)
class Placing:
    place: int
    shared: bool
    sos: float
    sodos: float


def compute_placings(scores: Mapping[int, float], games: Mapping[int, Sequence[Result]]) -> dict[int, Placing]:
    """Return the placing of each number; `games` are the games that were played."""
    sums = {
        number: (
            score,
            sum(scores[opponent] for opponent, _ in games.get(number, ())),
            sum(scores[opponent] * points for opponent, points in games.get(number, ())),
        )
        for number, score in scores.items()
    }
    order = sorted(sums.values(), reverse=True)
    first = {key: place for place, key in reversed(list(enumerate(order, 1)))}
    last = {key: place for place, key in enumerate(order, 1)}
    return {number: Placing(first[key], first[key] < last[key], *key[1:]) for number, key in sums.items()}
