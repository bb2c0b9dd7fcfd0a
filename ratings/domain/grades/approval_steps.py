"""Records of the steps of an approval."""

from __future__ import annotations

from django.utils.translation import gettext as _

from ratings.domain.site.acting import acting_user
from ratings.localize import format_day, join_parts
from ratings.models import Approval, ApprovalStep

NOTE_LENGTH = 1000


def add_step(case: Approval, what: str, note: str = "", **more: object) -> None:
    """Save a step of an approval by the acting user, or by the `person` who used an answer link."""
    ApprovalStep.objects.create(case=case, what=what, note=note[:NOTE_LENGTH], by=acting_user(), **more)


def summarize_answer(case: Approval) -> str:
    """Return the answer of an approval as one line for its steps."""
    verdict = (
        _("approved, counts from %(day)s") % {"day": format_day(case.effective)} if case.granted else _("declined")
    )
    parts = [verdict, format_day(case.answered_on), case.signed_by, case.signer_office, case.reference, case.reason]
    return join_parts(part for part in parts if part)
