"""Records of the steps of an approval."""

from __future__ import annotations

from ratings.domain.site.acting import acting_user
from ratings.models import Approval, ApprovalStep
from ratings.models.messages import ApprovalNote


def add_step(case: Approval, what: str, *notes: str, **more: object) -> None:
    """Save a step of an approval by the acting user, or by the `person` who used an answer link.

    `notes` are messages and typed texts; empty ones are left out.
    """
    ApprovalStep.objects.create(case=case, what=what, note=tuple(filter(None, notes)), by=acting_user(), **more)


def summarize_answer(case: Approval) -> list[str]:
    """Return the answer of an approval as the notes of a step."""
    verdict = ApprovalNote.APPROVED(day=case.effective) if case.granted else ApprovalNote.DECLINED()
    typed = (case.signed_by, case.signer_office, case.reference, case.reason)
    return [verdict, ApprovalNote.ANSWERED(day=case.answered_on), *typed]
