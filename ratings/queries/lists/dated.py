"""Reading lists as they were published."""

from __future__ import annotations

from dataclasses import dataclass
from operator import gt, lt
from typing import TypeVar

import numpy as np
from django.db.models import Avg, Count, F, Max, Q, QuerySet
from django.db.models.functions import Abs
from numpy.typing import NDArray

from ratings.models import DatedLine, DatedList, Standing

from .kept import kept
from .names import by_public_name
from .ranks import Ranks


def lines_of(dated: DatedList) -> QuerySet[DatedLine]:
    """Its lines by rank; those who came by a correction at the end."""
    by_rank = F("rank").asc(nulls_last=True)
    shown = dated.lines.exclude(player__on_lists__in=dated.list.members.filter(withdrawn=True))
    return shown.select_related("player").order_by(by_rank, "revised_rank", *by_public_name("player__"))


def ranks_of_dated(dated: DatedList) -> Ranks:
    """Of its lines as they were published."""

    def read() -> NDArray[np.float64]:
        ratings = lines_of(dated).filter(rating__isnull=False).order_by().values_list("rating", flat=True)
        return np.sort(np.fromiter(ratings, dtype=np.float64))

    return Ranks(kept(dated.list, f"ranks of dated list {dated.pk} {dated.revised_at}", read))


def around(dated: DatedList) -> tuple[DatedList | None, DatedList | None]:
    """The lists before and after it."""
    several = list(dated.list.dated.order_by("day"))
    before, after = ([one for one in several if side(one.day, dated.day)] for side in (lt, gt))
    return before[-1] if before else None, after[0] if after else None


@dataclass(frozen=True)
class Difference:
    """Between what was published and what was published again: players, and rating points."""

    changed: int
    came: int
    went: int
    mean: float | None
    most: float | None


def difference_of(dated: DatedList) -> Difference:
    by = Abs(F("revised_rating") - F("rating"))
    both = Q(rating__isnull=False, revised_rating__isnull=False)
    counts = dated.lines.aggregate(
        changed=Count("pk", filter=both & ~Q(rating=F("revised_rating"))),
        came=Count("pk", filter=Q(rating__isnull=True)),
        went=Count("pk", filter=Q(revised_rating__isnull=True)),
        mean=Avg(by, filter=both),
        most=Max(by, filter=both),
    )
    return Difference(**counts)


Lines = TypeVar("Lines", bound=list[Standing] | list[DatedLine])


def set_since(standings: Lines, dated: DatedList | None) -> Lines:
    """Lines of a list with what has changed since a dated one in `since`, None where the player is not on that."""
    if dated is not None:
        lines = dated.lines.filter(player__in=[one.player_id for one in standings], rating__isnull=False)
        published = dict(lines.values_list("player", "rating"))
        for one in standings:
            before = published.get(one.player_id)
            one.since = None if before is None else (one.rating or 0) - before  # type: ignore[union-attr] # for pages
    return standings
