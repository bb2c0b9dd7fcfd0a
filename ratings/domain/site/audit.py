"""Models and fields recorded by the audit trail; the library's middleware adds the user who made a change.

Rating runs write nothing to it: derived rows are not recorded, nor are results, whose versions are submissions.
"""

from __future__ import annotations

from typing import Any

from auditlog.registry import auditlog
from django.contrib.auth.models import User
from django.db import models

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


def _has_automatic_table(field: models.ManyToManyField[Any, Any]) -> bool:
    """Return True if the table of a relation is created by Django, and is not a model that is recorded itself."""
    through = field.remote_field.through
    return bool(through and through._meta.auto_created)
