"""The rating list that is valid on a day: the one on which programs and organisers base an event."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.db.models import Exists, OuterRef
from django.urls import reverse

from ratings.models import DatedList, RatingList


@dataclass(frozen=True)
class ValidList:
    """A list as it is valid on a day.

    `dated` is the latest published one that is not later than that day. Without one, ratings are those at the end of
    `day`, the day before, or of today if that is earlier: games of the day itself do not count.
    """

    rating_list: RatingList
    day: dt.date
    dated: DatedList | None = None

    def get_absolute_url(self) -> str:
        """Return the address of the list's page."""
        if self.dated is not None:
            return self.dated.get_absolute_url()
        return f"{reverse('list', args=[self.rating_list.slug])}?{self._query}"

    def get_file_url(self, format: str) -> str:
        """Return the address of the list as a file of a format, such as csv."""
        slug = self.rating_list.slug
        if self.dated is not None:
            return reverse("dated_file", args=[slug, self.dated.day.isoformat(), format])
        return f"{reverse('list_file', args=[slug, format])}?{self._query}"

    @property
    def csv_url(self) -> str:
        """Address of the list as CSV."""
        return self.get_file_url("csv")

    @property
    def _query(self) -> str:
        return urlencode({"on": self.day.isoformat()})


def find_valid_list(rating_list: RatingList | None, day: dt.date, today: dt.date) -> ValidList | None:
    """Return a list as it is valid on a day; None without a list."""
    return None if rating_list is None else find_valid_lists([rating_list], day, today)[0]


def find_valid_lists(lists: Sequence[RatingList], day: dt.date, today: dt.date) -> list[ValidList]:
    """Return each list as it is valid on a day, in their order, in one query.

    For a day to come this is what is valid so far: a list that is published before that day takes its place.
    """
    published = DatedList.objects.filter(list__in=[each.pk for each in lists], day__lte=day)
    later = DatedList.objects.filter(list=OuterRef("list"), day__gt=OuterRef("day"), day__lte=day)
    latest = {dated.list_id: dated for dated in published.exclude(Exists(later))} if lists else {}
    return [_choose_day(each, latest.get(each.pk), day, today) for each in lists]


def _choose_day(rating_list: RatingList, dated: DatedList | None, day: dt.date, today: dt.date) -> ValidList:
    if dated is None:
        return ValidList(rating_list, min(day - dt.timedelta(days=1), today))
    dated.list = rating_list
    return ValidList(rating_list, dated.day, dated)
