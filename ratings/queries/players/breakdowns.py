"""What a player's games add up to: opponents, best wins, years, handicaps."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from ratings.models import Game
from ratings.systems.performance import Result, expected_total, performance, rated_results
from ratings.systems.protocol import System

from .careers import Career, GameRow
from .kept import kept

BEST = 5
Handicap = Game.Handicap


@dataclass(frozen=True)
class Tally:
    """Games with the points won in them. Of those that the rules rate, and in which both were rated, also the mean
    rating of the opponents, the points that the rules expected, those made, and the performance.
    """

    of: Any
    games: int
    won: int
    drawn: int
    points: float
    rated: int
    opponents: float | None
    expected: float | None
    scored: float
    performance: float | None

    @property
    def lost(self) -> int:
        return self.games - self.won - self.drawn


def _results(games: Iterable[GameRow], system: System[Any]) -> list[Result]:
    return rated_results(system, ((game.own, game.theirs, game.value) for game in games if game.rated))


def performed(games: Iterable[GameRow], system: System[Any]) -> float | None:
    """The performance over some games, in rating points."""
    return performance(system, _results(games, system))


def tally(of: Any, games: Sequence[GameRow], system: System[Any], *, performs: bool = True) -> Tally:
    """Nothing of what the rules say of them (none rated) where nobody asks: over thousands of games it takes long."""
    results = _results(games, system) if performs else []
    return Tally(
        of,
        len(games),
        sum(game.points == 1 for game in games),
        sum(game.points == 0.5 for game in games),
        sum(game.points for game in games),
        len(results),
        sum(result.opponent for result in results) / len(results) if results else None,
        expected_total(system, results) if results else None,
        sum(result.game.score or 0.0 for result in results),
        performance(system, results),
    )


def tallies(games: Iterable[GameRow], by: Callable[[GameRow], Hashable], system: System[Any]) -> list[Tally]:
    """One for each kind of game, in the order in which the kinds come."""
    kinds: dict[Hashable, list[GameRow]] = defaultdict(list)
    for game in games:
        kinds[by(game)].append(game)
    return [tally(kind, several, system) for kind, several in kinds.items()]


@dataclass(frozen=True)
class Opponent:
    """All games against one player, by his key in the database."""

    pk: int
    games: int
    won: int
    drawn: int
    last: GameRow

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2

    @property
    def lost(self) -> int:
        return self.games - self.won - self.drawn


def opponents(games: Iterable[GameRow]) -> list[Opponent]:
    """Whom he played, most games first, then the latest; games are given newest first."""
    against: dict[int, list[GameRow]] = defaultdict(list)
    for game in games:
        if game.opponent is not None and game.played:
            against[game.opponent].append(game)
    several = []
    for pk, met in against.items():
        points = [game.points for game in met]
        several.append(Opponent(pk, len(met), points.count(1), points.count(0.5), met[0]))
    return sorted(several, key=lambda one: (-one.games, -one.last.day.toordinal(), one.pk))


def is_even(game: GameRow) -> bool:
    return not game.handicap and not game.stones


def handicap_of(game: GameRow) -> tuple[str, bool | None]:
    """Which handicap, and whether the player gave it; stones are given by White."""
    if game.handicap:
        return game.handicap, game.gave
    return (str(game.stones), not game.black) if game.stones else ("", None)


def size_of(tally: Tally) -> tuple[bool, bool, int]:
    """By which tallies of handicaps are ordered: even games, then those taken and those given, the small ones first."""
    handicap, gave = tally.of
    known = Handicap.values
    return bool(handicap), bool(gave), known.index(handicap) if handicap in known else int(handicap or 0)


@dataclass(frozen=True)
class Summary:
    """What a player's page tells of his games."""

    all: Tally
    met: int
    opponents: list[Opponent]
    """Those whom he played most."""
    best: list[GameRow]
    """Even games won against the highest rated."""
    years: list[Tally]
    handicaps: list[Tally]
    """By `handicap_of`; empty where all games were even."""
    latest: list[GameRow]
    rounds: int
    """Games, and rounds without one."""


def summary(career: Career, latest: int, most: int) -> Summary:
    """Of the present kept until the list changes; `latest` games and the `most` frequent opponents are named in it."""
    if career.on is not None:
        return _summary(career, latest, most)
    what = f"summary:{career.player.pk}:{latest}:{most}"
    return kept(career.rating_list, what, lambda: _summary(career, latest, most))


def _summary(career: Career, latest: int, most: int) -> Summary:
    system = career.rating_list.rating_system
    games = [game for game in career.games if game.played]
    met = opponents(games)
    won = [game for game in games if game.rated and game.points == 1 and game.theirs is not None and is_even(game)]
    handicaps = [] if all(map(is_even, games)) else sorted(tallies(games, handicap_of, system), key=size_of)
    return Summary(
        tally("", games, system, performs=False),
        len(met),
        met[:most],
        sorted(won, key=lambda game: (-(game.theirs or 0), -game.day.toordinal()))[:BEST],
        tallies(games, lambda game: game.day.year, system),
        handicaps,
        career.games[:latest],
        len(career.games),
    )
