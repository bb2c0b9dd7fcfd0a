"""Reading rating lists: the current one and those of past days."""

from __future__ import annotations

import datetime as dt

from django.db.models import Q, QuerySet

from ratings.models import Change, RatingList

from .states import latest_changes


def list_as_of(rating_list: RatingList, day: dt.date) -> QuerySet[Change]:
    """The list at the end of a day: the last change of everybody published then, highest rating first.

    Ratings of a past day are as they are computed today, corrections included.
    """
    changes = latest_changes(rating_list, Q(day__lte=day)).filter(published=True, after__isnull=False)
    return changes.select_related("player").order_by("-after", "player__family_name", "player__given_name", "player")
