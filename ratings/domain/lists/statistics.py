"""Keeping each list's statistics: made outside of requests, soon after a run, and not more often than that is worth."""

from __future__ import annotations

import datetime as dt

from django.db.models import F, Q, QuerySet
from django.utils import timezone

from ratings.models import ListStatistics, RatingList
from ratings.queries.statistics import statistics_of

AFTER_A_RUN, AT_LEAST = dt.timedelta(hours=1), dt.timedelta(days=1)


def due(now: dt.datetime) -> QuerySet[RatingList]:
    """Lists that are up to date and whose figures are not: never made, an hour old and overtaken by a run, or a day
    old, as who is active hangs on the day.
    """
    overtaken = Q(statistics__computed_at__lte=now - AFTER_A_RUN) & ~Q(statistics__revision=F("revision"))
    old = Q(statistics__computed_at__lte=now - AT_LEAST)
    return RatingList.objects.filter(Q(statistics=None) | overtaken | old, out_of_date_from=None)


def refresh(rating_list: RatingList) -> bool:
    """Make and keep a list's figures; False (and nothing kept) if its inputs changed meanwhile."""
    now = timezone.now()
    figures = statistics_of(rating_list, now.date())
    if not RatingList.objects.filter(pk=rating_list.pk, revision=rating_list.revision, out_of_date_from=None).exists():
        return False
    made = {"revision": rating_list.revision, "computed_at": now, "figures": figures}
    ListStatistics.objects.update_or_create(list=rating_list, defaults=made)
    return True


def refresh_due() -> None:
    for rating_list in due(timezone.now()):
        refresh(rating_list)
