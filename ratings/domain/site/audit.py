"""Which changes the audit trail keeps; the library's middleware names who made them.

Runs write nothing of it: what is derived, and results (whose versions are sheets), are not followed.
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
    Event,
    ListPlayer,
    Membership,
    Merge,
    Player,
    RatingList,
    Report,
    Table,
)

FOLLOWED: dict[type[models.Model], set[str]] = {
    ApiKey: {"digest", "last_used_at"},
    Event: {"search_name"},
    Table: set(),
    Player: {"search_name"},
    Club: {"search_name"},
    Membership: set(),
    RatingList: {"out_of_date_from", "revision", "problem", "publish_from"},
    ListPlayer: set(),
    Adjustment: set(),
    Approval: {"letter", "reminded_at"},
    Decision: set(),
    DatedList: set(),
    Report: {"mail"},
    Merge: {"moved"},
    User: {"password", "last_login"},
}
"""What people enter, each with the fields that machines write or that are nobody's business."""


def follow_changes() -> None:
    """Have every change of what people enter written down; called once, when the process starts."""
    for model, left_out in FOLLOWED.items():
        auditlog.register(
            model,
            # named one by one: the library takes the rows that point here for fields
            include_fields=[field.name for field in model._meta.concrete_fields if field.name not in left_out],
            m2m_fields=[field.name for field in model._meta.many_to_many if _is_field_alone(field)],
        )


def _is_field_alone(field: models.ManyToManyField[Any, Any]) -> bool:
    """Whether no model of ours, followed itself, stands between the two."""
    through = field.remote_field.through
    return bool(through and through._meta.auto_created)
