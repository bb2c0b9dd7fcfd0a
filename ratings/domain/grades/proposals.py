"""Proposals of decisions, adjustments and prior grades, which wait until a second person confirms them."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.lists.adjustment_checks import check_adjusted_state
from ratings.domain.lists.adjustments import (
    delete_adjustment,
    save_adjustment,
    save_list_player,
)
from ratings.domain.site.acting import acting_user
from ratings.models import Adjustment, Decision, ListPlayer, Proposal, RatingList

from .grade_approval import GradeRecord, ListStart, check_list_player, get_decided_grade, get_list_start, is_own
from .grade_approval import check_list_record as check_grade

What, State = Proposal.What, Proposal.State
KINDS: dict[str, type[GradeRecord]] = {
    Proposal.Kind.DECISION: Decision,
    Proposal.Kind.ADJUSTMENT: Adjustment,
    Proposal.Kind.LIST_PLAYER: ListPlayer,
}
EXCLUDED_FIELDS = ("made_at", "version")


@transaction.atomic
def submit(row: GradeRecord) -> Proposal | None:
    """Save a record, or propose it if a second person has to confirm it; return the proposal or None."""
    if not needs_second(row):
        _save_record(row)
        return None
    check(row)
    what = What.ADD if row.pk is None else What.CHANGE
    return _propose(row, what, serialize_record(row))


@transaction.atomic
def submit_removal(row: Adjustment | Decision) -> Proposal | None:
    """Remove a record, or propose its removal if a second person has to confirm it; return the proposal or None."""
    if not row.list.four_eyes:
        delete_adjustment(row)
        return None
    return _propose(row, What.REMOVE, {})


def needs_second(row: GradeRecord) -> bool:
    """Return True if a second person has to confirm a record before it is saved."""
    by_option = row.list.four_eyes and not isinstance(row, ListPlayer)
    by_grade = row.list.second_approver and bool(get_decided_grade(row)) and _changes_grade(row)
    return by_option or by_grade


def check(row: GradeRecord) -> None:
    """Raise ValidationError if a record cannot be saved, even if a second person confirms it later."""
    start = get_list_start(row.list, proposing=True)
    if isinstance(row, ListPlayer):
        check_list_player(row, ListPlayer.objects.filter(pk=row.pk).first(), start)
    else:
        check_grade(row, start=start)
        check_adjusted_state(row)


def _changes_grade(row: GradeRecord) -> bool:
    """Return True unless the record is a player's list data whose stored version decides on the same grade."""
    stored = type(row)._default_manager.filter(pk=row.pk).first() if row.pk is not None else None
    return not isinstance(row, ListPlayer) or stored is None or get_decided_grade(stored) != get_decided_grade(row)


def _save_record(row: GradeRecord, start: ListStart | None = None) -> None:
    if isinstance(row, ListPlayer):
        save_list_player(row, start=start)
    else:
        save_adjustment(row, start=start)


def _propose(row: GradeRecord, what: str, content: dict[str, Any]) -> Proposal:
    user = acting_user()
    if user is None:
        raise ValidationError(_("Enter who signed."))
    kind = next(kind for kind, model in KINDS.items() if isinstance(row, model))
    if what != What.REMOVE:
        row.full_clean()
    proposal = Proposal(list=row.list, player=row.player, kind=kind, what=what, content=content, by=user)
    if what != What.ADD:
        stored = type(row)._default_manager.get(pk=row.pk)
        proposal.target, proposal.before = stored.pk, serialize_record(stored)
        if Proposal.objects.filter(kind=kind, target=stored.pk, state=State.WAITING).exists():
            raise ValidationError(_("Another change of this is already waiting for a second person."))
    proposal.full_clean()
    proposal.save()
    return proposal


@transaction.atomic
def confirm(proposal: Proposal) -> None:
    """Confirm another user's proposal and save its record, which the proposal then has as `target`.

    Raise ValidationError if the acting user made the proposal or is the player concerned, if the player was merged, if
    the stored record was changed meanwhile, or if the record is invalid now.
    """
    proposal = _lock_waiting(proposal)
    user = acting_user()
    if user is None or user == proposal.by:
        raise ValidationError(_("You proposed this. Another officer must confirm it."))
    if proposal.player is not None and is_own(proposal.player, user):
        raise ValidationError(_("This concerns you. Another officer must confirm it."))
    if proposal.player is not None and proposal.player.merged_into_id is not None:
        raise ValidationError(
            _("This player was merged with another player: withdraw this proposal, and enter it for that player.")
        )
    model = KINDS[proposal.kind]
    stored = model._default_manager.filter(pk=proposal.target).first() if proposal.target else None
    if proposal.target and (stored is None or serialize_record(stored) != proposal.before):
        raise ValidationError(_("This was changed meanwhile: withdraw the proposal, and enter it again."))
    if proposal.what == What.REMOVE:
        assert isinstance(stored, Adjustment | Decision)
        delete_adjustment(stored)
    else:
        empty = get_list_start(proposal.list).empty
        row = build_record(proposal, stored)
        _save_record(row, ListStart(proposal.list, empty, proposal.by, user))
        proposal.target = row.pk
    _close(proposal, State.CONFIRMED)


@transaction.atomic
def withdraw(proposal: Proposal) -> None:
    """Withdraw a proposal, as its author or as another officer who does not confirm it."""
    _close(_lock_waiting(proposal), State.WITHDRAWN)


def _lock_waiting(proposal: Proposal) -> Proposal:
    RatingList.objects.select_for_update().get(pk=proposal.list_id)
    proposals = Proposal.objects.select_for_update(of=("self",)).select_related("list", "player", "by")
    stored = proposals.get(pk=proposal.pk)
    if stored.state != State.WAITING:
        raise ValidationError(_("This has been settled meanwhile: %(state)s.") % {"state": stored.get_state_display()})
    return stored


def _close(proposal: Proposal, state: str) -> None:
    proposal.state, proposal.closed_by, proposal.closed_at = state, acting_user(), timezone.now()
    proposal.save()


def serialize_record(row: GradeRecord) -> dict[str, Any]:
    """Return the fields of a record as JSON values."""
    fields = (
        field for field in row._meta.concrete_fields if not field.primary_key and field.name not in EXCLUDED_FIELDS
    )
    return {field.attname: _get_json_value(field, row) for field in fields}


def _get_json_value(field: models.Field[Any, Any], row: GradeRecord) -> Any:
    value = getattr(row, field.attname)
    return value if isinstance(field, models.JSONField) or value is None else _convert_to_json(field, value)


def _convert_to_json(field: models.Field[Any, Any], value: Any) -> Any:
    """Return a field's value as JSON reads it back: dates as ISO strings, numbers as numbers."""
    value = field.to_python(value)
    return value.isoformat() if hasattr(value, "isoformat") else value


def build_record(proposal: Proposal, stored: GradeRecord | None = None) -> GradeRecord:
    """Return the unsaved record that a proposal would save."""
    model = KINDS[proposal.kind]
    row = stored or model()
    for field in model._meta.concrete_fields:
        if field.attname in proposal.content:
            value = proposal.content[field.attname]
            setattr(row, field.attname, value if isinstance(field, models.JSONField) else field.to_python(value))
    if proposal.what == What.ADD and not isinstance(row, ListPlayer):
        row.made_by = proposal.by
    return row
