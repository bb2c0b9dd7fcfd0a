"""Adjustments and decisions of one list, many at once: saved, or proposed where a second person has to confirm them.

The number of queries does not depend on the number of records, and the list is marked for rating once.
"""

from __future__ import annotations

from collections.abc import Sequence

from auditlog.models import LogEntry
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction

from ratings.batches import BATCH
from ratings.domain.lists.adjustment_checks import RecordChecks
from ratings.domain.lists.adjustments import store_checked
from ratings.domain.site.acting import acting_user
from ratings.domain.site.audit import record_in_audit_trail
from ratings.models import Adjustment, Decision, Proposal

from .proposals import needs_second, serialize_record

Record = Adjustment | Decision
Submitted = Adjustment | Decision | Proposal | ValidationError
"""What became of a record: itself if it was saved, its proposal, or why it was refused."""


@transaction.atomic
def submit_many(rows: Sequence[Record], *, reason: str) -> list[Submitted]:
    """Save new records of one list, or propose those that a second person has to confirm.

    Return what became of each. Those that are refused do not keep the others back. `reason` is stored with the run.
    """
    if not rows:
        return []
    checks, user = RecordChecks(rows[0].list, rows), acting_user()
    submitted: list[Submitted] = []
    for row in rows:
        proposing = needs_second(row)
        try:
            checks.check(row, proposing=proposing)
        except ValidationError as error:
            submitted.append(error)
            continue
        submitted.append(_build_proposal(row, user) if proposing else row)
    store_checked([row for row in submitted if isinstance(row, Adjustment | Decision)], reason=reason)
    Proposal.objects.bulk_create([row for row in submitted if isinstance(row, Proposal)], BATCH)
    for model in (Adjustment, Decision, Proposal):
        record_in_audit_trail([row for row in submitted if isinstance(row, model)], LogEntry.Action.CREATE)
    return submitted


def _build_proposal(row: Record, user: User | None) -> Proposal:
    kind = Proposal.Kind.DECISION if isinstance(row, Decision) else Proposal.Kind.ADJUSTMENT
    content = serialize_record(row)
    return Proposal(list=row.list, player=row.player, kind=kind, what=Proposal.What.ADD, content=content, by=user)
