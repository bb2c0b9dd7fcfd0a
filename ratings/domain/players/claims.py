"""Players who claim their page: asked by a user, answered by an officer, given up or taken back."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.models import Claim, Player

from .acting import acting_user
from .mails import officers, post
from .wake import wake


@transaction.atomic
def claim(player: Player, user: User, note: str) -> Claim:
    """Say that a player's page is one's own; the officers are told. ValidationError if it cannot be."""
    User.objects.select_for_update().get(pk=user.pk)  # of two claims at once the second meets the first
    check_claim(player, user)
    made = Claim(player=player, user=user, note=note.strip())
    made.full_clean()
    made.save()
    wake("ratings.mail_claim", made.pk)
    return made


def check_claim(player: Player, user: User) -> None:
    """ValidationError if this user cannot have this page."""
    player = Player.objects.get(pk=player.pk)
    if player.merged_into_id is not None:
        raise ValidationError(_("This player was merged with another; claim the page of that one."))
    if player.account_id is not None:
        raise ValidationError(_("This page has an account already. If it is yours, write to the officers."))
    if Player.objects.filter(account=user).exists():
        raise ValidationError(_("Your account has a page already; give that one up first."))
    if Claim.objects.filter(user=user, state=Claim.State.OPEN).exists():
        raise ValidationError(_("You have claimed a page already; wait for the answer."))


@transaction.atomic
def answer_claim(claim: Claim, *, granted: bool, answer: str = "") -> None:
    """Give the page to who claims it, or decline in words; he is told by mail."""
    claim = Claim.objects.select_for_update().get(pk=claim.pk)
    if claim.state != Claim.State.OPEN:
        raise ValidationError(_("This claim was answered already."))
    if granted and claim.user == acting_user():
        raise ValidationError(_("Nobody grants his own claim; another officer answers it."))
    if granted:
        _give_page(claim)
    elif not answer.strip():
        raise ValidationError(_("Say why it is declined."))
    claim.state = Claim.State.GRANTED if granted else Claim.State.DECLINED
    claim.answer = answer.strip()
    claim.answered_by, claim.answered_at = acting_user(), timezone.now()
    claim.full_clean()
    claim.save()
    wake("ratings.mail_claim", claim.pk)


def _give_page(claim: Claim) -> None:
    player = Player.objects.select_for_update().get(pk=claim.player_id)
    User.objects.select_for_update().get(pk=claim.user_id)
    if player.merged_into_id is not None:
        raise ValidationError(_("This player was merged with another meanwhile; decline, so that he claims that page."))
    if player.account_id is not None:
        raise ValidationError(_("This page has an account already; take it back first, or decline."))
    if Player.objects.filter(account=claim.user_id).exists():
        raise ValidationError(_("This user has another page already; take it back first, or decline."))
    Player.objects.filter(pk=player.pk).update(account=claim.user_id)


@transaction.atomic
def release(player: Player) -> None:
    """Take the account off a page; how it is shown stays."""
    Player.objects.filter(pk=player.pk).update(account=None)
    player.account = None


def send_claim(claim_id: int) -> None:
    """Tell the officers of a new claim, or who claimed of the answer."""
    claim = Claim.objects.select_related("player", "user").filter(pk=claim_id).first()
    if claim is None:
        return
    if claim.state == Claim.State.OPEN:
        people = sorted({user.email for user in officers() if user.email})
        name, text, address = claim.player.name, claim.note, "/organise/claims/"
    else:
        people, name, text, address = [claim.user.email], claim.player.public_name, claim.answer, "/me/"
    subject = _("Claim of the page of %(player)s: %(state)s") % {"player": name, "state": claim.get_state_display()}
    post(people, subject, subject, text, path=address)
