"""Ranks of a list, and its pages by rating: from the ratings of everybody on it, kept while nothing of it changes.

To count who is ahead takes the longer the lower somebody stands, and so does skipping who is on the pages before.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import QuerySet
from numpy.typing import NDArray

from ratings.models import RatingList, Standing

from .kept import kept_alone
from .lists import published_standings


@dataclass(frozen=True)
class Ranks:
    """The ratings of everybody on a list, lowest first; equal ratings share a rank."""

    ratings: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.ratings)

    def rank(self, rating: float) -> int:
        """One more than there are players with a higher rating."""
        return 1 + len(self) - int(np.searchsorted(self.ratings, rating, side="right"))

    def rank_all(self, standings: Iterable[Standing]) -> list[Standing]:
        """The same, each with its `rank`."""
        ranked = list(standings)
        for one in ranked:
            one.rank = self.rank(one.rating or 0)  # type: ignore[attr-defined] # for pages
        return ranked

    def page(self, rows: QuerySet[Any], first: int, end: int) -> QuerySet[Any]:
        """The places from `first` on (counted from 0) and before `end` of rows that stand from the highest rating down.

        Only rows that share a rating with one of the page are read: the last page costs what the first does.
        """
        end = min(end, len(self))
        if first >= end:
            return rows.none()
        high, low = self.ratings[len(self) - 1 - first], self.ratings[len(self) - end]
        skipped = first - (self.rank(high) - 1)
        within = rows.filter(rating__lte=float(high), rating__gte=float(low))
        return within[skipped : skipped + end - first]


def ranks_of(rating_list: RatingList, active_on: dt.date | None) -> Ranks:
    """The ranks of everybody whom a list shows and who was active on a day (None: all)."""
    since = active_on and rating_list.active_since(active_on)

    def read() -> NDArray[np.float64]:
        ratings = published_standings(rating_list, active_on).order_by().values_list("rating", flat=True)
        return np.sort(np.array(list(ratings), dtype=np.float64))  # row by row would take twice as long

    name = "ranks of all" if since is None else "ranks"
    return Ranks(kept_alone(rating_list, name, f"{since}", read))


def rank_of(rating_list: RatingList, rating: float, active_on: dt.date | None) -> int:
    """The rank that a rating has or would have on a list among those active on a day (None: among all)."""
    return ranks_of(rating_list, active_on).rank(rating)


def top_of(rating_list: RatingList, active_on: dt.date | None, number: int) -> list[Standing]:
    """The first players of a list, with their ranks, which nobody else is needed for."""
    top = list(published_standings(rating_list, active_on)[:number])
    first: dict[float | None, int] = {}
    for place, one in enumerate(top, 1):
        one.rank = first.setdefault(one.rating, place)  # type: ignore[attr-defined] # for pages
    return top
