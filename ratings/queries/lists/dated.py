"""Queries for dated lists: lists as they were published."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import gt, lt
from typing import TypeVar

import numpy as np
from django.db.models import Avg, Count, F, Max, Q, QuerySet
from django.db.models.functions import Abs

from ratings.displayed_changes import round_difference
from ratings.models import Change, DatedLine, DatedList, Standing
from ratings.queries.players.names import by_public_name

from .list_cache import cached
from .ranks import Ranks


def lines_of(dated: DatedList) -> QuerySet[DatedLine]:
    """Return the lines of a dated list by rank, players added by a correction last; withdrawn players are left out."""
    by_rank = F("rank").asc(nulls_last=True)
    lines = dated.lines.exclude(player__on_lists__in=dated.list.members.filter(withdrawn=True))
    return lines.select_related("player").order_by(by_rank, "revised_rank", *by_public_name("player__"))


def ranks_of_dated(dated: DatedList) -> Ranks:
    """Return the ranks of a dated list by the ratings as they were published."""

    def read_ratings() -> bytes:
        ratings = lines_of(dated).filter(rating__isnull=False).order_by().values_list("rating", flat=True)
        return np.sort(np.fromiter(ratings, dtype=np.float64)).tobytes()

    name = f"ranks of dated list {dated.pk}"
    return Ranks(np.frombuffer(cached(dated.list, name, read_ratings, detail=f"{dated.revised_at}")))


def neighbouring_dated_lists(dated: DatedList) -> tuple[DatedList | None, DatedList | None]:
    """Return the dated lists before and after a dated list, None where there is none."""
    dated_lists = list(dated.list.dated.order_by("day"))
    before, after = ([other for other in dated_lists if compare(other.day, dated.day)] for compare in (lt, gt))
    return before[-1] if before else None, after[0] if after else None


@dataclass(frozen=True)
class Difference:
    """The difference between a dated list as first published and as published again.

    `changed`, `added` and `removed` are numbers of players; `mean` and `most` are rating points.
    """

    changed: int
    added: int
    removed: int
    mean: float | None
    most: float | None


def difference_of(dated: DatedList) -> Difference:
    difference = Abs(F("revised_rating") - F("rating"))
    both = Q(rating__isnull=False, revised_rating__isnull=False)
    counts = dated.lines.aggregate(
        changed=Count("pk", filter=both & ~Q(rating=F("revised_rating"))),
        added=Count("pk", filter=Q(rating__isnull=True)),
        removed=Count("pk", filter=Q(revised_rating__isnull=True)),
        mean=Avg(difference, filter=both),
        most=Max(difference, filter=both),
    )
    return Difference(**counts)


Lines = TypeVar("Lines", bound=list[Standing] | list[DatedLine])


def set_since(standings: Lines, dated: DatedList | None) -> Lines:
    """Set `since` and `returned` on each line, and return the lines.

    `since` is the change since the dated list in rating points, None for a player who was not on it. `returned` is True
    for a player who was not on the dated list, but had a rating from games by its day.
    """
    if dated is not None:
        lines = dated.lines.filter(player__in=[line.player_id for line in standings], rating__isnull=False)
        published = dict(lines.order_by().values_list("player", "rating"))
        new = [line.player_id for line in standings if line.player_id not in published]
        returned = rated_until(dated, new) if new else set()
        for line in standings:
            before = published.get(line.player_id)
            line.since = None if before is None else round_difference(before, line.rating or 0, dated.list.decimals)  # type: ignore[union-attr] # displayed
            line.returned = line.player_id in returned  # type: ignore[union-attr] # displayed
    return standings


def rated_until(dated: DatedList, players: Sequence[int]) -> set[int]:
    """Return which of the players had a published rating from games on the list by the day of a dated list."""
    changes = Change.objects.filter(list=dated.list_id, day__lte=dated.day, games__gt=0, published=True)
    return set(changes.filter(player__in=players).order_by().values_list("player", flat=True))
