"""Reading lists as they were published."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Avg, Count, F, Max, Q, QuerySet
from django.db.models.functions import Abs

from ratings.models import DatedLine, DatedList

from .names import by_public_name


def lines_of(dated: DatedList) -> QuerySet[DatedLine]:
    """Its lines by rank; those who came by a correction at the end."""
    by_rank = F("rank").asc(nulls_last=True)
    shown = dated.lines.exclude(player__on_lists__in=dated.list.members.filter(withdrawn=True))
    return shown.select_related("player").order_by(by_rank, "revised_rank", *by_public_name("player__"))


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
