"""Two players side by side: their games against each other, and what would be expected of them now."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from ratings.models import Player, RatingList, Standing
from ratings.systems.values import Game

from .careers import Career, GameRow
from .games import between


@dataclass(frozen=True)
class Met:
    """A game against the rival, and by how many points the first was ahead after it."""

    row: GameRow
    lead: float


@dataclass(frozen=True)
class Versus:
    """`expected` is what the rules expect of the first in an even game now, from 0 to 1; None where they cannot say."""

    standing: Standing
    rival: Standing
    met: list[Met]
    """Newest first."""
    expected: float | None

    @property
    def won(self) -> int:
        return sum(one.row.points == 1 for one in self.met)

    @property
    def drawn(self) -> int:
        return sum(one.row.points == 0.5 for one in self.met)

    @property
    def lost(self) -> int:
        return len(self.met) - self.won - self.drawn

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2

    @property
    def rival_points(self) -> float:
        return len(self.met) - self.points

    @property
    def rival_expected(self) -> float | None:
        return None if self.expected is None else 1 - self.expected


def versus(standing: Standing, rival: Standing, on: dt.date | None = None) -> Versus:
    """Of two standings on one list."""
    rows = between(Career(standing.player, standing.list, on).games, rival.player)
    met, lead = [], 0.0
    for row in reversed(rows):
        lead += 2 * row.points - 1
        met.append(Met(row, lead))
    return Versus(standing, rival, met[::-1], expected_now(standing.list, standing.rating, rival.rating))


def expected_now(rating_list: RatingList, own: float | None, other: float | None) -> float | None:
    """In an even game, by the present ratings."""
    if own is None or other is None:
        return None
    return rating_list.rating_system.predict(own, other, Game(1, "a", "b", None), "a")


def scores_among(players: Sequence[Player], rating_list: RatingList) -> dict[tuple[int, int], tuple[float, int]]:
    """(points, games) of each of some players against each other, by their keys."""
    keys = {player.pk for player in players}
    scores: dict[tuple[int, int], tuple[float, int]] = {}
    for player in players:
        for row in Career(player, rating_list).games:
            if row.opponent in keys and row.played:
                points, games = scores.get((player.pk, row.opponent), (0.0, 0))
                scores[player.pk, row.opponent] = points + row.points, games + 1
    return scores
