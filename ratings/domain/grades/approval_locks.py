"""Locks on approvals, and the version that a form sends of the page on which it was shown."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from ratings.models import Approval, Player, RatingList


def get_form_version(case: Approval) -> str:
    """Return the version that an approval's page sends with its forms, which changes with every step."""
    return f"{case.state}.{case.steps.count()}"


def check_unchanged(case: Approval, version: str) -> None:
    """Lock an approval and compare it with the version on the page from which a form was sent.

    An empty version is not compared, since API clients send none. Raise ValidationError if there was a step since.
    """
    if version and version != get_form_version(lock_approval(case)):
        raise ValidationError(
            _("Nothing was done: this approval has been changed since you opened the page. It is shown as it is now.")
        )


def lock_in_state(case: Approval, *states: str) -> Approval:
    """Return a locked approval; raise ValidationError unless it is in one of the states."""
    stored = lock_approval(case)
    if stored.state not in states or stored.player_id != case.player_id:
        raise ValidationError(_("This has been settled meanwhile: %(state)s.") % {"state": stored.get_state_display()})
    return stored


def lock_approval(case: Approval) -> Approval:
    """Return the stored approval, locked in the same order as merging does: player, list, approval."""
    list(Player.objects.select_for_update(no_key=True).filter(pk=case.player_id))
    RatingList.objects.select_for_update().get(pk=case.list_id)
    approvals = Approval.objects.select_for_update(of=("self",)).select_related(
        "list", "player", "table__event", "decision", "answered_link"
    )
    stored: Approval = approvals.get(pk=case.pk)
    return stored
