"""Places of a tournament: by score, then by the sums that part who is equal.

The score is the points won, with MacMahon points those added (MMS, the MacMahon score). SOS is the sum of the
opponents' scores and SODOS the sum of the defeated opponents' scores, half of it after a draw: go and shogi name them
so, chess and renju name the same sums Buchholz and Sonneborn–Berger. A round without a game (bye, absence, forfeit)
gives its points and has no opponent, so it adds nothing to either sum: nobody's score stands in for one who was not
there. Of the rules in use this one leaves the fewest rows of the shogi federation's published tables out of order;
chess puts an imagined opponent there. Who is equal in all three shares the place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Result = tuple[int, float]
"""The opponent's number and the points won against him: 1, 0.5 or 0."""


@dataclass(frozen=True, slots=True)
class Placing:
    place: int
    shared: bool
    sos: float
    sodos: float


def placings(scores: Mapping[int, float], games: Mapping[int, Sequence[Result]]) -> dict[int, Placing]:
    """The placing of each number; `games` are those that were played."""
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
