"""Grades of players that wait for approval, read for many players at once."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ratings.batches import in_batches
from ratings.models import Approval, Award, RatingList, Standing


@dataclass(frozen=True)
class WaitingGrades:
    """Grades that players of a list earned by results and that wait for approval, and the grades that they hold.

    Both are by primary key of the player; a waiting grade has the day on which it was earned.
    """

    waiting: Mapping[int, Collection[tuple[str, dt.date]]]
    held: Mapping[int, str]

    @classmethod
    def read(cls, rating_list: RatingList, players: Collection[int]) -> WaitingGrades:
        """Read the grades of some players, in three queries for each 500 of them."""
        waiting, held = defaultdict[int, set[tuple[str, dt.date]]](set), dict[int, str]()
        for batch in in_batches(sorted(players)):
            requested = Approval.objects.filter(
                state__in=Approval.OPEN, evidence="", list=rating_list, player__in=batch
            )
            for player, grade, day in requested.values_list("player", "grade", "earned_on"):
                waiting[player].add((grade, day))
            standings = Standing.objects.filter(list=rating_list, player__in=batch)
            unanswered: dict[int, str] = {}
            for player, grade, waits in standings.values_list("player", "grade", "waiting"):
                held[player], unanswered[player] = grade, waits
            awards = Award.objects.filter(needs_approval=True, list=rating_list, player__in=batch)
            earned = {
                player: (grade, day)
                for player, grade, day in awards.order_by("day").values_list("player", "grade", "day")
                if grade == unanswered.get(player)
            }
            for player, latest in earned.items():
                waiting[player].add(latest)
        return cls(waiting, held)
