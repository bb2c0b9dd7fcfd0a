"""Adjustments and decisions: what people lay down from outside, each marking its list from its day on."""

from __future__ import annotations

import datetime as dt

from django.db import transaction

from ratings.models import Adjustment, Decision

from .rerating import mark_out_of_date


def day_of(given: Adjustment | Decision) -> dt.date:
    """The day on which it acts: its own, or that of the table it stands before."""
    return given.before.last_day if given.before else given.date


@transaction.atomic
def lay_down(given: Adjustment | Decision) -> None:
    """Store a new or changed adjustment or decision; ValidationError says what its list's system refuses."""
    given.full_clean()
    if given.pk is not None:
        mark_out_of_date([given.list], day_of(type(given).objects.get(pk=given.pk)))
    given.save()
    mark_out_of_date([given.list], day_of(given))


@transaction.atomic
def take_back(given: Adjustment | Decision) -> None:
    mark_out_of_date([given.list], day_of(given))
    given.delete()
