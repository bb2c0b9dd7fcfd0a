"""Figures of events for an organiser's desk: players, last check of a draft, comments, biggest rating change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count

from ratings.models import Change, Entry, Event, Submission, SubmissionComment
from ratings.systems.messages import message_from_json

State = Event.State


@dataclass(frozen=True)
class ReportedFinding:
    """A finding of the last check: its message, the name in its row and its round, if it is about these."""

    message: str
    name: str = ""
    round: int | None = None


@dataclass
class EventFigures:
    """Figures of an event. `players` are those of its results, 0 without results.

    `report` holds the figures of the only draft from its last check (`Submission.report`), None if it was changed
    without a check or was never checked. `first_finding` is its first error, else its first question. `comments` is the
    number of open comments of officers. `biggest` is the biggest public change of a rating, None if fewer than two
    ratings changed.
    """

    players: int = 0
    report: Mapping[str, Any] | None = None
    first_finding: ReportedFinding | None = None
    comments: int = 0
    biggest: Change | None = None


def read_event_figures(events: Collection[Event]) -> dict[int, EventFigures]:
    """Return the figures of some events by primary key; at most five queries."""
    figures = {event.pk: EventFigures() for event in events}
    decided = [event.pk for event in events if event.state in (State.ACCEPTED, State.VOID)]
    undecided = [pk for pk in figures if pk not in decided]
    if undecided:
        _add_submissions(figures, undecided)
    returned = [event.pk for event in events if event.state == State.RETURNED]
    if returned:
        comments = SubmissionComment.objects.filter(
            submission__event__in=returned, withdrawn_at=None, settled_at=None
        ).exclude(submission__state=Submission.State.DELETED)
        for pk, number in comments.order_by().values_list("submission__event").annotate(Count("pk")):
            figures[pk].comments = number
    if decided:
        entries = Entry.objects.filter(table__event__in=decided).order_by()
        for pk, number in entries.values_list("table__event").annotate(Count("player", distinct=True)):
            figures[pk].players = number
    for pk, change in _find_biggest_changes([event.pk for event in events if event.state == State.ACCEPTED]).items():
        figures[pk].biggest = change
    return figures


def _add_submissions(figures: Mapping[int, EventFigures], events: Sequence[int]) -> None:
    rows = Submission.objects.filter(event__in=events, state__in=Submission.IN_PROGRESS)
    reports: dict[int, list[tuple[Mapping[str, Any] | None, Mapping[str, Any]]]] = defaultdict(list)
    for event, content, report, version, checked in rows.values_list(
        "event", "content", "report", "version", "checked_version"
    ):
        reports[event].append((report if version == checked else None, content))
        figures[event].players += sum(1 for row in content.get("rows", ()) if row.get("family") or row.get("player"))
    for event, several in reports.items():
        if len(several) == 1:
            ((report, content),) = several
            figures[event].report = report
            figures[event].first_finding = _read_first_finding(report, content) if report else None


def _read_first_finding(report: Mapping[str, Any], content: Mapping[str, Any]) -> ReportedFinding | None:
    """Return the first error of a report, else its first question.

    Reports of earlier releases have the number of errors only.
    """
    if report.get("errors"):
        findings = [tuple(each) for each in report.get("first_error", ())]
    else:
        findings = [
            (row, more[0] if more else None, message)  # reports of earlier releases have no round
            for _key, row, message, *more in report.get("questions", ())
        ]
    if not findings:
        return None
    number, round_, message = findings[0]
    rows = content.get("rows", ())
    row = rows[number - 1] if number and number <= len(rows) else {}
    name = f"{row.get('family', '')} {row.get('given', '')}".strip()
    return ReportedFinding(message_from_json(message), name, round_)


def _find_biggest_changes(events: Sequence[int]) -> dict[int, Change]:
    """Return the biggest change of a rating on a public list by event, of those with at least two."""
    if not events:
        return {}
    changes = Change.objects.filter(
        table__event__in=events, games__gt=0, change__isnull=False, published=True, hidden=False,
        list__comparison_to=None, list__public=True,
    )  # fmt: skip
    of_event: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for event, pk, change in changes.order_by("pk").values_list("table__event", "pk", "change"):
        of_event[event].append((abs(change or 0), -pk))
    biggest = {event: max(several) for event, several in of_event.items() if len(several) > 1}
    stored = Change.objects.defer("state").select_related("player", "list")
    found = stored.in_bulk([-pk for _size, pk in biggest.values()]) if biggest else {}
    return {event: found[-pk] for event, (size, pk) in biggest.items() if size and -pk in found}
