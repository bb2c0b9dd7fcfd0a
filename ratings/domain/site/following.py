"""Following players, clubs, events and lists: starting, stopping, and how often mails are sent."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.contrib.auth.models import User
from django.core import signing
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext as _

from ratings.models import Follow, FollowedChange, FollowSettings, MailFrequency, Player
from ratings.queries.site.following import FIELDS, Target, find_follow, followable

MAX_FOLLOWS = 200
"""Maximum number of pages that a user follows."""
SALT = "unsubscribe from mails about followed pages"


@transaction.atomic
def follow(user: User, target: Target, frequency: str = MailFrequency.AT_ONCE) -> Follow:
    """Let a user follow something; if they do already, nothing changes.

    ValidationError: it cannot be followed, or the user follows MAX_FOLLOWS pages already.
    """
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # of two requests, the second finds the first
    existing = find_follow(user, target)
    if existing is not None:
        return existing
    name = FIELDS[type(target)]
    if not followable(name).filter(pk=target.pk).exists():
        raise ValidationError(_("This page cannot be followed."))
    if Follow.objects.filter(user=user).count() >= MAX_FOLLOWS:
        message = _("You follow %(number)d pages, which is the limit. Stop following one of them first.")
        raise ValidationError(message % {"number": MAX_FOLLOWS})
    new_follow = Follow(user=user, frequency=frequency, **{name: target})
    new_follow.full_clean()
    new_follow.save()
    return new_follow


@transaction.atomic
def stop_following(user: User, pk: int) -> Follow | None:
    """Let a user stop following something, and return the deleted row; None if they do not follow it."""
    existing = Follow.objects.filter(user=user, pk=pk).first()
    if existing is not None:
        existing.delete()
    return existing


@transaction.atomic
def set_frequencies(user: User, frequencies: Mapping[int, str], own_corrections: str | None = None) -> None:
    """Set how often a user gets mails, by primary key of what they follow, and about their own corrections.

    Changes of pages without mails, which have not been mailed yet, are dropped. ValidationError: an unknown frequency.
    """
    if not {*frequencies.values(), own_corrections or MailFrequency.NEVER} <= set(MailFrequency.values):
        raise ValidationError(_("Choose how often you want emails."))
    for frequency in MailFrequency.values:
        chosen = [pk for pk, wanted in frequencies.items() if wanted == frequency]
        Follow.objects.filter(user=user, pk__in=chosen).exclude(frequency=frequency).update(frequency=frequency)
    FollowedChange.objects.filter(user=user, follow__frequency=MailFrequency.NEVER).delete()
    if own_corrections is not None:
        FollowSettings.objects.update_or_create(user=user, defaults={"own_corrections": own_corrections})
        if own_corrections == MailFrequency.NEVER:
            FollowedChange.objects.filter(user=user, follow=None).delete()


@transaction.atomic
def unsubscribe(user: User) -> None:
    """End all mails about what a user follows and about their own corrections; what they follow stays."""
    frequencies = dict.fromkeys(Follow.objects.filter(user=user).values_list("pk", flat=True), MailFrequency.NEVER)
    set_frequencies(user, frequencies, MailFrequency.NEVER)
    FollowedChange.objects.filter(user=user).delete()


def sign_unsubscribing(user: User) -> str:
    """Return the token of the link that ends a user's mails; it is valid as long as the account exists."""
    return signing.dumps(user.pk, salt=SALT)


def read_unsubscribing(token: str) -> User | None:
    """Return the user whose mails a link ends; None for an invalid token or a deleted account."""
    try:
        pk = signing.loads(token, salt=SALT)
    except signing.BadSignature:
        return None
    return User.objects.filter(pk=pk).first()


def drop_followers(players: Collection[Player]) -> None:
    """Delete what follows players who are anonymous or erased now, with the changes that were not mailed yet."""
    Follow.objects.filter(player__in=players).delete()


def move_followers(gone: Player, kept: Player) -> None:
    """Let those who follow a merged player follow the player they were merged into."""
    existing = Follow.objects.filter(player=kept).values("user")
    Follow.objects.filter(player=gone, user__in=existing).delete()
    Follow.objects.filter(player=gone).update(player=kept)
