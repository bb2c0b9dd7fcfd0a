"""Requests to erase a person: made by the person or an officer, confirmed by another officer, withdrawn or declined."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.domain.site.acting import acting_user
from ratings.domain.site.mails import get_officers, queue_mail
from ratings.domain.site.outbox import notify, register_composer
from ratings.domain.site.recording import lock_step, record_step, record_undo
from ratings.models import Player, RecordedStep
from ratings.queries.players.erasure_requests import find_open_request

REQUESTED = RecordedStep.What.ERASURE_REQUESTED


def check_erasable(player: Player) -> None:
    """Raise ValidationError if a player is merged into another one, or erased already."""
    if player.merged_into_id is not None:
        raise ValidationError(_("This player was merged into another player. Erase that player: this erases both."))
    if player.erased_at is not None:
        raise ValidationError(_("This person's data was already erased."))


@transaction.atomic
def request_erasure(player: Player, reason: str) -> RecordedStep:
    """Request that a person be erased, and notify the officers.

    PermissionDenied: the acting user is neither the player nor an officer. ValidationError: the player is erased or
    merged, a request waits already, or an officer gives no reason.
    """
    player = Player.objects.select_for_update().get(pk=player.pk)
    user = acting_user()
    is_own = user is not None and player.account_id == user.pk
    if not is_own and not may(user, Action.KEEP_PLAYERS):
        raise PermissionDenied
    check_erasable(player)
    if find_open_request(player) is not None:
        raise ValidationError(_("The erasure was already requested. Wait for the answer."))
    if not is_own and not reason.strip():
        raise ValidationError({"reason": _("Enter who requested the erasure, and when.")})
    step = record_step(REQUESTED, {"own": is_own}, player=player, reason=reason.strip())
    notify("erasure", step.pk)
    return step


@transaction.atomic
def end_request(step: RecordedStep, *, reason: str = "") -> None:
    """Withdraw a request as the person who made it, or decline it as an officer, with a reason for the person.

    ValidationError: it was ended before, the person is erased, or an officer gives no reason.
    PermissionDenied: the acting user is neither the player nor an officer.
    """
    player = Player.objects.select_for_update(no_key=True).get(recorded_steps=step)
    step = lock_step(step, REQUESTED)
    user = acting_user()
    is_withdrawn = user is not None and user.pk in (player.account_id, step.by_id)
    if not is_withdrawn and not may(user, Action.KEEP_PLAYERS):
        raise PermissionDenied
    if refusal := request_undo_problem(step):
        raise ValidationError(refusal)
    if not is_withdrawn and not reason.strip():
        raise ValidationError(_("Enter the reason for declining. It is sent to the person."))
    record_undo(step, reason.strip())
    if not is_withdrawn:
        notify("erasure", step.pk)


def request_undo_problem(step: RecordedStep) -> str:
    """Return why a request cannot be withdrawn or declined; empty if it can."""
    is_erased = step.player is not None and step.player.erased_at is not None
    return _("This person's data was already erased.") if is_erased else ""


def may_erase(user: Any, player: Player) -> bool:
    """Return whether a user may erase a person: an administrator, or an officer where somebody else requested it."""
    if may(user, Action.ERASE_PERSON):
        return True
    step = find_open_request(player)
    return step is not None and may_confirm(user, step)


def may_confirm(user: Any, step: RecordedStep) -> bool:
    """Return whether a user may erase the person of a request: an administrator, or an officer who did not make it."""
    return may(user, Action.ERASE_PERSON) or (step.by_id != user.pk and may(user, Action.KEEP_PLAYERS))


@register_composer("erasure")
def send_erasure_mails(step_id: int) -> None:
    """Send the mail about a new request to the officers, or about a declined one to the person."""
    step = RecordedStep.objects.select_related("player__account", "by").filter(pk=step_id).first()
    if step is None or step.player is None or step.player.erased_at is not None:
        return
    account = step.player.account
    if step.undone_at is None:
        people = sorted({user.email for user in get_officers() if user.email and user.pk != step.by_id})
        subject = _("Erasure requested: player %(id)s") % {"id": step.player.public_id}
        next_step, path = _("Erase the person or decline the request on this page:"), "/organise/erasures/"
        queue_mail(people, subject, str(step.reason), next_step, path=path)
    elif account is not None and step.undone_by_id != account.pk:
        subject = _("Your request for erasure was declined")
        queue_mail([account.email], subject, step.undone_reason, _("Your page:"), path="/me/")
