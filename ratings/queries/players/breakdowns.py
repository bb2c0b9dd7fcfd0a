"""Totals of a player's games: by opponent, year and handicap, with the best wins."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from pydantic import TypeAdapter

from ratings.models import Game
from ratings.queries.lists.list_cache import cached
from ratings.systems.performance import RatedGame, compute_performance, list_rated_games, sum_expected_scores
from ratings.systems.protocol import System

from .career_games import GameRow
from .careers import Career

BEST = 5
Handicap = Game.Handicap
Kind = TypeVar("Kind")
"""Kind of games: a year, a handicap as returned by `handicap_of`, or a text. Summaries are cached as JSON; the type
restores tuples.
"""
GivenHandicap = tuple[str, bool | None]
Totals = TypeVar("Totals")


@dataclass(frozen=True)
class Tally(Generic[Kind]):
    """The number of games of a kind (`key`), and the points won in them.

    `rated` is the number of games that the rules rate and in which both players had a rating. Only these games count
    for `opponents` (their mean rating), `expected` and `scored` (points), and `performance` (a rating).
    """

    key: Kind
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


def _collect_results(games: Iterable[GameRow], system: System[Any]) -> list[RatedGame]:
    return list_rated_games(
        system, ((game.own, game.theirs, game.value, game.deviations) for game in games if game.rated)
    )


def performance_over_games(games: Iterable[GameRow], system: System[Any]) -> float | None:
    """Return the performance over games, in rating points; None where no rating would explain the score."""
    return compute_performance(system, _collect_results(games, system))


def tally(key: Kind, games: Sequence[GameRow], system: System[Any], *, with_performance: bool = True) -> Tally[Kind]:
    """Return the tally of games.

    With `with_performance=False`, the values that depend on the rating rules are left out (`rated` is 0): over
    thousands of games they take long.
    """
    results = _collect_results(games, system) if with_performance else []
    return Tally(
        key,
        len(games),
        sum(game.points == 1 for game in games),
        sum(game.points == 0.5 for game in games),
        sum(game.points for game in games),
        len(results),
        sum(result.opponent for result in results) / len(results) if results else None,
        sum_expected_scores(system, results) if results else None,
        sum(result.game.score or 0.0 for result in results),
        compute_performance(system, results),
    )


def tallies(games: Iterable[GameRow], by: Callable[[GameRow], Kind], system: System[Any]) -> list[Tally[Kind]]:
    """Return one tally for each kind of game, in the order in which the kinds first occur."""
    kinds: dict[Kind, list[GameRow]] = defaultdict(list)
    for game in games:
        kinds[by(game)].append(game)
    return [tally(kind, games_of_kind, system) for kind, games_of_kind in kinds.items()]


class Opponent(NamedTuple):
    """The results of all games against a player, who is given by primary key."""

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
    """Return the opponents in games, most games first, then the latest; `games` must be ordered newest first."""
    against: dict[int, list[Any]] = {}
    for game in games:
        if game.opponent is not None and game.played:
            counts = against.setdefault(game.opponent, [0, 0, 0, game])
            counts[0] += 1
            counts[1] += game.points == 1
            counts[2] += game.points == 0.5
    results = [Opponent(pk, *counts) for pk, counts in against.items()]
    return sorted(results, key=lambda opponent: (-opponent.games, -opponent.last.day.toordinal(), opponent.pk))


def is_even(game: GameRow) -> bool:
    return not game.handicap and not game.stones


def handicap_of(game: GameRow) -> GivenHandicap:
    """Return the handicap of a game, and whether the player gave it; stones are given by White."""
    if game.handicap:
        return game.handicap, game.gave
    return (str(game.stones), not game.black) if game.stones else ("", None)


def handicap_sort_key(tally: Tally[GivenHandicap]) -> tuple[bool, bool, int]:
    """Return the sort key of a handicap tally: even games, handicaps taken, handicaps given, each smallest first."""
    handicap, gave = tally.key
    known = Handicap.values
    return bool(handicap), bool(gave), known.index(handicap) if handicap in known else int(handicap or 0)


@dataclass(frozen=True)
class Summary:
    """The summary of a player's games on the player's page; `opponent_count` is the number of opponents."""

    all: Tally[str]
    opponent_count: int
    opponents: list[Opponent]
    """The most frequent opponents."""
    best: list[GameRow]
    """The even games won against the highest rated opponents."""
    has_handicaps: bool
    """True unless all games were even."""


SUMMARY = TypeAdapter(Summary)


def summary(career: Career, most: int) -> Summary:
    """Return the summary of a career, with the `most` most frequent opponents."""
    return _cached_until_now(career, f"summary:{most}", lambda: _summarize(career, most), SUMMARY)


def _summarize(career: Career, most: int) -> Summary:
    games = [game for game in career.games if game.played]
    opponent_rows = opponents(games)
    won = [game for game in games if game.points == 1 and game.counted_rating is not None and is_even(game)]
    return Summary(
        tally("", games, career.rating_list.rating_system, with_performance=False),
        len(opponent_rows),
        opponent_rows[:most],
        sorted(won, key=lambda game: (-(game.theirs or 0), -game.day.toordinal()))[:BEST],
        not all(map(is_even, games)),
    )


@dataclass(frozen=True)
class Breakdown:
    """The totals of a player's games by year, the latest first, and by handicap (`handicap_of`).

    There are no handicaps where all games were even.
    """

    years: list[Tally[int]]
    handicaps: list[Tally[GivenHandicap]]


BREAKDOWN = TypeAdapter(Breakdown)


def break_down(career: Career) -> Breakdown:
    """Return the totals of a career by year and by handicap."""
    return _cached_until_now(career, "breakdown", lambda: _break_down(career), BREAKDOWN)


def _break_down(career: Career) -> Breakdown:
    system = career.rating_list.rating_system
    games = [game for game in career.games if game.played]
    handicaps = [] if all(map(is_even, games)) else sorted(tallies(games, handicap_of, system), key=handicap_sort_key)
    return Breakdown(tallies(games, lambda game: game.day.year, system), handicaps)


YEAR = TypeAdapter(Tally[int] | None)


def tally_of_year(career: Career, year: int) -> Tally[int] | None:
    """Return the totals of a career in one year; None without games."""

    def sum_up() -> Tally[int] | None:
        games = [game for game in career.games if game.played and game.day.year == year]
        return tally(year, games, career.rating_list.rating_system) if games else None

    return _cached_until_now(career, "year", sum_up, YEAR, detail=str(year))


def _cached_until_now(
    career: Career, name: str, compute: Callable[[], Totals], kind: TypeAdapter[Totals], detail: str = ""
) -> Totals:
    """Return the result of `compute`, cached until the list changes; for a past day it is not cached."""
    if career.on is not None:
        return compute()
    return cached(career.rating_list, f"{name}:{career.player.pk}", compute, kind, detail=detail)
