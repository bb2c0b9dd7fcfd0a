"""History of an event, line by line: its steps with figures and changes, and the rating runs that followed them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import pgettext

from portal.results.step_sentences import describe_figures, describe_run
from ratings.access import is_officer, may
from ratings.domain.results.edit_lines import EditLine
from ratings.domain.results.event_time_line import UndoableStep, list_steps
from ratings.domain.results.step_changes import list_step_changes
from ratings.localize import translate_message
from ratings.models import Event, EventStep, Upload
from ratings.queries.results.step_runs import StepRun, read_step_runs

What = EventStep.What
ICONS: Mapping[str, str] = {
    What.ANNOUNCED: "calendar",
    What.UNANNOUNCED: "calendar-x",
    What.READ: "file-text",
    What.HALL: "smartphone",
    What.REPLACED: "file-text",
    What.SUBMITTED: "arrow-right",
    What.EDITED: "pencil",
    What.WITHDRAWN: "arrow-left",
    What.RETURNED: "reply",
    What.RETURN_UNDONE: "undo-2",
    What.ACCEPTED: "check",
    What.ACCEPTANCE_UNDONE: "undo-2",
    What.PROPOSED: "message-square",
    What.CORRECTED: "pencil",
    What.REMAPPED: "users",
    What.DRAFT_DELETED: "trash-2",
    What.DRAFT_RESTORED: "undo-2",
    What.TABLE_DELETED: "trash-2",
    What.TABLE_RESTORED: "undo-2",
    What.DELETED: "trash-2",
    What.RESTORED: "undo-2",
    What.VOIDED: "ban",
    What.UNVOIDED: "undo-2",
    What.SHARED: "user-plus",
    What.UNSHARED: "user-minus",
    What.REMINDED: "mail",
    What.OFFICERS_REMINDED: "mail",
}
"""Icon of lucide-static for each step."""
PUBLIC = frozenset({What.ACCEPTED, What.CORRECTED, What.UNVOIDED, What.TABLE_RESTORED})
"""Steps by which results count for the public."""
RATED = "rated"
"""Key of a line about a rating run, beside the keys of steps."""
MAX_CHANGES = 5
"""Number of changed entries that a line shows before the others are folded."""


@dataclass(frozen=True)
class HistoryLine:
    """A line of the history: the time, what happened, who did it, sentences about it, and the changed entries.

    `timed` is the step with its undo, None for a rating run; `allowed`: the reader may undo it. `upload` is the primary
    key of the file that was read.
    """

    key: str
    at: dt.datetime
    title: str
    by: str = ""
    sentences: Sequence[str] = ()
    changes: Sequence[EditLine] = ()
    timed: UndoableStep | None = None
    allowed: bool = False
    upload: int | None = None

    @property
    def icon(self) -> str:
        return "chart-line" if self.key == RATED else ICONS[self.key]

    @property
    def is_public(self) -> bool:
        return self.key == RATED or self.key in PUBLIC

    @property
    def first_changes(self) -> Sequence[EditLine]:
        """The changes that are shown at once: all of them, or the first ones if there are more than two too many."""
        return self.changes if len(self.changes) <= MAX_CHANGES + 2 else self.changes[:MAX_CHANGES]

    @property
    def more_changes(self) -> Sequence[EditLine]:
        return self.changes[len(self.first_changes) :]


def list_history(event: Event, user: Any) -> list[HistoryLine]:
    """Return the history of an event for a reader, newest line first."""
    steps = list_steps(event)
    uploads = _find_uploads(steps)
    lists = [each for each in event.lists.order_by("pk") if each.public or is_officer(user)]
    runs = read_step_runs(event, lists)
    names_list = len({rated.rating_list.pk for rated in runs}) > 1
    after: dict[int, list[HistoryLine]] = {}
    for rated in reversed(runs):
        after.setdefault(rated.step.pk, []).append(_build_run_line(rated, names_list))
    lines = []
    for timed in steps:
        allowed = timed.undo is not None and may(user, timed.undo.right, event)
        lines += [*after.get(timed.step.pk, []), _build_step_line(timed, allowed, uploads)]
    return lines


def _find_uploads(steps: Iterable[UndoableStep]) -> set[int]:
    """Return the primary keys of the files of some steps that are still stored."""
    keys = [timed.step.data["upload"] for timed in steps if "upload" in timed.step.data]
    return set(Upload.objects.filter(pk__in=keys).values_list("pk", flat=True)) if keys else set()


def _build_step_line(timed: UndoableStep, allowed: bool, uploads: set[int]) -> HistoryLine:
    step = timed.step
    upload = step.data.get("upload")
    sentences = [translate_message(step.note), describe_figures(step)]
    return HistoryLine(
        key=step.what,
        at=step.at,
        title=step.get_what_display(),
        by=str(step.by) if step.by else "",
        sentences=[sentence for sentence in sentences if sentence],
        changes=list_step_changes(step),
        timed=timed,
        allowed=allowed,
        upload=upload if upload in uploads else None,
    )


def _build_run_line(rated: StepRun, names_list: bool) -> HistoryLine:
    first = rated.step.what == What.ACCEPTED
    title = pgettext("step", "rated") if first else pgettext("step", "rated again")
    at = rated.run.ended_at or rated.step.at
    return HistoryLine(key=RATED, at=at, title=title, sentences=list(describe_run(rated, names_list=names_list)))
