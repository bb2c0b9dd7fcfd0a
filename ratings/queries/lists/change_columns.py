"""The changes of a list as columns of numbers, in their order, for figures about the whole list."""

from __future__ import annotations

import datetime as dt
from array import array
from dataclasses import dataclass

import numpy as np

from ratings.laboratory.games import Flags, Ids, Numbers
from ratings.models import RatingList
from ratings.queries.events.forecasts import CHUNK_SIZE
from ratings.systems.values import PROVISIONAL_CATEGORIES, UNRATED_CATEGORIES

NEW = {*PROVISIONAL_CATEGORIES, *UNRATED_CATEGORIES}


@dataclass(frozen=True)
class ChangeColumns:
    """A list's changes in their order; `day` is a date's ordinal, `player` a number from 0, `rating` in rating points.

    Players are numbered in the order of their first changes. A rating is NaN for a player without one.
    """

    player: Ids
    day: Ids
    rating: Numbers
    published: Flags
    games: Ids
    without_table: Flags
    """True for changes that do not come from a table."""
    provisional: Flags
    """True for changes of players who were unrated or provisional before."""
    adjusted: Flags
    """True for changes by an adjustment."""

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.player.max(initial=-1)) + 1


def read_changes(rating_list: RatingList) -> ChangeColumns:
    """Read all changes of a list."""
    fields = ("player", "day", "after", "published", "games", "table", "category", "adjustment")
    columns = [array(kind) for kind in "qqdbqbbb"]
    numbers: dict[int, int] = {}
    rows = rating_list.changes.order_by("day", "place").values_list(*fields)
    for player, day, after, published, games, table, category, adjustment in rows.iterator(chunk_size=CHUNK_SIZE):
        number = numbers.setdefault(player, len(numbers))
        rating = float("nan") if after is None else after
        row = (
            number,
            day.toordinal(),
            rating,
            published,
            games,
            table is None,
            category in NEW,
            adjustment is not None,
        )
        for column, value in zip(columns, row, strict=True):
            column.append(value)
    kinds = (np.int64, np.int64, np.float64, np.bool_, np.int64, np.bool_, np.bool_, np.bool_)
    return ChangeColumns(*(np.frombuffer(column, dtype=kind) for column, kind in zip(columns, kinds, strict=True)))


def map_days_to_years(days: Ids) -> Ids:
    """Return the year of each day, which is a date's ordinal."""
    distinct, inverse = np.unique(days, return_inverse=True)
    return np.array([dt.date.fromordinal(day).year for day in distinct.tolist()], dtype=np.int64)[inverse]
