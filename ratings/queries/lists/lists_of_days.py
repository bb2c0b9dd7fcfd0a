"""The list that rates the results of a day, where one list continues another."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from ratings.localize import format_day
from ratings.models import RatingList


def find_list_of_day(rating_list: RatingList, day: dt.date) -> RatingList:
    """Return the list that rates events ending on a day: this one, one that continues it, or one before it."""
    while (new := rating_list.successor) is not None and new.begins_on is not None and day >= new.begins_on:
        rating_list = new
    while rating_list.begins_on is not None and day < rating_list.begins_on:
        old = rating_list.predecessors.first()
        if old is None:
            break
        rating_list = old
    return rating_list


def check_lists_of_days(lists: Collection[RatingList], start: dt.date, end: dt.date) -> None:
    """Raise ValidationError if another list rates an event of these days, where one list continues another.

    That is the list of the event's last day. The list of its first day may be chosen as well: it rates the tables that
    ended in time.
    """
    for rating_list in lists:
        right = find_list_of_day(rating_list, end)
        if right == rating_list or (right in lists and find_list_of_day(rating_list, start) == rating_list):
            continue
        if rating_list.begins_on is not None and end < rating_list.begins_on:
            text = _("%(list)s rates events that end on %(day)s or later: choose %(right)s.")
            first: dt.date | None = rating_list.begins_on
        else:
            text = _("%(right)s continues %(list)s and rates events that end on %(day)s or later: choose %(right)s.")
            first = right.begins_on
        raise ValidationError(text % {"list": rating_list, "right": right, "day": format_day(first)})
