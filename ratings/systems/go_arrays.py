"""Arrays on which the compiled loops of the go systems work, and the columns that these systems have in common."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from .table_arrays import Flags, Floats, Integers, TableArrays, mask_unknown
from .values import Category, Player


class GoGames(NamedTuple):
    """Columns of `TableArrays` that the rules of go systems use."""

    seats: Integers
    seated: Integers
    games: Integers
    a: Integers
    b: Integers
    scores: Floats
    stones: Integers
    b_is_black: Flags
    boards: Integers
    online: Flags
    correspondence: Flags


class SeatRatings(NamedTuple):
    """Ratings of seats, NaN for none: `before` and `after` those of the states, `starts` those that the table uses.

    `starts` are the ratings of declared ranks for players without a rating. `rated` are numbers of rated games.
    """

    before: Floats
    starts: Floats
    after: Floats
    rated: Integers


def select_columns(columns: TableArrays) -> GoGames:
    """Return the columns of tables that compiled loops of go systems need."""
    return GoGames(*(getattr(columns, name) for name in GoGames._fields))


def allocate_seats(columns: TableArrays) -> SeatRatings:
    """Return arrays to be filled by compiled loops."""
    before, starts, after = np.zeros((3, len(columns.seated)))
    return SeatRatings(before, starts, after, np.zeros(len(columns.seated), dtype=np.int64))


def to_floats(numbers: list[float | None]) -> Floats:
    """Return numbers as an array, None as NaN."""
    return np.array(numbers, dtype=np.float64)


def replace_nan(numbers: Floats) -> list[float | None]:
    """Return numbers as a list, NaN as None: the inverse of `to_floats`."""
    return mask_unknown(numbers, ~np.isnan(numbers))


def list_ratings(columns: TableArrays, players: Mapping[str, Player], seats: SeatRatings) -> dict[str, Any]:
    """Return the columns of `RatedArrays` that follow from the ratings of seats, by name.

    Standings of these systems count no games, and their ratings have no category for few games.
    """
    unlisted = np.array([players[id].unlisted for id in columns.players], dtype=np.bool_)[columns.seated]
    rated, known = seats.rated > 0, ~np.isnan(seats.after)
    before = np.where(rated, seats.starts, seats.before)
    categories = [Category.RATED if is_known else Category.UNRATED for is_known in known.tolist()]
    return {
        "category": categories,
        "category_after": categories,
        "before": mask_unknown(before, known),
        "after": mask_unknown(seats.after, known),
        "change": mask_unknown(seats.after - before, known),
        "games": seats.rated.tolist(),
        "games_after": [None if is_rated else 0 for is_rated in rated.tolist()],
        "performance": [None] * len(rated),
        "published": (known & ~unlisted).tolist(),
        "hidden": unlisted.tolist(),
        "rounds": [1] * len(columns.tables),
        "settled": [True] * len(columns.tables),
    }


def find_tables(starts: Integers, chosen: Flags) -> list[int]:
    """Return the tables with chosen seats or games, in order; `starts` are the starts of each table's."""
    tables = np.searchsorted(starts, np.flatnonzero(chosen), side="right") - 1
    return [int(table) for table in np.unique(tables)]
