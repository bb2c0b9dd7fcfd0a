"""Tasks of an organiser, and where each of their events stands."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from ratings.localize import format_day
from ratings.models import Event
from ratings.queries.results.hall_progress import HallProgress, read_hall_progress

from .event_stages import TONES, Stage, describe_stages, find_stage

MAX_TASKS = 8
TIME, NUMBER = re.compile(r"(?<!\d)\d{1,2}\s?[:.hH時]\s?\d{2}(?!\d)分?"), re.compile(r"\d+")
"""Times of day and other numbers in the schedule of an event."""
EVENING = dt.time(17)
"""Time of day from which a start is “tonight”."""
LOOKED_BACK = dt.timedelta(120)
"""Time after its last day for which an event without results is a task; older ones were given up."""


@dataclass(frozen=True)
class Task:
    """One thing to do: a tag with its tone, the event, a sentence, the button, and a quotation.

    The quotation is the officer's note, or the line of the schedule about the current round.
    """

    tag: str
    tone: str
    event: Event
    sentence: str
    button: str
    address: str
    quote: str = ""


@dataclass(frozen=True)
class EventLine:
    """An event of an organiser with its stage, the stage's name and tone, and the next step."""

    event: Any
    stage: str
    label: str
    tone: str
    next_step: str
    address: str


def build_lines(events: Iterable[Any], today: dt.date) -> list[EventLine]:
    """Return a line for each event, in their order."""
    names = describe_stages()
    return [_build_line(event, find_stage(event, today), names) for event in events]


def read_halls_of_today(lines: Iterable[EventLine]) -> Mapping[int, HallProgress]:
    """Return the progress of the halls of events that are being played, by the primary key of the event."""
    playing = [line.event for line in lines if line.stage == Stage.PLAYING]
    return read_hall_progress(playing) if playing else {}


def _build_line(event: Any, stage: str, names: Mapping[str, str]) -> EventLine:
    page = reverse("organise_event", args=[event.public_id])
    steps = {
        Stage.COMING: (_("Open") if event.announced_at else _("Announce"), page),
        Stage.PLAYING: (_("Enter results"), reverse("hall", args=[event.public_id])),
        Stage.DRAFT: (_("Check") if event.drafts else _("Enter results"), page),
        Stage.RETURNED: (_("Answer"), page),
        Stage.SUBMITTED: (_("Withdraw"), reverse("event_history", args=[event.public_id])),
        Stage.RATED: (_("Results"), event.get_absolute_url()),
        Stage.VOID: (_("History"), reverse("event_history", args=[event.public_id])),
    }
    return EventLine(event, stage, names[stage], TONES.get(stage, ""), *steps[stage])


def list_events_to_type(lines: Iterable[EventLine], today: dt.date) -> list[Any]:
    """Return the latest events that have begun and have no results yet, for typing them in."""
    stages, since = (Stage.PLAYING, Stage.DRAFT), today - LOOKED_BACK
    events = (line.event for line in lines if line.stage in stages and line.event.end >= since)
    return [event for event in events if not event.drafts][:MAX_TASKS]


def list_tasks(
    lines: Sequence[EventLine], notes: Mapping[int, str], halls: Mapping[int, HallProgress], today: dt.date
) -> list[Task]:
    """Return what to do next, the most urgent first.

    `notes` are the officers' notes on returned events and `halls` the halls of events that are being played, both by
    the primary key of the event. Urgent are events that are played today, then
    returned ones, then those whose results are due, the longest due first.
    """
    order = {Stage.PLAYING: 0, Stage.RETURNED: 1, Stage.DRAFT: 2}
    due = [line for line in lines if line.stage in order and line.event.end >= today - LOOKED_BACK]
    due.sort(key=lambda line: (order[line.stage], line.event.end))
    return [
        _build_playing_task(line, halls.get(line.event.pk), today)
        if line.stage == Stage.PLAYING
        else _build_task(line, notes, today)
        for line in due[:MAX_TASKS]
    ]


