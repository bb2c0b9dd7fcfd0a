"""Events that wait for an officer, as their organiser sees them: for how long, and whether a reminder can be sent."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ratings.queries.results.waiting import REMINDER_AFTER, read_reminders_of_officers, read_usual_answer_days


@dataclass(frozen=True)
class WaitingEvent:
    """An event with submitted results. `usual_days`: days within which officers usually answer, None if unknown.

    `reminded_at`: the last reminder since the results were submitted. `remind_from`: the first day on which the
    organiser can send a reminder, None if one can be sent now.
    """

    event: Any
    usual_days: int | None
    reminded_at: dt.datetime | None
    remind_from: dt.date | None


def build_waiting_events(events: Sequence[Any], now: dt.datetime) -> list[WaitingEvent]:
    """Return a line for each event that waits for an officer; `since` is when its results were submitted."""
    if not events:
        return []
    days, reminders = read_usual_answer_days(events, now), read_reminders_of_officers(events)
    return [_build_line(event, days.get(event.pk), reminders.get(event.pk), now) for event in events]


def _build_line(event: Any, days: int | None, reminded: dt.datetime | None, now: dt.datetime) -> WaitingEvent:
    if event.since is None:
        return WaitingEvent(event, days, None, now.date() + REMINDER_AFTER)
    reminded = reminded if reminded is not None and reminded >= event.since else None
    first = event.since + REMINDER_AFTER
    if now < first:
        return WaitingEvent(event, days, reminded, first.date())
    today = reminded is not None and reminded.date() == now.date()
    return WaitingEvent(event, days, reminded, now.date() + dt.timedelta(1) if today else None)
