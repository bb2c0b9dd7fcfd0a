"""Undoing of recorded steps of any kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.domain.grades.announcing import announcement_undo_problem, undo_announcement
from ratings.domain.lists.import_records import describe_import, import_undo_problem, undo_import
from ratings.domain.players.claims import answer_undo_problem, undo_answer
from ratings.domain.players.erasure_requests import end_request, request_undo_problem
from ratings.domain.players.visibility import undo_visibility, visibility_undo_problem
from ratings.domain.results.import_batches import batch_undo_problem, describe_batch, undo_batch
from ratings.localize import join_parts
from ratings.models import Claim, Player, RecordedStep

from .acting import acting_user

What = RecordedStep.What


def undo_step(step: RecordedStep, *, reason: str = "") -> str:
    """Undo a recorded step and return a warning about data that stays; empty if there is none.

    ValidationError: the step cannot be undone; the message says why. PermissionDenied: the acting user has no right to
    undo it.
    """
    if step.what == What.GRADE_ANNOUNCED:
        undo_announcement(step, reason=reason)
    elif step.what == What.CLAIM_ANSWERED:
        undo_answer(step, reason=reason)
    elif step.what == What.VISIBILITY_CHANGED:
        undo_visibility(step, reason=reason)
    elif step.what == What.ERASURE_REQUESTED:
        end_request(step, reason=reason)
    elif step.what == What.LIST_IMPORTED:
        return _warn_of_players_left(undo_import(step, reason=reason))
    elif step.what == What.RESULTS_IMPORTED:
        return _warn_of_players_left(undo_batch(step, reason=reason))
    else:
        raise ValidationError(step_undo_problem(step))
    return ""


def _warn_of_players_left(players: list[Player]) -> str:
    """Return the warning about players that undoing an import did not delete; empty if there are none."""
    if not players:
        return ""
    message = _("Created by the import and not deleted, because other data refers to them: %(players)s.")
    return message % {"players": join_parts(players)}


def step_undo_problem(step: RecordedStep) -> str:
    """Return why the acting user cannot undo a step now; empty if they can."""
    if step.undone_at is not None:
        return _("This step was already undone.")
    if step.what == What.PERSON_ERASED:
        return _("Erased data cannot be restored: it is no longer stored.")
    if step.list is not None and (user := acting_user()) is not None and not may(user, Action.KEEP_LIST, step.list):
        return _("Only the officers of %(list)s can undo this.") % {"list": step.list}
    reason = REASONS.get(What(step.what))
    return reason(step) if reason else _("The user must claim the page again.")


DESCRIBE: Mapping[str, Callable[[RecordedStep], list[str]]] = {
    What.LIST_IMPORTED: describe_import,
    What.RESULTS_IMPORTED: describe_batch,
}
"""Functions that return what an undo deletes; pages ask before they undo steps of these kinds."""


def describe_undo(step: RecordedStep) -> list[str]:
    """Return what undoing a step deletes, to be displayed before it is undone; empty if it needs no question."""
    return DESCRIBE[step.what](step) if step.what in DESCRIBE else []


def _why_answer_stays(step: RecordedStep) -> str:
    claim = Claim.objects.select_related("user").filter(pk=step.values["claim"]).first()
    return answer_undo_problem(step, Player.objects.get(recorded_steps=step), claim)


def _why_visibility_stays(step: RecordedStep) -> str:
    return visibility_undo_problem(step, Player.objects.get(recorded_steps=step))


REASONS: Mapping[RecordedStep.What, Callable[[RecordedStep], str]] = {
    What.GRADE_ANNOUNCED: announcement_undo_problem,
    What.LIST_IMPORTED: import_undo_problem,
    What.RESULTS_IMPORTED: batch_undo_problem,
    What.CLAIM_ANSWERED: _why_answer_stays,
    What.VISIBILITY_CHANGED: _why_visibility_stays,
    What.ERASURE_REQUESTED: request_undo_problem,
}
"""Functions that return why a step of a kind cannot be undone now; steps of other kinds can never be undone."""
