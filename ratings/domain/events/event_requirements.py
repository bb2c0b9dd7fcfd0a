"""What a federation expects of an event: announced in time, results in time, enough thinking time. No walls."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.models import Event, EventStep, RatingList


def broken_customs(event: Event) -> list[str]:
    """In words, what the lists of an event would have liked otherwise."""
    return [told for rating_list in event.lists.all() for told in _broken(event, rating_list)]


def _broken(event: Event, rating_list: RatingList) -> Iterator[str]:
    names = {"list": rating_list}
    if (days := rating_list.announced_before) is not None:
        announced = event.announced_at.date() if event.announced_at else None
        if announced is None or announced > event.start - dt.timedelta(days=days):
            yield _("%(list)s: not announced %(days)d days before") % {**names, "days": days}
    if (days := rating_list.results_within) is not None and _came_on(event) > event.end + dt.timedelta(days=days):
        yield _("%(list)s: the results did not come within %(days)d days") % {**names, "days": days}
    if rating_list.least_times and not _long_enough(event.time_control, rating_list):
        told = _("%(list)s: the time control is below %(least)s")
        yield told % {**names, "least": _(" and ").join(rating_list.least_time.split())}


def _came_on(event: Event) -> dt.date:
    """The day on which results were first submitted, or today."""
    submitted = [step.at for step in event.steps.all() if step.what == EventStep.What.SUBMITTED]
    return min(submitted, default=timezone.now()).date()


def _long_enough(time_control: str, rating_list: RatingList) -> bool:
    minutes, seconds = [*map(int, re.findall(r"\d+", time_control)[:2]), 0, 0][:2]
    return any(minutes >= least and seconds >= more for least, more in rating_list.least_times)
