"""Changes of entries that a step of an event made: an officer's edit, or an accepted correction."""

from __future__ import annotations

from ratings.models import EventStep, Submission
from ratings.queries.results.workflow import earlier_version

from .edit_lines import EditLine
from .officer_edits import describe_edit
from .table_versions import list_version_changes

What = EventStep.What


def list_step_changes(step: EventStep) -> list[EditLine]:
    """Return the changed entries of a step, with their texts before and after; empty for other steps."""
    if step.what == What.EDITED:
        return describe_edit(step)
    return _list_corrected(step) if step.what == What.CORRECTED else []


def _list_corrected(step: EventStep) -> list[EditLine]:
    """Return the differences between accepted corrections and the versions before them, without their reasons."""
    lines = []
    for submission in Submission.objects.filter(pk__in=step.data.get("sheets", [])).select_related("table"):
        before = earlier_version(submission) if submission.table_id else None
        if before is not None:
            lines += list_version_changes(before, submission)
    return lines
