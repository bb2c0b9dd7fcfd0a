"""Claims of players' pages: made by a user, answered by an officer, and given up or taken back."""

from __future__ import annotations

from collections.abc import Iterator

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.domain.lists.list_permissions import check_officer
from ratings.domain.site.acting import acting_user
from ratings.domain.site.mails import get_officers, queue_mail
from ratings.domain.site.outbox import notify, register_composer
from ratings.domain.site.recording import lock_step, record_step, record_undo
from ratings.models import Claim, Player, RecordedStep

from .descriptions import describe_player

ANSWERED = RecordedStep.What.CLAIM_ANSWERED


@transaction.atomic
def create_claim(player: Player, user: User, note: str) -> Claim:
    """Claim a player's page for a user and notify the officers. ValidationError: the user cannot claim the page."""
    User.objects.select_for_update().get(pk=user.pk)  # of two simultaneous claims, the second finds the first
    check_claim(player, user)
    new_claim = Claim(player=player, user=user, note=note.strip())
    new_claim.full_clean()
    new_claim.save()
    notify("claim", new_claim.pk)
    return new_claim


def check_claim(player: Player, user: User) -> None:
    """Raise ValidationError if a user cannot have a player's page."""
    player = Player.objects.get(pk=player.pk)
    if player.merged_into_id is not None:
        raise ValidationError(_("This player was merged with another player. Claim that player's page."))
    if player.erased_at is not None:
        raise ValidationError(_("This person's data was erased, so the page cannot be claimed."))
    if player.account_id is not None:
        raise ValidationError(
            _("This page already belongs to an account. If it is yours, write to the rating officers.")
        )
    if Player.objects.filter(account=user).exists():
        raise ValidationError(_("Your account already has a page. Release that page first."))
    if Claim.objects.filter(user=user, state=Claim.State.OPEN).exists():
        raise ValidationError(_("You have already claimed a page. Wait for the answer."))


@transaction.atomic
def answer_claim(claim: Claim, *, granted: bool, answer: str = "") -> None:
    """Grant a claim, or decline it with an answer; the user is notified by mail."""
    claim = Claim.objects.select_for_update().get(pk=claim.pk)
    if claim.state != Claim.State.OPEN:
        raise ValidationError(_("This claim was already answered."))
    if granted and claim.user == acting_user():
        raise ValidationError(_("Another officer must answer your claim."))
    if granted:
        _give_page(claim)
    elif not answer.strip():
        raise ValidationError(_("Enter the reason for declining."))
    claim.state = Claim.State.GRANTED if granted else Claim.State.DECLINED
    claim.answer = answer.strip()
    claim.answered_by, claim.answered_at = acting_user(), timezone.now()
    claim.full_clean()
    claim.save()
    record_step(ANSWERED, {"claim": claim.pk, "state": claim.state}, player=claim.player, reason=claim.answer)
    notify("claim", claim.pk)


@transaction.atomic
def withdraw_claim(claim: Claim) -> None:
    """Withdraw a claim that has no answer yet; the page can be claimed again.

    Raise ValidationError if the claim was answered or withdrawn already.
    """
    claim = Claim.objects.select_for_update().get(pk=claim.pk)
    if claim.state == Claim.State.WITHDRAWN:
        raise ValidationError(_("This claim was already withdrawn."))
    if claim.state != Claim.State.OPEN:
        raise ValidationError(_("This claim was already answered."))
    claim.state = Claim.State.WITHDRAWN
    claim.save(update_fields=["state"])


