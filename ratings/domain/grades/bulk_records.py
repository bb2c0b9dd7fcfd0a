"""Adjustments and decisions of one list, many at once: saved, removed, or proposed to a second person.

The number of queries does not depend on the number of records, and the list is marked for rating once.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy

from auditlog.context import disable_auditlog
from auditlog.models import LogEntry
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.batches import BATCH, in_batches
from ratings.domain.lists.adjustment_checks import RecordChecks
from ratings.domain.lists.adjustments import mark_rows_out_of_date, store_checked
from ratings.domain.site.acting import acting_user
from ratings.domain.site.audit import record_in_audit_trail
from ratings.models import Adjustment, Decision, Proposal, RatingList

from .grade_approval import find_removal_problems
from .proposals import needs_second, serialize_record

What, State = Proposal.What, Proposal.State

Record = Adjustment | Decision
Submitted = Adjustment | Decision | Proposal | ValidationError
"""Outcome for a record: the saved or removed record, its proposal, or the error that refused it."""


@transaction.atomic
def submit_many(rows: Sequence[Record], *, reason: str) -> list[Submitted]:
    """Save new records of one list, or propose them if a second person must confirm them.

    Return an outcome for each record; a refused record does not affect the others. `reason` is stored with the run.
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


@transaction.atomic
def submit_removals(rows: Sequence[Record], *, reason: str) -> list[Submitted]:
    """Remove records of one list, or propose the removals if a second person must confirm them.

    Return an outcome for each record. `reason` is stored with the run.
    """
    if not rows:
        return []
    RatingList.objects.select_for_update().get(pk=rows[0].list_id)
    if rows[0].list.four_eyes:
        submitted = _propose_removals(rows)
        proposals = [each for each in submitted if isinstance(each, Proposal)]
        Proposal.objects.bulk_create(proposals, BATCH)
        record_in_audit_trail(proposals, LogEntry.Action.CREATE)
        return submitted
    refused = find_removal_problems(rows)
    removed = [row for row, problem in zip(rows, refused, strict=True) if problem is None]
    mark_rows_out_of_date(removed, reason)
    for model in (Adjustment, Decision):
        own = [row for row in removed if isinstance(row, model)]
        record_in_audit_trail(own, LogEntry.Action.DELETE)
        with disable_auditlog():
            for batch in in_batches(own):
                model._default_manager.filter(pk__in=[row.pk for row in batch]).delete()
    return [problem or row for row, problem in zip(rows, refused, strict=True)]


def _propose_removals(rows: Sequence[Record]) -> list[Submitted]:
    waiting = Proposal.objects.filter(list=rows[0].list, state=State.WAITING, target__isnull=False)
    targets, user = set(waiting.values_list("kind", "target")), acting_user()
    submitted: list[Submitted] = []
    for row in rows:
        kind = _find_kind(row)
        if (kind, row.pk) in targets:
            submitted.append(ValidationError(_("Another change of this is already waiting for a second person.")))
            continue
        proposal = Proposal(list=row.list, player=row.player, kind=kind, what=What.REMOVE, by=user)
        proposal.target, proposal.before = row.pk, serialize_record(row)
        submitted.append(proposal)
    return submitted


@transaction.atomic
def withdraw_many(rating_list: RatingList, pks: Sequence[int]) -> int:
    """Withdraw those of the proposals of a list that still wait; return their number."""
    RatingList.objects.select_for_update().get(pk=rating_list.pk)
    withdrawn = 0
    for batch in in_batches(pks):
        waiting = Proposal.objects.select_for_update(of=("self",)).select_related("list", "player")
        proposals = list(waiting.filter(list=rating_list, pk__in=batch, state=State.WAITING))
        before, user, now = [copy(proposal) for proposal in proposals], acting_user(), timezone.now()
        for proposal in proposals:
            proposal.state, proposal.closed_by, proposal.closed_at = State.WITHDRAWN, user, now
        Proposal.objects.bulk_update(proposals, ["state", "closed_by", "closed_at"])
        record_in_audit_trail(proposals, LogEntry.Action.UPDATE, before)
        withdrawn += len(proposals)
    return withdrawn


def _find_kind(row: Record) -> str:
    return Proposal.Kind.DECISION if isinstance(row, Decision) else Proposal.Kind.ADJUSTMENT


def _build_proposal(row: Record, user: User | None) -> Proposal:
    content = serialize_record(row)
    return Proposal(list=row.list, player=row.player, kind=_find_kind(row), what=What.ADD, content=content, by=user)
