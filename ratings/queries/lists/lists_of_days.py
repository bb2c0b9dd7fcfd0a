"""The list that rates the events of a day, where one list continues another."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from ratings.localize import format_day
from ratings.models import RatingList


def find_list_of_day(rating_list: RatingList, day: dt.date) -> RatingList:
    """Return the list that rates events beginning on a day: this one, one that continues it, or one before it."""
    while (new := rating_list.successor) is not None and new.begins_on is not None and day >= new.begins_on:
        rating_list = new
    while rating_list.begins_on is not None and day < rating_list.begins_on:
        old = rating_list.predecessors.first()
        if old is None:
            break
        rating_list = old
    return rating_list


def check_lists_of_day(lists: Iterable[RatingList], day: dt.date) -> None:
    """Raise ValidationError if another list rates the events that begin on a day, where one list continues another."""
    for rating_list in lists:
        right = find_list_of_day(rating_list, day)
        if right == rating_list:
            continue
        if rating_list.begins_on is not None and day < rating_list.begins_on:
            text = _("%(list)s rates events from %(day)s on: choose %(right)s.")
            first: dt.date | None = rating_list.begins_on
        else:
            text = _("%(list)s is continued by %(right)s from %(day)s on: choose %(right)s.")
            first = right.begins_on
        raise ValidationError(text % {"list": rating_list, "right": right, "day": format_day(first)})
