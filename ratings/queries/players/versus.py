"""Comparison of two players: their games against each other, and the expected score of a game now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q
from django.utils import timezone

from ratings.models import Event, Game, Player, RatingList, Standing
from ratings.queries.lists.deviations import deviation_of
from ratings.queries.lists.lists import public_lists
from ratings.systems import values

from .career_games import GameRow
from .careers import Career


@dataclass(frozen=True)
class RivalGame:
    """A game against the rival, and the points of both players after it."""

    row: GameRow
    points: float
    rival_points: float


@dataclass(frozen=True)
class Versus:
    """Two players on a list: their standings, and their games against each other.

    `expected` is the expected score of the first player in an even game now, from 0 to 1; None if the rating system
    cannot compute it. A player who is not on the list has no standing.
    """

    standing: Standing | None
    rival: Standing | None
    games: list[RivalGame]
    """Newest first."""
    expected: float | None
    deviations: tuple[float, float] | None = None
    """Deviations of both ratings now, in rating points; None where the list's system has none."""

    @property
    def won(self) -> int:
        return sum(game.row.points == 1 for game in self.games)

    @property
    def drawn(self) -> int:
        return sum(game.row.points == 0.5 for game in self.games)

    @property
    def lost(self) -> int:
        return len(self.games) - self.won - self.drawn

    @property
    def points(self) -> float:
        return self.won + self.drawn / 2

    @property
    def rival_points(self) -> float:
        return len(self.games) - self.points


Standings = Mapping[int, Standing]
"""Standings of a player, by the primary key of the list."""


def versus(player: Player, rival: Player, on_list: RatingList, mine: Standings, theirs: Standings) -> Versus:
    """Return the comparison of two players on a list; neither of them needs a standing on it."""
    games, points = [], 0.0
    for number, row in enumerate(reversed(Career(player, on_list).games_against(rival)), 1):
        points += row.points
        games.append(RivalGame(row, points, number - points))
    own, other = mine.get(on_list.pk), theirs.get(on_list.pk)
    deviations = _read_deviations(on_list, player, rival) if own and other else None
    expected = expected_now(on_list, own.rating, other.rating, deviations) if own and other else None
    return Versus(own, other, games[::-1], expected, deviations)


def lists_of_both(player: Player, rival: Player, mine: Standings, theirs: Standings) -> list[RatingList]:
    """Return the public lists on which both players have a standing, then those that rate games between them."""
    sides = Q(a__player=player, b__player=rival) | Q(a__player=rival, b__player=player)
    rated_on = Game.objects.filter(sides, table__event__state=Event.State.ACCEPTED).values("table__event__lists")
    both = mine.keys() & theirs.keys()
    lists = public_lists().filter(Q(pk__in=both) | Q(pk__in=rated_on) | Q(comparison_to__in=rated_on))
    return sorted(lists, key=lambda rating_list: (rating_list.pk not in both, rating_list.pk))


def _read_deviations(rating_list: RatingList, *players: Player) -> tuple[float, float] | None:
    """Return the present deviations of two players' ratings, None where the list's own system has none."""
    if not rating_list.rating_system.rating.has_deviations:
        return None
    today = timezone.now().date()
    own, other = (deviation_of(player, rating_list, today, is_present=True) for player in players)
    return None if own is None or other is None else (own, other)


def expected_now(
    rating_list: RatingList,
    own: float | None,
    other: float | None,
    deviations: tuple[float, float] | None = None,
) -> float | None:
    """Return the expected score of an even game by the current ratings, from 0 to 1; None without both ratings.

    `deviations` are those of both ratings, in rating points.
    """
    if own is None or other is None:
        return None
    return rating_list.rating_system.rating.predict(own, other, values.Game(1, "a", "b", None), "a", deviations)


def mutual_scores(players: Sequence[Player], rating_list: RatingList) -> dict[tuple[int, int], tuple[float, int]]:
    """Return the points and number of games of players against each other, by the primary keys of the two."""
    keys = {player.pk for player in players}
    scores: dict[tuple[int, int], tuple[float, int]] = {}
    for player in players:
        for row in Career(player, rating_list).games:
            if row.opponent in keys and row.played:
                points, games = scores.get((player.pk, row.opponent), (0.0, 0))
                scores[player.pk, row.opponent] = points + row.points, games + 1
    return scores
