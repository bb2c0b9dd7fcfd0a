"""The way of an event's results, as its organisers see it: the five steps, what happens next, and the open drafts."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from portal.site.help_steps import ANNOUNCE, CHECK, EVENT_BAR, PREVIEW, RESULTS, SUBMIT
from portal.templatetags.portal_work import waiting_time
from ratings.localize import format_day, join_parts
from ratings.models import Event, EventStep, Submission
from ratings.queries.results.workflow import SUBMITTING

from .batch_lines import describe_open_points
from .event_stages import Stage, find_stage

NAMES = {step.key: step.name for step in EVENT_BAR}
NOTES = {step.key: step.note for step in EVENT_BAR}
ORDER = tuple(NAMES)
ACCEPT, PUBLISH = "accept", "publish"
"""What happens after the steps of the organiser."""
DONE, HERE, LATER = "done", "here", "todo"


@dataclass(frozen=True)
class Step:
    """A step of the bar: its name, a note below it, its state, and the page or section that it leads to."""

    key: str
    name: str
    note: str
    state: str
    address: str = ""


@dataclass(frozen=True)
class DraftLine:
    """An open draft with the tags of what it needs, and the button that leads there."""

    submission: Submission
    tags: Sequence[tuple[str, str]]
    button: str
    address: str
    is_ready: bool


@dataclass
class EventProgress:
    """Present state of the results of an event.

    `current` is the key of the present step, empty once all are done. `next_steps` are the keys of what happens from
    now on: those of steps, “accept” and “publish”.
    """

    current: str = ""
    steps: list[Step] = field(default_factory=list)
    next_steps: list[str] = field(default_factory=list)
    drafts: list[DraftLine] = field(default_factory=list)

    @property
    def is_ready(self) -> bool:
        """Return True if all open drafts can be submitted."""
        return bool(self.drafts) and all(line.is_ready for line in self.drafts)

    @property
    def first_open(self) -> Submission | None:
        """Return the first draft that needs something."""
        return next((line.submission for line in self.drafts if not line.is_ready), None)


def read_progress(
    event: Any, submissions: Iterable[Submission], today: dt.date, *, previewing: bool = False
) -> EventProgress:
    """Return where the results of an event stand, from the reports of its drafts.

    `previewing` is True on the page of the preview, which is the present step there if no problem was found.
    """
    if event.state in (Event.State.VOID, Event.State.DELETED):
        return EventProgress()
    submissions = list(submissions)
    progress = EventProgress(drafts=[_build_draft(each) for each in submissions if each.is_open])
    waiting = [each for each in submissions if each.state == Submission.State.SUBMITTED]
    is_waiting = bool(waiting)
    progress.current = _find_current(event, progress, is_waiting, today)
    if previewing and progress.current == SUBMIT and progress.drafts:
        progress.current = PREVIEW
    progress.steps = _build_steps(event, progress, waiting)
    progress.next_steps = _list_next_steps(event, progress, is_waiting)
    return progress


def _build_draft(submission: Submission) -> DraftLine:
    report = read_report(submission)
    address = submission.get_absolute_url()
    if report is None:
        return DraftLine(submission, [], _("Check"), address, False)
    if report.get("ready"):
        return DraftLine(submission, [(_("No problems found."), "good")], _("Open"), address, True)
    tags = describe_open_points(dict(report))
    if not report.get("players"):
        return DraftLine(submission, tags, _("Enter results"), address, False)
    if report.get("open"):
        return DraftLine(submission, tags, _("Check names"), reverse("people", args=[submission.pk]), False)
    return DraftLine(submission, tags, _("Check"), address, False)


def read_report(submission: Submission) -> Mapping[str, Any] | None:
    """Return the figures of a draft from its last check; None if it was changed without a check."""
    return submission.report if submission.checked_version == submission.version else None


def _find_current(event: Any, progress: EventProgress, is_waiting: bool, today: dt.date) -> str:
    if progress.drafts:
        has_players = any((read_report(line.submission) or {"players": 1}).get("players") for line in progress.drafts)
        return SUBMIT if progress.is_ready else CHECK if has_players else RESULTS
    if is_waiting:
        return SUBMIT
    if event.state == Event.State.ACCEPTED:
        return ""
    is_coming = find_stage(event, today) == Stage.COMING
    return ANNOUNCE if is_coming and not event.announced_at else RESULTS


def _build_steps(event: Any, progress: EventProgress, waiting: Sequence[Submission]) -> list[Step]:
    is_waiting = bool(waiting)
    shown = [line.submission for line in progress.drafts] or waiting
    reports = [report for submission in shown if (report := read_report(submission))]
    notes = {
        ANNOUNCE: _describe_announcement(event),
        RESULTS: _describe_results(progress, reports),
        CHECK: _describe_check(progress),
        PREVIEW: str(NOTES[PREVIEW]),
        SUBMIT: _describe_submission(event, progress, is_waiting),
    }
    page = reverse("organise_event", args=[event.public_id])
    draft = progress.first_open or (progress.drafts[0].submission if progress.drafts else None)
    addresses = {
        ANNOUNCE: event.get_absolute_url() if event.announced_at else "",
        RESULTS: page if progress.drafts or is_waiting or not progress.current else f"{page}#upload",
        CHECK: draft.get_absolute_url() if draft else "",
        SUBMIT: page if progress.drafts or is_waiting else "",
    }
    states = _find_states(event, progress, is_waiting)
    return [Step(key, str(NAMES[key]), notes[key], states[key], addresses.get(key, "")) for key in ORDER]


def _find_states(event: Any, progress: EventProgress, is_waiting: bool) -> dict[str, str]:
    """Return the state of each step. An event can do without an announcement, and a draft without a preview."""
    current = progress.current
    states = {}
    for number, key in enumerate(ORDER):
        is_past = not current or number < ORDER.index(current)
        states[key] = DONE if is_past else HERE if key == current else LATER
    if states[ANNOUNCE] == DONE and not event.announced_at:
        states[ANNOUNCE] = LATER
    elif event.announced_at and states[ANNOUNCE] == LATER:
        states[ANNOUNCE] = DONE
    if current == SUBMIT and progress.drafts and not is_waiting:
        states[PREVIEW] = LATER
    return states


def _describe_announcement(event: Any) -> str:
    if event.announced_at:
        return _("in the calendar since %(day)s") % {"day": format_day(timezone.localdate(event.announced_at))}
    return _("not in the calendar")


def _describe_results(progress: EventProgress, reports: Sequence[Mapping[str, Any]]) -> str:
    players = sum(report.get("players", 0) for report in reports)
    if players:
        rounds = max(report.get("rounds", 0) for report in reports)
        counts = [
            ngettext("%(count)d player", "%(count)d players", players) % {"count": players},
            ngettext("%(count)d round", "%(count)d rounds", rounds) % {"count": rounds},
        ]
        return join_parts(counts)
    if progress.drafts or progress.current in (SUBMIT, ""):
        return _("entered")
    return str(NOTES[RESULTS])


def _describe_check(progress: EventProgress) -> str:
    if progress.current in (SUBMIT, PREVIEW, ""):
        return _("no problems found")
    if progress.current != CHECK:
        return str(NOTES[CHECK])
    reports = [read_report(line.submission) for line in progress.drafts if not line.is_ready]
    known = [report for report in reports if report is not None]
    return join_parts(text for text, _tone in describe_open_points(_add_up(known))) if known else _("not checked yet")


def _add_up(reports: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the sums of what several drafts still need, as figures of one draft."""
    return {
        "lists": min(report.get("lists", 1) for report in reports),
        "open": sum(report.get("open", 0) for report in reports),
        "errors": sum(report.get("errors", 0) for report in reports),
        "questions": [question for report in reports for question in report.get("questions", ())],
    }


def _describe_submission(event: Any, progress: EventProgress, is_waiting: bool) -> str:
    if is_waiting and not progress.drafts:
        step = event.steps.filter(what__in=SUBMITTING).last()
        waited = waiting_time(step.at if step else None)
        return _("waiting for %(time)s") % {"time": waited} if waited else _("waiting for an officer")
    if not progress.current:
        step = event.steps.filter(what__in=(EventStep.What.ACCEPTED, EventStep.What.CORRECTED)).last()
        return _("accepted on %(day)s") % {"day": format_day(step.at.date())} if step else _("accepted")
    return str(NOTES[SUBMIT])


def _list_next_steps(event: Any, progress: EventProgress, is_waiting: bool) -> list[str]:
    """Return the keys of what happens from the present step on; none once the ratings are public."""
    if not progress.current:
        return [PUBLISH] if event.is_pending else []
    if is_waiting and not progress.drafts:
        return [ACCEPT, PUBLISH]
    keys = [ANNOUNCE, RESULTS, CHECK, SUBMIT, ACCEPT, PUBLISH]
    return keys[keys.index(SUBMIT if progress.current == PREVIEW else progress.current) :]
