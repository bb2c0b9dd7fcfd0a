"""Models and fields recorded by the audit trail; the library's middleware adds the user who made a change.

Rating runs write nothing to it: derived rows are not recorded, nor are results, whose versions are submissions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from auditlog.cid import get_cid
from auditlog.diff import model_instance_diff
from auditlog.models import LogEntry
from auditlog.registry import auditlog
from django.contrib.auth.models import User
from django.contrib.contenttypes.models import ContentType
from django.db import models

from ratings.batches import BATCH
from ratings.models import (
    Adjustment,
    ApiKey,
    Approval,
    Club,
    DatedList,
    Decision,
    EntryList,
    Event,
    EventEntry,
    Federation,
    FederationMembership,
    FormerName,
    HallLink,
    ListPlayer,
    Membership,
    Merge,
    OutsideId,
    PairingSecret,
    Player,
    Proposal,
    RatingList,
    Report,
    Table,
    WebhookSubscription,
)

from .acting import acting_user

AUDITED_MODELS: dict[type[models.Model], set[str]] = {
    ApiKey: {"digest", "last_used_at"},
    Event: {"search_name"},
    EntryList: set(),
    EventEntry: {"email", "message", "key", "changed_at", "batch", "was_matched"},
    Table: set(),
    Player: {"search_name"},
    Club: {"search_name"},
    Membership: set(),
    RatingList: {"out_of_date_from", "revision", "problem", "publish_from"},
    Federation: {"crest"},
    FederationMembership: set(),
    FormerName: {"search_name"},
    HallLink: {"helpers"},
    ListPlayer: set(),
    OutsideId: {"confirmed_at"},
    PairingSecret: {"digest", "last_used_at"},
    Adjustment: set(),
    Approval: {"letter", "reminded_at"},
    Decision: set(),
    Proposal: set(),
    DatedList: set(),
    Report: {"mail"},
    Merge: {"moved"},
    WebhookSubscription: {"secret", "previous_secret", *WebhookSubscription.unversioned_fields},
    User: {"password", "last_login"},
}
"""Models that people enter, with the fields to leave out: those written by the portal, and private ones."""


def register_models() -> None:
    """Record every change of the models that people enter; called once, when the process starts."""
    for model, left_out in AUDITED_MODELS.items():
        auditlog.register(
            model,
            # listed by name: otherwise the library treats reverse relations as fields
            include_fields=[
                field.name for field in model._meta.concrete_fields if field.name not in {*left_out, "version"}
            ],
            m2m_fields=[field.name for field in model._meta.many_to_many if _has_automatic_table(field)],
        )


def record_in_audit_trail(rows: Sequence[models.Model], action: int, before: Sequence[models.Model] = ()) -> None:
    """Record that rows of one model were created, changed or deleted together, as the library does one by one.

    `action` is one of `LogEntry.Action`; `before` has the rows as they were before a change, in the same order.
    """
    if not rows:
        return
    user = acting_user()
    common: dict[str, Any] = {
        "content_type": ContentType.objects.get_for_model(rows[0]),
        "action": action,
        "actor": user,
        "actor_email": user.email if user else None,
        "cid": get_cid(),
    }
    is_deleted = action == LogEntry.Action.DELETE
    earlier: Sequence[models.Model | None] = before or (rows if is_deleted else [None] * len(rows))
    entries = []
    for row, old in zip(rows, earlier, strict=True):
        if changes := model_instance_diff(old, None if is_deleted else row):
            text: dict[str, Any] = {"object_pk": str(row.pk), "object_id": row.pk, "object_repr": str(row)}
            entries.append(LogEntry(changes=changes, **text, **common))
    LogEntry.objects.bulk_create(entries, BATCH)


def _has_automatic_table(field: models.ManyToManyField[Any, Any]) -> bool:
    """Return True if the table of a relation is created by Django, and is not a model that is recorded itself."""
    through = field.remote_field.through
    return bool(through and through._meta.auto_created)
