"""Ranks of a list, and its pages by rating, from the ratings of all its players, cached until the list changes.

Counting the players ahead in the database would take longer the lower a player is ranked, and so would skipping the
rows of earlier pages.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import Q, QuerySet
from numpy.typing import NDArray

from ratings.models import Club, NameVisibility, RatingList, Standing
from ratings.queries.arrays import read_records
from ratings.queries.site.page_generation import get_page_generation

from .activity import split_active_standings
from .choices import CACHE_SECONDS
from .list_cache import cached
from .lists import published_standings

RATING = np.dtype([("rating", "f8")])


@dataclass(frozen=True)
class Ranks:
    """The ratings of all players on a list, lowest first; equal ratings share a rank."""

    ratings: NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.ratings)

    def rank(self, rating: float) -> int:
        """Return the rank of a rating: one more than the number of players with a higher rating."""
        return 1 + len(self) - int(np.searchsorted(self.ratings, rating, side="right"))

    def rank_interval(self, rating: float, deviation: float) -> tuple[int, int]:
        """Return the ranks that a player of the list would have with a rating one deviation higher and one lower.

        `rating` is the player's present one. It is among these ratings, and does not count as another player ahead.
        """
        return self.rank(rating + deviation), max(self.rank(rating), self.rank(rating - deviation) - 1)

    def rank_all(self, standings: Iterable[Standing]) -> list[Standing]:
        """Return the standings, each with its `rank` set."""
        ranked = list(standings)
        for standing in ranked:
            standing.rank = self.rank(standing.rating or 0)  # type: ignore[attr-defined] # displayed
        return ranked

    def page(self, rows: QuerySet[Any], first: int, end: int) -> QuerySet[Any]:
        """Return the rows from position `first` (from 0) until before `end`, of rows ordered by rating, highest first.

        Only rows that share a rating with a row of the page are read, so the last page takes no longer than the first.
        """
        end = min(end, len(self))
        if first >= end:
            return rows.none()
        high, low = self.ratings[len(self) - 1 - first], self.ratings[len(self) - end]
        skipped = first - (self.rank(high) - 1)
        within = rows.filter(rating__lte=float(high), rating__gte=float(low))
        return within[skipped : skipped + end - first]


def ranks_of(rating_list: RatingList, active_on: dt.date | None) -> Ranks:
    """Return the ranks of the published players of a list who were active on a day (None: all)."""
    since = active_on and rating_list.active_since(active_on)
    name = "ranks of all" if since is None else "ranks"
    read = cached(rating_list, name, lambda: _read_ratings(rating_list, active_on), detail=f"{since}")
    return Ranks(np.frombuffer(read))


def ranks_in_country(rating_list: RatingList, active_on: dt.date, country: str) -> Ranks:
    """Return the ranks of the published players of a country who were active on a day."""
    return _ranks_within(rating_list, active_on, f"country {country}", Q(player__country=country))


def ranks_in_club(rating_list: RatingList, active_on: dt.date, club: Club) -> Ranks:
    """Return the ranks of the published members of a club who were active on a day, without anonymous players."""
    members = Q(player__memberships__club=club, player__memberships__end=None)
    named = ~Q(player__shown=NameVisibility.ANONYMOUS)
    return _ranks_within(rating_list, active_on, f"club {club.pk}", members & named)


def _ranks_within(rating_list: RatingList, active_on: dt.date, name: str, members: Q) -> Ranks:
    """Return the ranks within a group of players; like filter choices they change without the list's version."""
    detail = f"{rating_list.active_since(active_on)} {get_page_generation()}"
    read = cached(
        rating_list,
        f"ranks in {name}",
        lambda: _read_ratings(rating_list, active_on, members),
        detail=detail,
        seconds=CACHE_SECONDS,
    )
    return Ranks(np.frombuffer(read))


def _read_ratings(rating_list: RatingList, active_on: dt.date | None, members: Q | None = None) -> bytes:
    """Return the ratings of the published players who were active on a day (None: all), lowest first, as bytes."""
    standings = published_standings(rating_list, None).filter(members or Q()).order_by()
    rows = standings.values_list("rating")
    if active_on is not None:
        by_games, by_import = split_active_standings(rating_list, active_on)
        rows = rows.filter(by_games).union(rows.filter(by_import & ~by_games), all=True)
    return np.sort(read_records(rows, RATING)["rating"]).tobytes()


def rank_of(rating_list: RatingList, rating: float, active_on: dt.date | None) -> int:
    """Return the rank that a rating has or would have on a list, among players active on a day (None: all)."""
    return ranks_of(rating_list, active_on).rank(rating)


def top_of(rating_list: RatingList, active_on: dt.date | None, number: int) -> list[Standing]:
    """Return the first players of a list with their ranks, without reading the other players."""
    top = list(published_standings(rating_list, active_on)[:number])
    first: dict[float | None, int] = {}
    for position, standing in enumerate(top, 1):
        standing.rank = first.setdefault(standing.rating, position)  # type: ignore[attr-defined] # displayed
    return top
