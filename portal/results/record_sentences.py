"""Adjustments and decisions of a history in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _

from portal.templatetags.portal_format import colon, rating, signed
from ratings.localize import join_parts
from ratings.models import Decision, RatingList
from ratings.systems import values


def describe_record(value: values.Adjustment | values.Decision, rating_list: RatingList) -> str:
    """Return what an adjustment or decision does, such as “rating 1500, games 40” or “1 Dan: given”."""
    if isinstance(value, values.Decision):
        ruling = Decision(ruling=value.ruling).get_ruling_display()
        return f"{colon(value.grade)} {ruling}"
    if value.shift is not None:
        return _("all ratings %(change)s") % {"change": signed(value.shift, rating_list)}
    return join_parts(_describe_state(value.set or {}, rating_list))


def _describe_state(state: Mapping[str, Any], rating_list: RatingList) -> list[str]:
    """Return the rating in words, and the other keys of a state as the documentation of its system names them."""
    number = state.get("rating")
    first = [_("rating %(rating)s") % {"rating": rating(float(number), rating_list)}] if number is not None else []
    return first + [f"{key} {value}" for key, value in sorted(state.items()) if key != "rating"]
