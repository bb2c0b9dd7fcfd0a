"""Deletion of expired data by the rules of `retention_rules.py`."""

from __future__ import annotations

import datetime as dt

from auditlog.context import disable_auditlog
from django.db import transaction
from django.utils import timezone

from ratings.batches import in_batches

from .retention_rules import RETENTION_RULES, RetentionRule


def count_expired() -> dict[str, int]:
    """Return the number of rows that the next nightly task deletes or empties, by the key of the rule."""
    return {rule.key: rule.rows(until).count() for rule, until in _limited_rules()}


def delete_expired() -> dict[str, int]:
    """Delete or empty all expired rows, and return their numbers by the key of the rule.

    Each batch is a transaction of its own, so that the work can be stopped and started again at any time. The audit
    trail does not record it: it would store what is deleted.
    """
    return {rule.key: _delete_rows(rule, until) for rule, until in _limited_rules()}


def _limited_rules() -> list[tuple[RetentionRule, dt.datetime]]:
    """Return the rules with a period, each with the time before which its rows are expired."""
    now = timezone.now()
    return [(rule, now - dt.timedelta(days=rule.days)) for rule in RETENTION_RULES if rule.days is not None]


def _delete_rows(rule: RetentionRule, until: dt.datetime) -> int:
    number = 0
    for batch in in_batches(list(rule.rows(until).order_by("pk").values_list("pk", flat=True))):
        with transaction.atomic(), disable_auditlog():
            rows = rule.rows(until).filter(pk__in=batch)  # some may have been changed meanwhile
            if rule.emptied is not None:
                number += rows.update(**rule.emptied)
            else:
                pks = list(rows.values_list("pk", flat=True))
                rows.model._default_manager.filter(pk__in=pks).delete()
                number += len(pks)
    return number