def _build_playing_task(line: EventLine, hall: HallProgress | None, today: dt.date) -> Task:
    event = line.event
    start = _("Start: %(when)s.") % {"when": describe_time(event.start_time)} if starts_on(event, today) else ""
    if hall is None:
        sentence, button = start or _("The event is being played."), _("Start in the hall")
        return Task(_("Today"), "accent", event, sentence, button, line.address, find_schedule_line(event, 1))
    sentence = describe_hall(hall) if has_begun(hall) else f"{start} {describe_hall(hall)}".strip()
    quote = find_schedule_line(event, hall.round)
    return Task(_("Today"), "accent", event, sentence, _("Enter results"), line.address, quote)


def has_begun(hall: HallProgress | None) -> bool:
    """Return True if an event has results in its hall."""
    return hall is not None and (hall.round > 1 or hall.results > 0)


def starts_on(event: Any, day: dt.date) -> bool:
    """Return True if an event starts on a day at a known time."""
    return event.start_time is not None and event.start == day


def describe_time(time: dt.time) -> str:
    """Return a time of the present day in words, such as “tonight at 19:30”."""
    text = _("tonight at %(time)s") if time >= EVENING else _("today at %(time)s")
    return text % {"time": f"{time:%H:%M}"}


def describe_next_start(events: Iterable[Any], now: dt.datetime) -> str:
    """Return when the next of these events starts today, in words; empty if none does.

    `now` is in the time zone of the portal.
    """
    times = [event.start_time for event in events if starts_on(event, now.date()) and event.start_time > now.time()]
    return describe_time(min(times)) if times else ""


def describe_hall(hall: HallProgress) -> str:
    """Return how far a hall is, in words."""
    players = ngettext("%(count)d player", "%(count)d players", hall.players) % {"count": hall.players}
    if not hall.boards:
        return _("No pairings yet. %(players)s.") % {"players": players}
    numbers = {"round": hall.round, "rounds": hall.rounds, "results": hall.results, "boards": hall.boards}
    sentence = _("Round %(round)d of %(rounds)d: %(results)d of %(boards)d results.") % numbers
    if hall.questions:
        asked = ngettext("%(count)d board has two different results.",
                         "%(count)d boards have two different results.", hall.questions)  # fmt: skip
        sentence += " " + asked % {"count": hall.questions}
    return f"{sentence} {players}."


def find_schedule_line(event: Any, round_: int) -> str:
    """Return the line of the schedule of an event of one day with the time of a round; empty if it is not clear."""
    if event.start != event.end:
        return ""
    lines = [line.strip() for line in event.schedule.splitlines() if TIME.search(line)]
    found = [line for line in lines if NUMBER.findall(TIME.sub(" ", line)) == [str(round_)]]
    return found[0] if len(found) == 1 else ""


def _build_task(line: EventLine, notes: Mapping[int, str], today: dt.date) -> Task:
    event = line.event
    sentence = _describe_due_day(event, today)
    if line.stage == Stage.RETURNED:
        quote = notes.get(event.pk, "")
        return Task(_("Sent back"), "warn", event, sentence, _("Answer and submit again"), line.address, quote)
    is_late = event.days is not None and event.end + dt.timedelta(event.days) < today
    tag, tone = (_("Late"), "bad") if is_late else (_("Draft"), "accent")
    if event.drafts:
        return Task(
            tag, tone, event, sentence or _("Results are entered, but not submitted."), _("Check"), line.address
        )
    tag = tag if is_late else _("Results")
    return Task(tag, tone, event, sentence or _("The results are missing."), _("Enter results"), line.address)


def _describe_due_day(event: Any, today: dt.date) -> str:
    """Return when the results are due, by the strictest list of the event (`days`); empty if no list says it."""
    if event.days is None:
        return ""
    due = event.end + dt.timedelta(event.days)
    if due < today:
        return _("The results were due on %(day)s.") % {"day": format_day(due)}
    return _("The results are due on %(day)s.") % {"day": format_day(due)}
