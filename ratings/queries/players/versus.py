"""Two players side by side: their games against each other, and what would be expected of them now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db.models import Q

from ratings.models import Event, Game, Player, RatingList, Standing
from ratings.systems import values

from .careers import Career, GameRow
from .games import between
from .lists import public_lists


@dataclass(frozen=True)
class Met:
    """A game against the rival, and by how many points the first was ahead after it."""

    row: GameRow
    lead: float


@dataclass(frozen=True)
class Versus:
    """`expected` is what the rules expect of the first in an even game now, from 0 to 1; None where they cannot say.
    Who does not stand on the list has no standing.
    """

    standing: Standing | None
    rival: Standing | None
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


Standings = Mapping[int, Standing]
"""Of one player, by the keys of their lists."""


def versus(player: Player, rival: Player, on_list: RatingList, mine: Standings, theirs: Standings) -> Versus:
    """Of two players on one list, on which neither has to stand."""
    met, lead = [], 0.0
    for row in reversed(between(Career(player, on_list).games, rival)):
        lead += 2 * row.points - 1
        met.append(Met(row, lead))
    own, other = mine.get(on_list.pk), theirs.get(on_list.pk)
    expected = expected_now(on_list, own.rating, other.rating) if own and other else None
    return Versus(own, other, met[::-1], expected)


def lists_of_both(player: Player, rival: Player, mine: Standings, theirs: Standings) -> list[RatingList]:
    """The public lists on which both stand, and then those by which games of theirs are rated."""
    sides = Q(a__player=player, b__player=rival) | Q(a__player=rival, b__player=player)
    met = Game.objects.filter(sides, table__event__state=Event.State.ACCEPTED).values("table__event__lists")
    both = mine.keys() & theirs.keys()
    lists = public_lists().filter(Q(pk__in=both) | Q(pk__in=met) | Q(comparison_to__in=met))
    return sorted(lists, key=lambda one: (one.pk not in both, one.pk))


def expected_now(rating_list: RatingList, own: float | None, other: float | None) -> float | None:
    """In an even game, by the present ratings."""
    if own is None or other is None:
        return None
    return rating_list.rating_system.predict(own, other, values.Game(1, "a", "b", None), "a")


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
