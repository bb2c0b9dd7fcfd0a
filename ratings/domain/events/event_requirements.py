"""Requirements of rating lists on events: announced in time, results in time, enough thinking time.

An unmet requirement is reported and prevents automatic acceptance, but it does not block a submission.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator

from django.utils import timezone

from ratings.formats.problems import SubmissionProblem
from ratings.models import Event, EventStep, RatingList
from ratings.systems.messages import Message
from ratings.time_zones import find_today


def find_unmet_requirements(event: Event) -> list[Message]:
    """Return a message for each requirement of its lists that an event does not meet."""
    return [message for rating_list in event.lists.all() for message in _find_unmet_requirements(event, rating_list)]


def _find_unmet_requirements(event: Event, rating_list: RatingList) -> Iterator[Message]:
    if (days := rating_list.announced_before) is not None:
        zone = rating_list.federation.time_zone
        announced = find_today(zone, event.announced_at) if event.announced_at else None
        if announced is None or announced > event.start - dt.timedelta(days=days):
            yield SubmissionProblem.ANNOUNCED_TOO_LATE(list=rating_list, days=days)
    days = rating_list.results_within
    if days is not None and _get_submission_day(event, rating_list) > event.end + dt.timedelta(days=days):
        yield SubmissionProblem.RESULTS_TOO_LATE(list=rating_list, days=days)
    if rating_list.least_times and not _is_time_control_sufficient(event.time_control, rating_list):
        yield SubmissionProblem.TIME_CONTROL_TOO_SHORT(list=rating_list, least=rating_list.least_time.split())


def _get_submission_day(event: Event, rating_list: RatingList) -> dt.date:
    """Return the day, in a list's time zone, on which results were first submitted; today if none were."""
    submitted = [step.at for step in event.steps.all() if step.what == EventStep.What.SUBMITTED]
    return find_today(rating_list.federation.time_zone, min(submitted, default=timezone.now()))


def _is_time_control_sufficient(time_control: str, rating_list: RatingList) -> bool:
    minutes, seconds = [*map(int, re.findall(r"\d+", time_control)[:2]), 0, 0][:2]
    return any(minutes >= least and seconds >= more for least, more in rating_list.least_times)