@transaction.atomic
def undo_answer(step: RecordedStep, *, reason: str = "") -> None:
    """Undo the answer to a claim: a granted page is taken back, a declined claim waits again.

    The person who claimed the page gets a mail when it is taken back. ValidationError: the page has gone elsewhere, the
    claim cannot wait any more, it is the officer's own claim, or the reason for taking a page back is missing.
    """
    check_officer()
    player = Player.objects.select_for_update().get(recorded_steps=step)
    step = lock_step(step, ANSWERED)
    claim = Claim.objects.select_for_update().filter(pk=step.values["claim"]).first()
    refusal = answer_undo_problem(step, player, claim)
    if claim is None or refusal:
        raise ValidationError(refusal)
    if claim.state == Claim.State.GRANTED:
        if not reason.strip():
            raise ValidationError(_("Enter a reason: it is sent to the person who claimed the page."))
        Player.objects.filter(pk=player.pk).update(account=None)
        claim.state, claim.answer = Claim.State.RELEASED, reason.strip()
        claim.answered_by, claim.answered_at = acting_user(), timezone.now()
    else:
        claim.state, claim.answer, claim.answered_by, claim.answered_at = Claim.State.OPEN, "", None, None
    claim.full_clean()
    claim.save()
    record_undo(step, reason.strip())
    notify("claim", claim.pk)


def answer_undo_problem(step: RecordedStep, player: Player, claim: Claim | None) -> str:
    """Return why the acting user cannot undo the answer to a claim now; empty if they can."""
    if claim is None:
        return _("The account was deleted, and its claim with it.")
    return next(_refusals(step, player, claim), "")


def _refusals(step: RecordedStep, player: Player, claim: Claim) -> Iterator[str]:
    if claim.user == acting_user():
        yield _("Users cannot undo the answer to their own claim; ask another officer.")
    if claim.state != step.values["state"]:
        yield _("This claim was answered again later.")
    if claim.state == Claim.State.GRANTED:
        if player.account_id != claim.user_id and player.merged_into_id is not None:
            yield _("This player was merged into another; undo that merge first.")
        if player.account_id != claim.user_id:
            yield _("The page does not belong to this account any more.")
        return
    try:
        check_claim(player, claim.user)
    except ValidationError as error:
        yield " ".join(error.messages)


def _give_page(claim: Claim) -> None:
    player = Player.objects.select_for_update().get(pk=claim.player_id)
    User.objects.select_for_update().get(pk=claim.user_id)
    if player.merged_into_id is not None:
        raise ValidationError(
            _("This player has been merged with another player. Decline, so that the person can claim that page.")
        )
    if player.account_id is not None:
        raise ValidationError(_("This page already belongs to an account. Disconnect it first, or decline."))
    if Player.objects.filter(account=claim.user_id).exists():
        raise ValidationError(_("This user already has another page. Disconnect it first, or decline."))
    Player.objects.filter(pk=player.pk).update(account=claim.user_id)


@transaction.atomic
def release_page(player: Player) -> None:
    """Remove the account from a player's page; the player's visibility stays."""
    account = Player.objects.select_for_update(no_key=True).values_list("account", flat=True).get(pk=player.pk)
    if account is not None:
        Player.objects.filter(pk=player.pk).update(account=None)
        record_step(RecordedStep.What.PAGE_RELEASED, {"user": account}, player=player)
    player.account = None


@register_composer("claim")
def send_claim_mails(claim_id: int) -> None:
    """Send the mails about a claim: a new one to the officers, an answered one to its user."""
    claim = Claim.objects.select_related("player", "user").filter(pk=claim_id).first()
    if claim is None or claim.state == Claim.State.WITHDRAWN:
        return
    if claim.state == Claim.State.OPEN:
        people = sorted({user.email for user in get_officers() if user.email})
        name, text, address = claim.player.name, claim.note, "/organise/claims/"
        next_step = _("Grant or decline the claim on this page:")
    else:
        people, name, text, address = [claim.user.email], claim.player.public_name, claim.answer, "/me/"
        next_step = _("Your page, and what you can do with it:")
    player_lines = describe_player(claim.player, is_public=claim.state != Claim.State.OPEN)
    subject = _("Claim of the page of %(player)s: %(state)s") % {"player": name, "state": claim.get_state_display()}
    facts = "\n".join([player_lines, _("User: %(user)s") % {"user": claim.user}])
    queue_mail(people, subject, facts, text, next_step, path=address)
