"""The changes of a list as columns of numbers, in their order, and the ratings at the end of each year.

They serve figures about the whole list, such as its statistics.
"""

from __future__ import annotations

import datetime as dt
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import isnan, nan
from typing import Any

import numpy as np

from ratings.laboratory.games import Flags, Ids, Numbers
from ratings.models import RatingList
from ratings.queries.events.forecasts import CHUNK_SIZE


@dataclass(frozen=True)
class ChangeColumns:
    """A list's changes in their order; `player` is a number from 0, `day` a date's ordinal.

    Players are numbered in the order of their first changes. Ratings are in rating points, and NaN while a player is
    not on the list: `before` and `rating` are those before and after the change, `entry` is the one with which the
    player came on the list, for the last time.
    """

    player: Ids
    day: Ids
    before: Numbers
    rating: Numbers
    entry: Numbers
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


@dataclass(frozen=True)
class YearEnds:
    """The players (columns) at the end of each year (rows), in the present year at the present day.

    `rating` and `entry` are those of `ChangeColumns` after the last change until then. `active` is True for players on
    the list who had played within the list's years of activity.
    """

    years: list[int]
    rating: Numbers
    entry: Numbers
    active: Flags


def read_changes(rating_list: RatingList) -> ChangeColumns:
    """Read all changes of a list."""
    fields = ("player", "day", "after", "published", "games", "table", "category", "adjustment")
    rows = rating_list.changes.order_by("day", "place").values_list(*fields).iterator(chunk_size=CHUNK_SIZE)
    rules, played = rating_list.rating_system.rating, Counter[int]()

    def read_rows() -> Iterator[tuple[int, dt.date, float | None, int, bool, bool, bool]]:
        for player, day, after, published, games, table, category, adjustment in rows:
            is_new = rules.is_newcomer(category, played[player])
            played[player] += games
            yield player, day, after if published else None, games, table is None, is_new, bool(adjustment)

    return build_columns(read_rows())


def build_columns(rows: Iterable[tuple[int, dt.date, float | None, int, bool, bool, bool]]) -> ChangeColumns:
    """Return changes as columns.

    Each row has the player, the day, the published rating after the change, the number of games, and whether the change
    has no table, whether the player was new before it, and whether it is an adjustment.
    """
    columns: list[array[Any]] = [array(kind) for kind in "qqdddqbbb"]
    numbers: dict[int, int] = {}
    ratings: list[float] = []
    entries: list[float] = []
    for player, day, published, games, *kinds in rows:
        number = numbers.setdefault(player, len(numbers))
        if number == len(ratings):
            ratings.append(nan)
            entries.append(nan)
        before, rating = ratings[number], nan if published is None else published
        ratings[number] = rating
        if isnan(before):
            entries[number] = rating
        row = (number, day.toordinal(), before, rating, entries[number], games, *kinds)
        for column, value in zip(columns, row, strict=True):
            column.append(value)
    integer, real, flag = np.int64, np.float64, np.bool_
    types = (integer, integer, real, real, real, integer, flag, flag, flag)
    return ChangeColumns(*(np.frombuffer(column, dtype=type_) for column, type_ in zip(columns, types, strict=True)))


def read_year_ends(rating_list: RatingList, changes: ChangeColumns, today: dt.date) -> YearEnds:
    """Return the players of a list at the end of each year, from that of the first change on."""
    first = dt.date.fromordinal(int(changes.day[0])).year if len(changes.day) else today.year + 1
    years = list(range(first, today.year + 1))
    rating, entry = (np.full((len(years), changes.players), nan) for _ in range(2))
    active = np.zeros((len(years), changes.players), dtype=np.bool_)
    played, done = np.zeros(changes.players, dtype=np.int64), 0
    for row, year in enumerate(years):
        end = min(dt.date(year, 12, 31), today)
        until = int(np.searchsorted(changes.day, end.toordinal(), side="right"))
        if row:
            rating[row], entry[row] = rating[row - 1], entry[row - 1]
        new = slice(done, until)
        players = changes.player[new]  # where one has more than one change, the last one is assigned last
        rating[row][players], entry[row][players] = changes.rating[new], changes.entry[new]
        with_games = changes.games[new] > 0
        played[players[with_games]] = changes.day[new][with_games]
        active[row] = ~np.isnan(rating[row]) & (played >= rating_list.active_since(end).toordinal())
        done = until
    return YearEnds(years, rating, entry, active)


def map_days_to_years(days: Ids) -> Ids:
    """Return the year of each day, which is a date's ordinal."""
    distinct, inverse = np.unique(days, return_inverse=True)
    return np.array([dt.date.fromordinal(day).year for day in distinct.tolist()], dtype=np.int64)[inverse]
