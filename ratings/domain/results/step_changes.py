"""Changes of entries that a step of an event made: an officer's edit, or an accepted correction."""

from __future__ import annotations

from typing import Any

from ratings.models import EventStep, Submission
from ratings.queries.results.workflow import earlier_version

from .edit_lines import EditLine, list_edit_lines, save_version
from .officer_edits import describe_edit

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
            lines += list_edit_lines(*_select_common(save_version(before), save_version(submission)))
    return lines


def _select_common(old: dict[str, Any], new: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return two versions with the differences that a person made.

    A correction is made from the stored table, not from what was typed: left out are the reason, details that only one
    version has, and the spelling of the name in a row that has the same player.
    """
    before, after = old["content"], new["content"]
    common = before["details"].keys() & after["details"].keys()
    names = {row["player"]: {key: row[key] for key in ("family", "given")} for row in after["rows"] if row["player"]}
    rows = [row | names.get(row["player"], {}) for row in before["rows"]]
    details = [{name: content["details"][name] for name in common} for content in (before, after)]
    old_content = before | {"details": details[0], "rows": rows}
    return old | {"reason": "", "content": old_content}, new | {
        "reason": "",
        "content": after | {"details": details[1]},
    }
