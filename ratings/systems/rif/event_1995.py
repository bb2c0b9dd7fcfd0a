"""Rating of one event in rif-1995 from the start ratings, #5 to #8 of 1995 with the decisions of 1996."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ratings.systems.arithmetic import round_half_away_from_zero
from ratings.systems.compiling import compiled
from ratings.systems.rif.messages import RifMessage

SPREAD, ODDS = 120, 2.0  # #7: at this difference the odds are two to one
FACTOR = 32  # #6
MIN_GAMES = 3  # #8a
INTERVAL, REACH, PIVOT = (2000, 2400), 200, 2200  # #8b
SETTLED, MAX_ROUNDS = 1e-9, 200_000
FEW_LINKS = 3  # fewer games of a group against rated players cause a warning


@compiled
def win_expectancy(difference: float, odds: float = ODDS) -> float:
    """Return the expected score (0..1) of one game against an opponent rated `difference` points higher (#6, #7).

    Compiled loops pass `odds` as a variable: the compiler replaces powers of a constant 2 by a function that rounds
    otherwise.
    """
    return float(1 / (1 + odds ** (difference / SPREAD)))


@dataclass(slots=True, eq=False)
class Game1995:
    """Played game from one side; `counts` is True if both players have start ratings and the rules admit it."""

    opponent: Entrant1995
    score: float
    counts: bool = False


@dataclass(slots=True, eq=False)
class Entrant1995:
    """Player of the event; `start` is the start rating, for a newcomer R0 once it is computed."""

    id: str
    start: float | None
    new: bool
    official: bool
    fixed: bool = False
    games: list[Game1995] = field(default_factory=list)
    edge: str = ""
    exact: float | None = None
    refusal_reason: str = ""

    @property
    def counted(self) -> list[Game1995]:
        return [game for game in self.games if game.counts]

    @property
    def points(self) -> float:
        return sum(game.score for game in self.counted)

    @property
    def average(self) -> float:
        """Ra, the mean start rating of the opponents, game by game."""
        return sum(game.opponent.start or 0 for game in self.counted) / len(self.counted)

    @property
    def expected(self) -> float:
        """Ee, the points that would bring no contribution (#7)."""
        return len(self.counted) * win_expectancy(self.average - (self.start or 0))

    @property
    def unrounded(self) -> float:
        """F before rounding (#6)."""
        return FACTOR * (self.points - self.expected)

    @property
    def contribution(self) -> int:
        """F; 0 for a newcomer inside the interval (#6, #8d)."""
        if self.new and not self.edge:
            return 0
        return round_half_away_from_zero(self.unrounded)


Numbers = NDArray[np.float64]


def start_rating_intervals(averages: Numbers) -> tuple[Numbers, Numbers]:
    """Return the lowest and highest possible start ratings, by the averages of the opponents (#8b)."""
    high = averages >= PIVOT
    return np.where(high, INTERVAL[0], averages - REACH), np.where(high, INTERVAL[1], averages + REACH)


def start_rating_interval(average: float) -> tuple[float, float]:
    """Return the lowest and highest possible start rating of one newcomer (#8b)."""
    lowest, highest = start_rating_intervals(np.array(average))
    return float(lowest), float(highest)


def limit_start_ratings(averages: Numbers, differences: Numbers) -> Numbers:
    """Return the start ratings R0 = Ra - dR, inside their intervals (#8b, #8d)."""
    return np.clip(averages - differences, *start_rating_intervals(averages))


def set_start_ratings(starters: Mapping[str, Entrant1995], *, zero_rule: bool, joint: bool) -> list[str]:
    """Set the newcomers' start ratings and which games count; return warnings for the rating officer (#8).

    With `zero_rule`, newcomers need points against officially rated players (#8c). With `joint`, games between
    newcomers count.
    """
    newcomers = [starter for starter in starters.values() if starter.new and starter.games]
    for starter in newcomers:
        starter.refusal_reason = _get_refusal_reason(starter, zero_rule=zero_rule)
    entitled = {starter.id: starter for starter in newcomers if not starter.refusal_reason}
    for starter in starters.values():
        for game in starter.games:
            both_new = starter.new and game.opponent.new
            known = all(player.start is not None or player.id in entitled for player in (starter, game.opponent))
            game.counts = known and (joint or not both_new)
    for starter in list(entitled.values()):
        if not starter.counted:
            starter.refusal_reason = RifMessage.MET_NO_START_RATING()
            del entitled[starter.id]
    return _solve_groups(entitled)


def _get_refusal_reason(starter: Entrant1995, *, zero_rule: bool) -> str:
    """Return the reason why a newcomer gets no start rating; empty if there is none (#8a, #8c)."""
    if len(starter.games) < MIN_GAMES:
        return RifMessage.TOO_FEW_GAMES(least_games=MIN_GAMES)
    if zero_rule and not sum(game.score for game in starter.games if game.opponent.official):
        return RifMessage.NO_POINTS()
    return ""


def _solve_groups(entitled: Mapping[str, Entrant1995]) -> list[str]:
    """Compute start ratings for every group of newcomers connected by games, jointly within a group (#8d).

    Return warnings.
    """
    warnings: list[str] = []
    for group in _find_groups(entitled):
        links = sum(not game.opponent.new for starter in group for game in starter.counted)
        names = [starter.id for starter in group]
        if not links:
            warnings.append(
                RifMessage.NO_LINK(
                    names=names,
                    pivot=PIVOT,
                )
            )
        elif len(group) > 1 and links < FEW_LINKS:
            warnings.append(
                RifMessage.FEW_LINKS(
                    names=names,
                    few_links=FEW_LINKS,
                )
            )
        averages, converged = _solve_averages(group, linked=bool(links))
        if not converged:
            warnings.append(RifMessage.NOT_SETTLED(names=names, most_rounds=MAX_ROUNDS))
        for starter, average in zip(group, averages, strict=True):
            _set_start_rating(starter, float(average))
    return warnings


def _find_groups(entitled: Mapping[str, Entrant1995]) -> Iterable[list[Entrant1995]]:
    remaining = dict(entitled)
    while remaining:
        group, queue = set(), [next(iter(remaining))]
        while queue:
            starter = remaining.pop(queue.pop(), None)
            if starter is not None:
                group.add(starter.id)
                queue += [game.opponent.id for game in starter.counted if game.opponent.id in remaining]
        yield [starter for starter in entitled.values() if starter.id in group]


def difference(starter: Entrant1995) -> float:
    """Return dR, by which the opponents are stronger (#8d): inf without points, -inf with all points."""
    games, points = len(starter.counted), starter.points
    if points in (0, games):
        return -math.inf if points else math.inf
    return SPREAD * math.log2(games / points - 1)


def _solve_averages(group: Sequence[Entrant1995], *, linked: bool) -> tuple[Numbers, bool]:
    """Return Ra of every player in a group, and True if the iteration converged.

    The others' R0 enter into Ra; the iteration starts at 2200 and ends when nothing changes. If nobody in the group
    met a rated player, no solution need exist, and a single pass against 2200 is used.
    """
    index = {starter.id: i for i, starter in enumerate(group)}
    matrix, known = np.zeros((len(group), len(group))), np.zeros(len(group))
    for i, starter in enumerate(group):
        for game in starter.counted:
            if game.opponent.id in index:
                matrix[i, index[game.opponent.id]] += 1
            else:
                known[i] += game.opponent.start or 0
    if not linked:
        return np.full(len(group), float(PIVOT)), True
    games = np.array([len(starter.counted) for starter in group], dtype=float)
    differences = np.array([difference(starter) for starter in group])
    values = np.full(len(group), float(PIVOT))
    for _pass in range(MAX_ROUNDS):
        averages = (matrix @ values + known) / games
        next_values = limit_start_ratings(averages, differences)
        if np.max(np.abs(next_values - values)) < SETTLED:
            return averages, True
        values = next_values
    return averages, False


def _set_start_rating(starter: Entrant1995, average: float) -> None:
    """Set R0, rounded, and whether it lies on an edge of the interval (#8b, #8d)."""
    unlimited = average - difference(starter)
    starter.exact = float(limit_start_ratings(np.array(average), np.array(difference(starter))))
    starter.start = round_half_away_from_zero(starter.exact)
    starter.edge = "lower" if unlimited < starter.exact else "upper" if unlimited > starter.exact else ""
