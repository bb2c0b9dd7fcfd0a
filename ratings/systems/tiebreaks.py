"""Tournament placings: the federation's official places, or the order by score and tie-breaks.

The score is the points won, with MacMahon points those added (MMS, the MacMahon score). SOS is the sum of the
opponents' scores, SODOS that of the defeated opponents' scores; after a draw, half the score counts. Go and shogi use
these names; chess and renju call the sums Buchholz and Sonneborn–Berger.

A round without a game (bye, absence, forfeit) gives its points and has no opponent, so it adds nothing to any sum.
Chess adds an imagined opponent for it. Of the rules in use, adding nothing leaves the fewest rows of the shogi
federation's published tables out of order. Players who are equal by all tie-breaks share the place.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby, permutations
from types import MappingProxyType

Result = tuple[int, float]
"""Opponent's number and the points won against them: 1, 0.5 or 0."""
Games = Mapping[int, Sequence[Result]]
"""Games that were played, by the player's number."""
TIE_BREAKS_AT_MOST = 4
"""Maximum number of tie-breaks of an event."""
POINTS_ONLY = "points"
"""Value for an event without tie-breaks: players with equal points share the place."""


class TieBreak(StrEnum):
    """Tie-breaks that an event can have."""

    SOS = "sos"
    SOS_CUT = "sos-1"
    SOS_MEDIAN = "sos-median"
    SOSOS = "sosos"
    SODOS = "sodos"
    WINS = "wins"
    DIRECT = "direct"


GO_NAMES: Mapping[TieBreak, str] = MappingProxyType(
    {
        TieBreak.SOS: "SOS",
        TieBreak.SOS_CUT: "SOS-1",
        TieBreak.SOS_MEDIAN: "SOSM",
        TieBreak.SOSOS: "SOSOS",
        TieBreak.SODOS: "SODOS",
        TieBreak.WINS: "NBW",
        TieBreak.DIRECT: "DC",
    }
)
"""Names of the tie-breaks in go and shogi."""
CHESS_NAMES: Mapping[TieBreak, str] = MappingProxyType(
    {
        TieBreak.SOS: "BH",
        TieBreak.SOS_CUT: "BH-C1",
        TieBreak.SOS_MEDIAN: "BH-M1",
        TieBreak.SOSOS: "BHBH",
        TieBreak.SODOS: "SB",
        TieBreak.WINS: "WON",
        TieBreak.DIRECT: "DE",
    }
)
"""Names of the tie-breaks in chess and renju."""


@dataclass(frozen=True, slots=True)
class Placing:
    """A player's place; `values` are those of the tie-breaks in their order, None where one decides nothing."""

    place: int
    shared: bool
    values: tuple[float | None, ...] = ()


def parse_tie_breaks(codes: str) -> tuple[TieBreak, ...] | None:
    """Return the tie-breaks of codes such as “sos,sodos” in order; None if there are no codes.

    Raise ValueError for an unknown or repeated tie-break, and for more than TIE_BREAKS_AT_MOST.
    """
    if not codes:
        return None
    if codes == POINTS_ONLY:
        return ()
    parsed = tuple(TieBreak(code) for code in codes.split(","))
    if len(set(parsed)) != len(parsed) or len(parsed) > TIE_BREAKS_AT_MOST:
        raise ValueError(codes)
    return parsed


def compute_placings(scores: Mapping[int, float], games: Games, tie_breaks: Sequence[TieBreak]) -> dict[int, Placing]:
    """Return the placing of each number by score, then by the tie-breaks in their order."""
    groups = _split(list(scores), scores.__getitem__)
    values: list[Mapping[int, float]] = []
    for tie_break in tie_breaks:
        found: defaultdict[int, float] = defaultdict(float)
        if tie_break == TieBreak.DIRECT:
            for group in groups:
                found |= _score_among(group, games)
        else:
            found |= {number: _compute(tie_break, number, scores, games) for number in scores}
        values.append(dict(found))
        groups = [part for group in groups for part in _split(group, found.__getitem__)]
    placings: dict[int, Placing] = {}
    for group in groups:
        place = len(placings) + 1
        for number in group:
            placings[number] = Placing(place, len(group) > 1, tuple(found.get(number) for found in values))
    return placings


def use_official_places(places: Mapping[int, int]) -> dict[int, Placing]:
    """Return the placings of an event with official places."""
    taken = Counter(places.values())
    return {number: Placing(place, taken[place] > 1) for number, place in places.items()}


def _split(numbers: Sequence[int], value: Callable[[int], float]) -> list[list[int]]:
    """Return the numbers in groups of equal value, the highest value first."""
    return [list(group) for _value, group in groupby(sorted(numbers, key=value, reverse=True), value)]


def _compute(tie_break: TieBreak, number: int, scores: Mapping[int, float], games: Games) -> float:
    played = games.get(number, ())
    opponents = sorted(scores[opponent] for opponent, _points in played)
    if tie_break == TieBreak.SOS_CUT:
        return sum(opponents[1:])
    if tie_break == TieBreak.SOS_MEDIAN:
        return sum(opponents[1:-1])
    if tie_break == TieBreak.SOSOS:
        return sum(_compute(TieBreak.SOS, opponent, scores, games) for opponent, _points in played)
    if tie_break == TieBreak.SODOS:
        return sum(scores[opponent] * points for opponent, points in played)
    if tie_break == TieBreak.WINS:
        return sum(points == 1 for _opponent, points in played)
    return sum(opponents)


def _score_among(group: Sequence[int], games: Games) -> dict[int, float]:
    """Return the points that tied players won against each other; none unless all of them have met."""
    points = dict.fromkeys(group, 0.0)
    met = set()
    for number in group:
        for opponent, won in games.get(number, ()):
            if opponent in points:
                met.add((number, opponent))
                points[number] += won
    return points if len(group) > 1 and met.issuperset(permutations(group, 2)) else {}
