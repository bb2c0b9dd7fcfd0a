"""Players of a list whose rating rose most of late."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import NamedTuple

from pydantic import TypeAdapter

from ratings.models import Change, Player, RatingList, Standing
from ratings.systems.values import UNRATED_CATEGORIES

from .list_cache import cached

PERIOD = dt.timedelta(days=122)
"""About four months: long enough for most players to play two events."""


class Rise(NamedTuple):
    """A player with the rating before the first change of the period and the rating now, in rating points."""

    player: Player
    before: float
    after: float

    @property
    def change(self) -> float:
        return self.after - self.before


RISES = TypeAdapter(list[tuple[int, float, float]])


def read_rises_of_lists(
    lists: Iterable[RatingList], today: dt.date, number: int
) -> list[tuple[RatingList, list[Rise]]]:
    """Return these lists, each with the players who rose most in the PERIOD until today, greatest rise first.

    Primary keys and ratings are cached until the list changes, for a day. One query reads the players of all lists.
    """
    rises = [(rating_list, _read_cached_rises(rating_list, today - PERIOD, number)) for rating_list in lists]
    players = Player.objects.in_bulk([pk for _, rows in rises for pk, *_ in rows])
    return [
        (rating_list, [Rise(players[pk], before, after) for pk, before, after in rows if pk in players])
        for rating_list, rows in rises
    ]


def _read_cached_rises(rating_list: RatingList, first_day: dt.date, number: int) -> list[tuple[int, float, float]]:
    return cached(
        rating_list,
        f"rises:{number}",
        lambda: _compute_rises(rating_list, first_day, number),
        RISES,
        detail=str(first_day),
    )


def _compute_rises(rating_list: RatingList, first_day: dt.date, number: int) -> list[tuple[int, float, float]]:
    changes = Change.objects.filter(list=rating_list, day__gte=first_day, hidden=False).order_by("-day", "-place")
    rows: Iterable[tuple[int, float | None, str]] = changes.values_list("player", "before", "category")
    before: dict[int, tuple[float | None, str]] = {player: (rating, category) for player, rating, category in rows}
    now = Standing.objects.filter(list=rating_list, published=True, last_played__gte=first_day, rating__isnull=False)
    rises = [
        (player, rating, after)
        for player, after in now.values_list("player", "rating")
        for rating, category in [before.get(player, (None, ""))]
        if rating is not None and after is not None and after > rating and category not in UNRATED_CATEGORIES
    ]
    return sorted(rises, key=lambda rise: (rise[1] - rise[2], rise[0]))[:number]
