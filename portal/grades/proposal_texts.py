"""Texts of proposals, for the officer who confirms them."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from ratings.domain.grades.proposals import KINDS
from ratings.localize import join_parts
from ratings.models import Proposal, Table

HIDDEN = ("list_id", "player_id", "made_by_id")


def describe_proposal(proposal: Proposal) -> list[tuple[str, str, str]]:
    """Return label, stored value and proposed value of every field that the proposal sets or changes."""
    model = KINDS[proposal.kind]
    lines = []
    for field in model._meta.concrete_fields:
        before, after = proposal.before.get(field.attname), proposal.content.get(field.attname)
        if field.attname in HIDDEN or field.primary_key or (before == after and proposal.what != "remove"):
            continue
        if before in (None, "") and after in (None, ""):
            continue
        lines.append((str(field.verbose_name), _format_value(field.name, before), _format_value(field.name, after)))
    return lines


def _format_value(name: str, value: Any) -> str:
    if value in (None, ""):
        return ""
    if name == "before":
        return str(Table.objects.select_related("event").filter(pk=value).first() or value)
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, dict):
        return join_parts(f"{key}: {item}" for key, item in sorted(value.items()))
    return str(_(value)) if name == "ruling" else str(value)
