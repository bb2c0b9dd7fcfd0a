"""Time line of an event's steps: which can be undone now, with which right, and why the others cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from ratings.access import Action
from ratings.models import Event, EventStep, Submission, Table
from ratings.models.messages import RecordReason
from ratings.queries.results.workflow import latest_version

from .acceptance_undo import find_acceptance_undo_problem, undo_acceptance
from .deleting import restore_event, restore_submission, restore_table
from .officer_edits import find_edit_undo_problem, undo_officer_edit
from .review import undo_correction, undo_return
from .sharing import find_sharing_undo_problem, undo_sharing
from .submitting import submit, withdraw, withdraw_announcement
from .voiding import restore_void_event

What = EventStep.What
State = Event.State


@dataclass(frozen=True)
class Undo:
    """The undo of a step: the right it needs and the function that does it."""

    right: Action
    act: Callable[[EventStep], str | None]
    """Function that undoes a step and returns what remains to be done, if anything."""
    locks_seats: bool = False
    """True if the undo may delete players, so that no other results may be saved meanwhile."""


@dataclass(frozen=True)
class UndoableStep:
    """A step with its undo, or with the reason why it cannot be undone here."""

    step: EventStep
    undo: Undo | None = None
    reason: str = ""
    page: str = ""
    """Name of the page on which the step is undone, if that needs more than a button; `reason` then says why."""


UNDO: Mapping[str, Undo] = {
    What.ANNOUNCED: Undo(Action.CHANGE_EVENT, lambda step: withdraw_announcement(step.event)),
    What.SUBMITTED: Undo(Action.WITHDRAW, lambda step: withdraw(step.event)),
    What.PROPOSED: Undo(Action.WITHDRAW, lambda step: withdraw(step.event)),
    What.WITHDRAWN: Undo(Action.GIVE_RESULTS, lambda step: submit(step.event)),
    What.RETURNED: Undo(Action.REVIEW, lambda step: undo_return(step.event, step.data.get("sheets", {}))),
    What.ACCEPTED: Undo(Action.REVIEW, undo_acceptance, locks_seats=True),
    What.CORRECTED: Undo(
        Action.VOID,
        lambda step: undo_correction(step.event, step.data.get("sheets", []), reason=RecordReason.CORRECTION_UNDONE()),
    ),
    What.EDITED: Undo(Action.REVIEW, undo_officer_edit),
    What.DRAFT_DELETED: Undo(Action.GIVE_RESULTS, lambda step: restore_submission(_get_submission(step))),
    What.REPLACED: Undo(Action.GIVE_RESULTS, lambda step: restore_submission(_get_submission(step))),
    What.TABLE_DELETED: Undo(Action.VOID, lambda step: restore_table(_get_table(step))),
    What.DELETED: Undo(Action.DELETE_EVENT, lambda step: restore_event(step.event)),
    What.VOIDED: Undo(Action.VOID, lambda step: restore_void_event(step.event)),
    What.SHARED: Undo(Action.CHANGE_EVENT, undo_sharing),
    What.UNSHARED: Undo(Action.CHANGE_EVENT, undo_sharing),
}
OWN_PAGE: Mapping[str, Any] = {
    What.UNANNOUNCED: gettext_lazy("To go back, announce the event on its page."),
    What.ACCEPTANCE_UNDONE: gettext_lazy("To go back, accept the results again on the event’s page."),
    What.RETURN_UNDONE: gettext_lazy("To go back, return the results again on the event’s page."),
    What.READ: gettext_lazy("To go back, delete the draft results on the event’s page."),
    What.HALL: gettext_lazy("To go back, delete the draft results on the event’s page."),
    What.DRAFT_RESTORED: gettext_lazy("To go back, delete the draft results on the event’s page."),
    What.TABLE_RESTORED: gettext_lazy("To go back, delete the table on the event’s page."),
    What.RESTORED: gettext_lazy("To go back, delete the event on its page."),
    What.REMINDED: gettext_lazy("The email was sent."),
    What.OFFICERS_REMINDED: gettext_lazy("The email was sent."),
    What.REMAPPED: gettext_lazy("Undo it on the page of duplicates and moved results."),
}
"""Steps that are undone on other pages or not at all, with the explanation."""
LATER_STEP = gettext_lazy("A later step followed: undo that one first.")
STATE_CHANGES = {
    What.SUBMITTED,
    What.PROPOSED,
    What.WITHDRAWN,
    What.RETURNED,
    What.RETURN_UNDONE,
    What.ACCEPTED,
    What.ACCEPTANCE_UNDONE,
    What.CORRECTED,
    What.DELETED,
    What.RESTORED,
    What.VOIDED,
    What.UNVOIDED,
}


def list_steps(event: Event) -> list[UndoableStep]:
    """Return the steps of an event, newest first, each with its undo or the reason why it cannot be undone."""
    steps = list(event.steps.select_related("by", "event").order_by("-pk"))
    _name_users(steps)
    latest = next((step.pk for step in steps if step.what in STATE_CHANGES), None)
    return [_build_timed_step(step, latest) for step in steps]


def build_timed_step(step: EventStep) -> UndoableStep:
    """Return a step with its undo or the reason why it cannot be undone."""
    latest = step.event.steps.filter(what__in=STATE_CHANGES).last()
    return _build_timed_step(step, latest.pk if latest else None)


def _name_users(steps: Iterable[EventStep]) -> None:
    """Set the notes of steps that share the event to the names of the users, who are stored by primary key."""
    shared = [step for step in steps if step.what in (What.SHARED, What.UNSHARED)]
    users = User.objects.in_bulk([step.data.get("user") for step in shared])
    for step in shared:
        step.note = str(users.get(step.data.get("user"), "–"))


def undo_step(step: EventStep) -> str:
    """Undo a step of an event, and return a message about what remains to be done; empty if nothing.

    Raise ValidationError with the reason if the step cannot be undone, or no longer.
    """
    timed = next(entry for entry in list_steps(step.event) if entry.step.pk == step.pk)
    if timed.undo is None:
        raise ValidationError(timed.reason or _("This step cannot be undone."))
    return timed.undo.act(step) or ""


def _build_timed_step(step: EventStep, latest: int | None) -> UndoableStep:
    reason = ""
    if step.what == What.ACCEPTED:
        reason = find_acceptance_undo_problem(step) if step.pk == latest else str(LATER_STEP)
    if step.what == What.UNVOIDED or reason:
        if step.event.state == State.ACCEPTED:
            return UndoableStep(step, reason=reason, page="void_event")
        return UndoableStep(step, reason=_("The event is %(state)s.") % {"state": step.event.get_state_display()})
    if step.what in OWN_PAGE:
        return UndoableStep(step, reason=str(OWN_PAGE[step.what]))
    undo = UNDO[step.what]
    reason = _find_undo_problem(step, latest)
    return UndoableStep(step, reason=reason) if reason else UndoableStep(step, undo)


def _find_undo_problem(step: EventStep, latest: int | None) -> str:
    """Return why a step cannot be undone now; empty if it can."""
    if step.what in UNDO_PROBLEMS:
        return UNDO_PROBLEMS[step.what](step)
    if step.what == What.CORRECTED and step.data.get("sheets") and step.event.state == State.ACCEPTED:
        submissions = Submission.objects.filter(pk__in=step.data["sheets"]).select_related("table")
        newest = all(submission.table and latest_version(submission.table) == submission for submission in submissions)
        return "" if newest else _("These results were corrected again since.")
    return "" if step.pk == latest else str(LATER_STEP)


def _find_restoring_problem(step: EventStep) -> str:
    """Return why deleted draft results cannot be restored; empty if they can."""
    submission = Submission.objects.filter(pk=step.data.get("sheet")).first()
    if submission is None:
        return _("These results were erased: deleted drafts are kept for a limited time.")
    return "" if submission.state == Submission.State.DELETED else _("These results were restored.")


def _find_table_problem(step: EventStep) -> str:
    """Return why a deleted table cannot be restored; empty if it can."""
    deleted = Table.with_deleted.filter(pk=step.data.get("table")).exclude(deleted_at=None)
    return "" if deleted.exists() else _("This table was restored.")


def _find_calendar_problem(step: EventStep) -> str:
    """Return why an announcement cannot be undone; empty if it can."""
    again = step.event.steps.filter(what=What.ANNOUNCED, pk__gt=step.pk).exists()
    announced = step.event.announced_at is not None and step.event.is_open and not again
    return "" if announced else _("The event was removed from the calendar, or has results.")


UNDO_PROBLEMS: Mapping[str, Callable[[EventStep], str]] = {
    What.DRAFT_DELETED: _find_restoring_problem,
    What.REPLACED: _find_restoring_problem,
    What.TABLE_DELETED: _find_table_problem,
    What.ANNOUNCED: _find_calendar_problem,
    What.SHARED: find_sharing_undo_problem,
    What.UNSHARED: find_sharing_undo_problem,
    What.EDITED: find_edit_undo_problem,
}
"""Functions that return why a step cannot be undone, for steps that do not depend on the order of the others."""


def _get_submission(step: EventStep) -> Submission:
    return Submission.objects.select_related("event", "table").get(pk=step.data["sheet"])


def _get_table(step: EventStep) -> Table:
    return Table.with_deleted.select_related("event").get(pk=step.data["table"])
