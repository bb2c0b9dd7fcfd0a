"""Subscriptions of webhooks: creating, changing, pausing, testing and replaying them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.access import Action, may
from ratings.models import ChangeKind, Federation, WebhookDelivery, WebhookSubscription

from .acting import acting_user
from .mails import queue_mail
from .outbox import register_composer
from .webhook_delivery import DISABLED
from .webhook_queue import send_ping_soon, send_soon
from .webhook_secrets import encrypt_secret, new_secret
from .webhook_sending import check_address

State, Status = WebhookSubscription.State, WebhookDelivery.Status
OVERLAP_DAYS = 3
"""Days for which the previous secret also signs after a new one was created."""
MAX_SUBSCRIPTIONS = 20
"""Maximum number of webhooks of a federation."""


def check_subscription(subscription: WebhookSubscription) -> None:
    """Raise ValidationError for an address that is not allowed, or without known kinds of changes."""
    check_address(subscription.address)
    if not subscription.kinds or not set(subscription.kinds) <= set(ChangeKind.values):
        raise ValidationError({"kinds": _("Choose at least one kind of change.")})


@transaction.atomic
def create_subscription(subscription: WebhookSubscription) -> str:
    """Save a new subscription and return its secret, which cannot be displayed again.

    ValidationError: it is not valid, or the federation has MAX_SUBSCRIPTIONS already.
    """
    others = WebhookSubscription.objects.filter(federation=subscription.federation, deleted_at=None)
    if others.count() >= MAX_SUBSCRIPTIONS:
        raise ValidationError(_("At most %(number)d webhooks are possible.") % {"number": MAX_SUBSCRIPTIONS})
    secret = new_secret()
    subscription.secret = encrypt_secret(secret)
    check_subscription(subscription)
    subscription.full_clean()
    subscription.save()
    return secret


@transaction.atomic
def save_subscription(subscription: WebhookSubscription) -> None:
    """Save the changed fields of a subscription. ValidationError: it is not valid."""
    check_subscription(subscription)
    subscription.full_clean()
    subscription.save()


@transaction.atomic
def rotate_secret(subscription: WebhookSubscription) -> str:
    """Give a subscription a new secret and return it; messages are signed with both for OVERLAP_DAYS."""
    locked = _lock(subscription)
    secret = new_secret()
    locked.previous_secret, locked.secret = locked.secret, encrypt_secret(secret)
    locked.previous_until = timezone.now() + dt.timedelta(days=OVERLAP_DAYS)
    locked.save()
    return secret


@transaction.atomic
def end_overlap(subscription: WebhookSubscription) -> None:
    """Delete the previous secret of a subscription at once, as after a leak."""
    locked = _lock(subscription)
    locked.previous_secret, locked.previous_until = "", None
    locked.save()


@transaction.atomic
def pause_subscription(subscription: WebhookSubscription) -> None:
    """Stop sending to a subscription; its deliveries are stored and wait until it is resumed."""
    locked = _lock(subscription)
    if locked.state == State.ACTIVE:
        locked.state = State.PAUSED
        locked.save()


@transaction.atomic
def resume_subscription(subscription: WebhookSubscription) -> None:
    """Send to a paused subscription, or one that was switched off, again; what waits is sent at once, in order."""
    locked = _lock(subscription)
    locked.state = State.ACTIVE
    locked.save()
    _try_now(locked)


@transaction.atomic
def delete_subscription(subscription: WebhookSubscription) -> None:
    """Delete a subscription; it can be restored for RESTORE_DAYS."""
    locked = _lock(subscription)
    if locked.deleted_at is None:
        locked.deleted_at = timezone.now()
        locked.save()


@transaction.atomic
def restore_subscription(subscription: WebhookSubscription) -> None:
    """Restore a deleted subscription, paused or active as it was before."""
    locked = _lock(subscription)
    if locked.deleted_at is not None:
        locked.deleted_at = None
        locked.save()
        _try_now(locked)


@transaction.atomic
def send_test_message(subscription: WebhookSubscription) -> WebhookDelivery:
    """Store a test message, which is sent once and at once, whatever else waits, and return its delivery."""
    delivery = WebhookDelivery.objects.create(subscription=subscription, kind=WebhookDelivery.PING)
    send_ping_soon(delivery.pk)
    return delivery


@transaction.atomic
def replay_delivery(delivery: WebhookDelivery) -> bool:
    """Send a delivery again with the same id and number; return False if it is a test message or waits anyway."""
    replayed = _replay(delivery.subscription, pk=delivery.pk)
    return bool(replayed)


@transaction.atomic
def replay_since(subscription: WebhookSubscription, since: dt.datetime) -> int:
    """Send all deliveries since a time again, in their order and with the same ids; return their number."""
    return _replay(subscription, created_at__gte=since)


def _replay(subscription: WebhookSubscription, **which: object) -> int:
    rows = subscription.deliveries.filter(**which).exclude(kind=WebhookDelivery.PING).exclude(status=Status.WAITING)
    number = rows.update(
        status=Status.WAITING,
        attempts=0,
        first_tried_at=None,
        tried_at=None,
        milliseconds=None,
        response_status=None,
        error="",
    )
    if number:
        _try_now(subscription)
    return number


def _lock(subscription: WebhookSubscription) -> WebhookSubscription:
    """Return a subscription as it is stored now, with its row locked until the transaction ends."""
    return WebhookSubscription.objects.select_for_update(no_key=True).get(pk=subscription.pk)


def _try_now(subscription: WebhookSubscription) -> None:
    """Try the first waiting delivery at once, and begin to count failures anew."""
    rows = WebhookSubscription.objects.filter(pk=subscription.pk)
    rows.update(failing_since=None, failures=0, next_try_at=timezone.now())
    send_soon(subscription.pk)


def possible_owners(federation: Federation, subscription: WebhookSubscription | None = None) -> list[User]:
    """Return the users who can own a webhook: administrators of the federation, acting user, present owner."""
    owners = {user.pk: user for user in federation.administrators.filter(is_active=True)}
    for user in (acting_user(), subscription.owner if subscription else None):
        if user is not None:
            owners.setdefault(user.pk, user)
    return sorted(owners.values(), key=lambda user: user.username)


@register_composer(DISABLED)
def send_disabled_mail(subscription_id: int) -> None:
    """Mail to the owner that a webhook was switched off, and how to resume it."""
    subscription = WebhookSubscription.objects.select_related("federation", "owner").get(pk=subscription_id)
    last = subscription.deliveries.exclude(error="").order_by("-tried_at").first()
    names = {"name": subscription.name, "address": subscription.address}
    if last is not None and last.error == WebhookDelivery.Error.GONE:
        what = _("The webhook “%(name)s” was switched off: %(address)s answered that it is gone (410).") % names
    else:
        what = _("The webhook “%(name)s” was switched off: for a week, nothing could be delivered to %(address)s.")
        what %= names
    error = _("The last error: %(error)s") % {"error": last.get_error_display()} if last is not None else ""
    how = _(
        "When the program works again, open this page, send a test message and choose “Resume”. The stored messages"
        " are then sent in order. Messages are stored for %(days)d days."
    )
    queue_mail(
        sorted({user.email for user in _find_recipients(subscription) if user.email}),
        _("The webhook “%(name)s” was switched off") % names,
        what,
        error,
        how % {"days": settings.WEBHOOK_DAYS},
        path=reverse("webhook", args=[subscription.federation.slug, subscription.pk]),
        federation=subscription.federation,
    )


def _find_recipients(subscription: WebhookSubscription) -> Iterable[User]:
    """Return the owner if they may still change the subscription, else those who may: administrators."""
    owner, federation = subscription.owner, subscription.federation
    if owner is not None and owner.is_active and may(owner, Action.MANAGE_WEBHOOKS, federation):
        return [owner]
    return federation.administrators.filter(is_active=True) or User.objects.filter(is_active=True, is_superuser=True)
