"""Acceptance of the records that a uploaded history holds beside results, for one list, and its undo."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction

from ratings.access import Action, may
from ratings.domain.grades.bulk_records import submit_many, submit_removals, withdraw_many
from ratings.domain.site.acting import acting_user
from ratings.models import Adjustment, BatchFile, Decision, Proposal, RatingList
from ratings.models.messages import RecordReason, RunReason
from ratings.systems import values

from .accepted_records import ACCEPTED, STORED, read_accepted
from .uploaded_records import Kind, OfferedRecord, list_records


@dataclass
class AcceptanceResult:
    """Numbers of records that were saved and proposed to a second person, and the reasons why others were refused."""

    saved: int = 0
    proposed: int = 0
    refused: Sequence[str] = ()


@transaction.atomic
def accept_records(file: BatchFile, rating_list: RatingList, kind: str) -> AcceptanceResult:
    """Accept all open records of a kind for a list, as an officer of the list; refused ones can be accepted later.

    On a list that requires two persons they wait for the second one. Raise PermissionDenied for other users.
    """
    if not may(acting_user(), Action.KEEP_LIST, rating_list):
        raise PermissionDenied
    file = BatchFile.objects.select_for_update(of=("self",)).get(pk=file.pk)
    made_here, accepted, refused = [], AcceptanceResult(), []
    offered = list_records(file, rating_list)
    records = [record for record in offered if record.kind == kind and record.is_open]
    user = acting_user()
    rows = [_build_row(record, rating_list, file.name, user) for record in records]
    for record, made in zip(records, submit_many(rows, reason=RunReason.HISTORY_RECORDS_ADDED()), strict=True):
        if isinstance(made, ValidationError):
            refused.append(f"{record.name or rating_list}: {' '.join(made.messages)}")
            continue
        made_here.append([record.number, made._meta.model_name, made.pk, rating_list.pk])
        if isinstance(made, Proposal):
            accepted.proposed += 1
        else:
            accepted.saved += 1
    stored = sum(record.is_stored for record in offered)
    file.head = dict(file.head) | {STORED: file.head.get(STORED, {}) | {str(rating_list.pk): stored}}
    _store(file, rating_list, [each.to_json() for each in read_accepted(file, rating_list)] + made_here)
    accepted.refused = refused
    return accepted


def _build_row(record: OfferedRecord, rating_list: RatingList, source: str, user: User | None) -> Adjustment | Decision:
    """Return the unsaved adjustment or decision that a record makes on a list."""
    entry = record.value
    reason = entry.reason or (RecordReason.OPENING() if record.kind == Kind.OPENING else RecordReason.FROM_HISTORY())
    common: dict[str, Any] = {
        "list": rating_list, "player": record.player, "date": record.day, "reason": reason,
        "source": source[:200], "made_by": user,
    }  # fmt: skip
    if isinstance(entry, values.Decision):
        return Decision(grade=entry.grade, ruling=entry.ruling, **common)
    return Adjustment(set=None if entry.set is None else dict(entry.set), shift=entry.shift, **common)


@dataclass
class UndoResult:
    """Numbers of records that were removed and whose removal was proposed, and the problems of the others."""

    removed: int = 0
    proposed: int = 0
    problems: Sequence[str] = ()


@transaction.atomic
def undo_records(file: BatchFile, rating_list: RatingList) -> UndoResult:
    """Remove what was accepted from a file for a list, and withdraw the proposals that wait.

    On a list that requires two persons the second one confirms that a saved record is removed. What was removed by hand
    meanwhile is offered again. Raise PermissionDenied for users who are no officers of the list.
    """
    if not may(acting_user(), Action.KEEP_LIST, rating_list):
        raise PermissionDenied
    file = BatchFile.objects.select_for_update(of=("self",)).get(pk=file.pk)
    accepted = read_accepted(file, rating_list)
    withdrawn = withdraw_many(rating_list, [each.proposal.pk for each in accepted if each.proposal is not None])
    saved = [(each, each.row) for each in accepted if each.row is not None]
    removed = submit_removals([row for _each, row in saved], reason=RunReason.HISTORY_RECORDS_REMOVED())
    undone, kept, problems = UndoResult(removed=withdrawn), [], list[str]()
    for (each, _row), result in zip(saved, removed, strict=True):
        if isinstance(result, ValidationError):
            problems += result.messages
        elif isinstance(result, Proposal):
            undone.proposed += 1
        else:
            undone.removed += 1
            continue
        kept.append(each.to_json())
    _store(file, rating_list, kept)
    undone.problems = list(dict.fromkeys(problems))
    return undone


def _store(file: BatchFile, rating_list: RatingList, entries: Sequence[Any]) -> None:
    """Store what was accepted from a locked file for a list; the entries of other lists stay."""
    others = [entry for entry in file.head.get(ACCEPTED, ()) if entry[3] != rating_list.pk]
    file.head = dict(file.head) | {ACCEPTED: [*others, *entries]}
    file.save(update_fields=["head"])
