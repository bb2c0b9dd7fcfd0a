"""Tasks of an organiser, and where each of their events stands."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.templatetags.portal_format import as_sentence, colon
from ratings.localize import format_day, join_parts, translate_message
from ratings.models import Event
from ratings.queries.results.event_figures import EventFigures
from ratings.queries.results.hall_progress import HallProgress, read_hall_progress

from .batch_lines import describe_open_points
from .event_stages import TONES, Stage, describe_stages, find_stage

MAX_TASKS = 8
MAX_DRAFTS = 5
"""Number of drafts among the first tasks while other tasks wait."""
TIME, NUMBER = re.compile(r"(?<!\d)\d{1,2}\s?[:.hH時]\s?\d{2}(?!\d)分?"), re.compile(r"\d+")
"""Times of day and other numbers in the schedule of an event."""
EVENING = dt.time(17)
"""Time of day from which a start is “tonight”."""
LOOKED_BACK = dt.timedelta(120)
"""Time after its last day for which an event without results is a task; older ones were given up."""


@dataclass(frozen=True)
class Task:
    """One thing to do: a tag with its tone, the event, a sentence, the button, and a quotation.

    The quotation is the officer's note, or the line of the schedule about the current round. `day` is the day by which
    it is to be done, None if there is none.
    """

    tag: str
    tone: str
    event: Event
    sentence: str
    button: str
    address: str
    quote: str = ""
    stage: str = ""
    day: dt.date | None = None


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


def find_due_lines(lines: Iterable[EventLine], today: dt.date) -> list[EventLine]:
    """Return the events that are a task: played today, returned, or without submitted results."""
    stages, since = (Stage.PLAYING, Stage.RETURNED, Stage.DRAFT), today - LOOKED_BACK
    return [line for line in lines if line.stage in stages and line.event.end >= since]


def list_tasks(
    lines: Iterable[EventLine],
    notes: Mapping[int, str],
    halls: Mapping[int, HallProgress],
    figures: Mapping[int, EventFigures],
    today: dt.date,
) -> list[Task]:
    """Return a task for each of these lines.

    `notes` are the officers' notes on returned events, `halls` the halls of events that are being played and `figures`
    those of events without submitted results, all by the primary key of the event.
    """
    tasks = []
    for line in sorted(lines, key=lambda line: line.event.end):
        pk = line.event.pk
        if line.stage == Stage.PLAYING:
            tasks.append(_build_playing_task(line, halls.get(pk), today))
        elif line.stage == Stage.RETURNED:
            tasks.append(_build_returned_task(line, notes.get(pk, ""), today))
        else:
            tasks.append(_build_draft_task(line, figures.get(pk, EventFigures()), today))
    return tasks


def sort_tasks(tasks: Iterable[Task]) -> list[Task]:
    """Return tasks with the most urgent first.

    These are events that are played today, then returned ones, then the others by the day by which they are to be done;
    those without such a day come last.
    """
    order = {Stage.PLAYING: 0, Stage.RETURNED: 1}
    return sorted(tasks, key=lambda task: (order.get(task.stage, 2), task.day or dt.date.max))


def choose_first_tasks(tasks: Sequence[Task]) -> list[Task]:
    """Return the tasks that the desk shows at first, in their order; late drafts leave room for other tasks."""
    others = sum(task.stage != Stage.DRAFT for task in tasks)
    drafts_left, left = max(MAX_DRAFTS, MAX_TASKS - others), MAX_TASKS
    chosen = []
    for task in tasks:
        is_draft = task.stage == Stage.DRAFT
        if left and (drafts_left or not is_draft):
            chosen.append(task)
            left -= 1
            drafts_left -= is_draft
    return chosen


def _build_playing_task(line: EventLine, hall: HallProgress | None, today: dt.date) -> Task:
    event = line.event
    start = _("Start: %(when)s.") % {"when": describe_time(event.start_time)} if starts_on(event, today) else ""
    if hall is None:
        sentence, button = start or _("The event is being played."), _("Start in the hall")
        quote = find_schedule_line(event, 1)
        return Task(_("Today"), "accent", event, sentence, button, line.address, quote, line.stage, today)
    sentence = describe_hall(hall) if has_begun(hall) else f"{start} {describe_hall(hall)}".strip()
    quote = find_schedule_line(event, hall.round)
    return Task(_("Today"), "accent", event, sentence, _("Enter results"), line.address, quote, line.stage, today)


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
    return f"{sentence} {as_sentence(players)}"


def find_schedule_line(event: Any, round_: int) -> str:
    """Return the line of the schedule of an event of one day with the time of a round; empty if it is not clear."""
    if event.start != event.end:
        return ""
    lines = [line.strip() for line in event.schedule.splitlines() if TIME.search(line)]
    found = [line for line in lines if NUMBER.findall(TIME.sub(" ", line)) == [str(round_)]]
    return found[0] if len(found) == 1 else ""


def _build_returned_task(line: EventLine, note: str, today: dt.date) -> Task:
    sentence, button = _describe_due_day(line.event, today), _("Answer and submit again")
    day = find_due_day(line.event) or line.event.end
    return Task(_("Sent back"), "warn", line.event, sentence, button, line.address, note, line.stage, day)


def _build_draft_task(line: EventLine, figures: EventFigures, today: dt.date) -> Task:
    event, due = line.event, find_due_day(line.event)
    is_late = due is not None and due < today
    tag, tone = (_("Late"), "bad") if is_late else (_("Draft") if event.drafts else _("Results"), "accent")
    sentence, button = _describe_due_day(event, today), _("Check") if event.drafts else _("Enter results")
    if not event.drafts:
        sentence = sentence or _("The results are missing.")
    elif figures.report is None:
        sentence = sentence or _("Results are entered, but not submitted.")
    elif points := describe_open_points(dict(figures.report)):
        tag, tone = max(points, key=lambda point: point[1] == "bad")
        sentence = f"{_describe_findings(figures, [text for text, _tone in points])} {sentence}".strip()
        if errors := figures.report.get("errors", 0):
            button = ngettext("Fix the error", "Fix the errors", errors)
    else:
        tag, tone = (tag, tone) if is_late else (_("Ready"), "good")
        sentence = f"{_('The results have no errors and no open questions.')} {sentence}".strip()
        button = _("Submit")
    return Task(capfirst(tag), tone, event, sentence, button, line.address, "", line.stage, due)


def _describe_findings(figures: EventFigures, points: Sequence[str]) -> str:
    """Return the first finding of a draft with its round and its name; without one, all that the draft still needs."""
    finding = figures.first_finding
    if finding is None:
        return as_sentence(capfirst(join_parts(points)))
    text = translate_message(finding.message)
    round_ = _("Round %(round)s") % {"round": finding.round} if finding.round else ""
    about = join_parts([round_, "" if finding.name in text else finding.name])
    return as_sentence(f"{colon(about)} {text}" if about else capfirst(text))


def find_due_day(event: Any) -> dt.date | None:
    """Return the day on which results are due, by the strictest list of an event (`days`); None if no list says it."""
    return None if event.days is None else event.end + dt.timedelta(event.days)


def _describe_due_day(event: Any, today: dt.date) -> str:
    """Return when the results are due in words; empty if no list says it."""
    due = find_due_day(event)
    if due is None:
        return ""
    if due < today:
        return _("The results were due on %(day)s.") % {"day": format_day(due)}
    return _("The results are due on %(day)s.") % {"day": format_day(due)}
