"""Stored statistics of each list, computed outside of requests, soon after a run but at most once an hour."""

from __future__ import annotations

import datetime as dt

from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.utils import timezone

from ratings.models import ListStatistics, RatingList
from ratings.queries.lists.statistics import statistics_of, stored_statistics

AFTER_A_RUN, AT_LEAST = dt.timedelta(hours=1), dt.timedelta(days=1)


def lists_due(now: dt.datetime) -> QuerySet[RatingList]:
    """Return lists that are up to date and whose statistics are not.

    Statistics are out of date if they were never computed in their present form, if they are an hour old and older than
    the last run, or if they are a day old, because the day decides which players are active.
    """
    overtaken = Q(statistics__computed_at__lte=now - AFTER_A_RUN) & ~Q(statistics__revision=F("revision"))
    missing = ~Exists(stored_statistics().filter(list=OuterRef("pk")))
    old = Q(statistics__computed_at__lte=now - AT_LEAST)
    return RatingList.objects.filter(missing | overtaken | old, out_of_date_from=None)


def refresh(rating_list: RatingList) -> bool:
    """Compute and save a list's statistics; return False, with nothing saved, if its inputs changed meanwhile."""
    now = timezone.now()
    previous = stored_statistics().filter(list=rating_list).values_list("figures", flat=True).first()
    figures = statistics_of(rating_list, now.date(), previous)
    if not RatingList.objects.filter(pk=rating_list.pk, revision=rating_list.revision, out_of_date_from=None).exists():
        return False
    values = {"revision": rating_list.revision, "computed_at": now, "figures": figures}
    ListStatistics.objects.update_or_create(list=rating_list, defaults=values)
    return True


def refresh_due() -> None:
    for rating_list in lists_due(timezone.now()):
        refresh(rating_list)
