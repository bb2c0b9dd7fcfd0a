"""rif-1995: one event computed from the start ratings, #5 to #8 of 1995 with the decisions of 1996."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .arithmetic import away_from_zero
from .words import Words as _

SPREAD = 120  # #7: at this difference the odds are two to one
FACTOR = 32  # #6
LEAST_GAMES = 3  # #8a
INTERVAL, REACH, PIVOT = (2000, 2400), 200, 2200  # #8b
SETTLED, MOST_ROUNDS = 1e-9, 200_000
FEW_LINKS = 3  # games of a group against rated players, below which the officer shall look


def win_expectancy(difference: float) -> float:
    """#6, #7: expected score (0..1) of one game against an opponent rated so many points higher."""
    return 1 / (1 + 2 ** (difference / SPREAD))


@dataclass(slots=True, eq=False)
class Meeting:
    """A played game from one side; `counts` as soon as both have start ratings and the rules admit it."""

    opponent: Starter
    score: float
    counts: bool = False


@dataclass(slots=True, eq=False)
class Starter:
    """A player of the event. `start` is his start rating, for a newcomer R0 once it is found."""

    id: str
    start: float | None
    new: bool
    official: bool
    fixed: bool = False
    met: list[Meeting] = field(default_factory=list)
    edge: str = ""
    exact: float | None = None
    why_not: str = ""

    @property
    def counted(self) -> list[Meeting]:
        return [game for game in self.met if game.counts]

    @property
    def points(self) -> float:
        return sum(game.score for game in self.counted)

    @property
    def average(self) -> float:
        """Ra: the mean start rating of the opponents, game by game."""
        return sum(game.opponent.start or 0 for game in self.counted) / len(self.counted)

    @property
    def expected(self) -> float:
        """#7: Ee, the points that would bring no contribution."""
        return len(self.counted) * win_expectancy(self.average - (self.start or 0))

    @property
    def unrounded(self) -> float:
        """#6: F before it is rounded."""
        return FACTOR * (self.points - self.expected)

    @property
    def contribution(self) -> int:
        """#6, #8d: F; nothing for a newcomer inside the interval."""
        if self.new and not self.edge:
            return 0
        return away_from_zero(self.unrounded)


def interval(average: float) -> tuple[float, float]:
    """#8b: where a start rating may lie, by the average of the opponents."""
    return INTERVAL if average >= PIVOT else (average - REACH, average + REACH)


def give_start_ratings(starters: Mapping[str, Starter], *, zero_rule: bool, joint: bool) -> list[str]:
    """#8: start ratings of the newcomers who earn one, and which games count; gives what the officer should know.

    `zero_rule`: #8c, points against officially rated players are needed; `joint`: games between newcomers count.
    """
    newcomers = [starter for starter in starters.values() if starter.new and starter.met]
    for starter in newcomers:
        starter.why_not = _why_not(starter, zero_rule=zero_rule)
    entitled = {starter.id: starter for starter in newcomers if not starter.why_not}
    for starter in starters.values():
        for game in starter.met:
            both_new = starter.new and game.opponent.new
            known = all(one.start is not None or one.id in entitled for one in (starter, game.opponent))
            game.counts = known and (joint or not both_new)
    for starter in list(entitled.values()):
        if not starter.counted:
            starter.why_not = _("no game against a player with a start rating")
            del entitled[starter.id]
    return _solve(entitled)


def _why_not(starter: Starter, *, zero_rule: bool) -> str:
    """#8a, #8c: what a newcomer lacks for a start rating."""
    if len(starter.met) < LEAST_GAMES:
        return _("fewer than {least_games} games: no start rating", least_games=LEAST_GAMES)
    if zero_rule and not sum(game.score for game in starter.met if game.opponent.official):
        return _("no points against officially rated players: no start rating")
    return ""


def _solve(entitled: Mapping[str, Starter]) -> list[str]:
    """#8d for every group of newcomers that games between them connect; all at once within a group."""
    warnings: list[str] = []
    for group in _groups(entitled):
        links = sum(not game.opponent.new for starter in group for game in starter.counted)
        names = ", ".join(starter.id for starter in group)
        if not links:
            warnings.append(
                _(
                    "{names}: nobody among them met a rated player; every opponent is taken as {pivot}",
                    names=names,
                    pivot=PIVOT,
                )
            )
        elif len(group) > 1 and links < FEW_LINKS:
            warnings.append(
                _(
                    "{names}: fewer than {few_links} games tie these newcomers to the rated; look at them",
                    names=names,
                    few_links=FEW_LINKS,
                )
            )
        averages, settled = _averages(group, linked=bool(links))
        if not settled:
            warnings.append(
                _("{names}: start ratings not settled after {most_rounds} rounds", names=names, most_rounds=MOST_ROUNDS)
            )
        for starter, average in zip(group, averages, strict=True):
            _start(starter, float(average))
    return warnings


def _groups(entitled: Mapping[str, Starter]) -> Iterable[list[Starter]]:
    left = dict(entitled)
    while left:
        group, waiting = set(), [next(iter(left))]
        while waiting:
            starter = left.pop(waiting.pop(), None)
            if starter is not None:
                group.add(starter.id)
                waiting += [game.opponent.id for game in starter.counted if game.opponent.id in left]
        yield [starter for starter in entitled.values() if starter.id in group]


def difference(starter: Starter) -> float:
    """#8d: dR, by which the opponents are stronger: without end at no points, and below at all of them."""
    games, points = len(starter.counted), starter.points
    if points in (0, games):
        return -math.inf if points else math.inf
    return SPREAD * math.log2(games / points - 1)


def _averages(group: Sequence[Starter], *, linked: bool) -> tuple[NDArray[np.float64], bool]:
    """Ra of everybody in a group, with the others' R0 in it: from 2200 until nothing moves, and whether that came
    to pass. Nobody linked to the rated: no such values need exist, and one pass has to do.
    """
    place = {starter.id: i for i, starter in enumerate(group)}
    matrix, known = np.zeros((len(group), len(group))), np.zeros(len(group))
    for i, starter in enumerate(group):
        for game in starter.counted:
            if game.opponent.id in place:
                matrix[i, place[game.opponent.id]] += 1
            else:
                known[i] += game.opponent.start or 0
    if not linked:
        return np.full(len(group), float(PIVOT)), True
    games = np.array([len(starter.counted) for starter in group], dtype=float)
    differences = np.array([difference(starter) for starter in group])
    values = np.full(len(group), float(PIVOT))
    for _pass in range(MOST_ROUNDS):
        averages = (matrix @ values + known) / games
        high = averages >= PIVOT
        lowest = np.where(high, INTERVAL[0], averages - REACH)
        highest = np.where(high, INTERVAL[1], averages + REACH)
        following = np.clip(averages - differences, lowest, highest)
        if np.max(np.abs(following - values)) < SETTLED:
            return averages, True
        values = following
    return averages, False


def _start(starter: Starter, average: float) -> None:
    """#8b, #8d: R0, rounded, and whether it lies on an edge of the interval."""
    low, high = interval(average)
    unlimited = average - difference(starter)
    starter.exact = min(max(unlimited, low), high)
    starter.start = away_from_zero(starter.exact)
    starter.edge = "lower" if unlimited < low else "upper" if unlimited > high else ""
