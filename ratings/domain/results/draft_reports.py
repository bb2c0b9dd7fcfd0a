"""Figures of a draft from its last check: what is missing, and what its organiser must decide.

They are stored with the draft when it is saved, so that pages with many drafts need no checks.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ratings.domain.site.acting import acting_user
from ratings.formats.problems import SubmissionProblem
from ratings.formats.sheet_content import SheetContent, content_from_json
from ratings.models import Event, Submission
from ratings.systems.messages import has_code, message_to_json

from .findings import CheckedSubmission
from .submission_checks import check_submission

FIELDS = ("report", "checked_version")


def build_report(content: SheetContent, checked: CheckedSubmission, *, lists: int) -> dict[str, Any]:
    """Return the figures of a checked draft: players, rounds, games, names to check, other errors and open questions.

    `lists` is the number of lists of the event; that it has none is an error that is not counted with the others. Each
    of these is counted once.
    """
    named = [(number, row) for number, row in enumerate(content.rows, 1) if row.name or row.player]
    games = sum(1 for row in checked.rows for cell in row.cells if cell.opponent)
    open_names = [finding for finding in checked.errors if finding.is_unmatched_name]
    other_errors = [
        finding
        for finding in checked.errors
        if not finding.is_unmatched_name and not has_code(finding.message, SubmissionProblem.NO_LISTS)
    ]
    questions = [finding for finding in checked.warnings if not finding.confirmation]
    return {
        "players": len(named),
        "rounds": content.used_rounds,
        "games": games // 2,
        "new": sum(1 for _number, row in named if row.new and not row.player),
        "open": len(open_names),
        "errors": len(other_errors),
        "first_error": [[each.row, each.round, message_to_json(each.message)] for each in other_errors[:1]],
        "questions": [
            [finding.key, finding.row, message_to_json(finding.message), finding.round, finding.fix]
            for finding in questions
        ],
        "lists": lists,
        "ready": checked.ready,
    }


def set_report(submission: Submission, checked: CheckedSubmission) -> None:
    """Set the figures of a checked draft as those of its present version."""
    content = content_from_json(submission.content)
    submission.report = build_report(content, checked, lists=submission.event.lists.count())
    submission.checked_version = submission.version


def store_report(submission: Submission, checked: CheckedSubmission | None = None) -> dict[str, Any]:
    """Store the figures of a draft and return them; check it first if `checked` is missing."""
    if checked is None:
        checked = check_submission(submission, content_from_json(submission.content), acting_user())
    set_report(submission, checked)
    Submission.objects.filter(pk=submission.pk).update(**{name: getattr(submission, name) for name in FIELDS})
    report: dict[str, Any] = submission.report or {}
    return report


def store_reports(events: Iterable[Event]) -> None:
    """Check the open drafts of some events again and store their figures, after the events were changed."""
    for submission in Submission.objects.filter(event__in=events, state__in=Submission.OPEN).select_related("event"):
        store_report(submission)
