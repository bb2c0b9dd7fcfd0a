"""Creating, using and revoking API keys, with which programs act for an organiser."""

from __future__ import annotations

import datetime as dt
import secrets
from collections.abc import Collection, Iterable
from typing import Any

from django.contrib.auth.hashers import is_password_usable
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Q
from django.db.models.signals import m2m_changed, pre_save
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from ratings.access import administered_federations, is_officer, lacks_second_factor
from ratings.localize import format_day, join_parts
from ratings.models import ApiKey
from ratings.secret_digests import digest_secret

from .mails import queue_mail
from .outbox import notify, register_composer

PREFIX_LENGTH = 8
USE_RECORD_INTERVAL = dt.timedelta(minutes=1)
DAYS = 180
"""Default validity of a key in days."""
USUAL_SCOPES = (ApiKey.Scope.READ, ApiKey.Scope.EVENTS, ApiKey.Scope.RESULTS)


@transaction.atomic
def create_key(
    owner: User, label: str, *, scopes: Collection[str] = USUAL_SCOPES, days: int = DAYS
) -> tuple[ApiKey, str]:
    """Create a key and return it with its secret, which cannot be displayed again; its owner is notified by mail.

    ValidationError: there is no scope, a scope that this user cannot give, or a validity of more than a year.
    """
    if ApiKey.Scope.ALL_EVENTS in scopes and not may_give_all_events(owner):
        raise ValidationError({"scopes": _("Only rating officers can create a key for all events of their lists.")})
    if ApiKey.Scope.WEBHOOKS in scopes and not may_give_webhooks(owner):
        raise ValidationError({"scopes": _("Only administrators of a federation can create a key for its webhooks.")})
    secret = f"rk_{secrets.token_urlsafe(32)}"
    expires_at = timezone.now() + dt.timedelta(days=days)
    key = ApiKey(
        owner=owner, label=label, prefix=secret[:PREFIX_LENGTH], digest=digest_secret(secret), expires_at=expires_at
    )
    key.scopes = sorted(scopes)
    key.full_clean()
    key.save()
    notify("key", key.pk)
    return key, secret


def may_give_all_events(user: User) -> bool:
    """Return whether a user can make a key for all events of their lists."""
    return is_officer(user) and not lacks_second_factor(user)


def may_give_webhooks(user: User) -> bool:
    """Return whether a user can make a key that reads the log of their webhooks."""
    return administered_federations(user).exists() and not lacks_second_factor(user)


@register_composer("key")
def send_key(key_id: int) -> None:
    """Send the owner of a new key a mail, which says what to do if they did not create it."""
    key = ApiKey.objects.select_related("owner").filter(pk=key_id).first()
    if key is None:
        return
    subject = _("A new API key was created for your account")
    what = _("Key: %(key)s. Allowed to: %(scopes)s. Valid until %(day)s.") % {
        "key": key,
        "scopes": join_parts(key.scope_labels),
        "day": format_day(key.expires_at.date()),
    }
    hint = _("If you did not create it, revoke it here and change your password:")
    queue_mail([key.owner.email], subject, what, hint, path=reverse("keys"))


def revoke_key(key: ApiKey) -> None:
    if key.revoked_at is None:
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at"])


def revoke_keys_of(users: Iterable[Any]) -> None:
    """Revoke all keys of some users; each change is recorded in the audit trail."""
    for key in ApiKey.objects.filter(owner__in=list(users), revoked_at=None):
        revoke_key(key)


def valid_key(secret: str) -> ApiKey | None:
    """Return the key with this secret; None if it is unknown, revoked or expired, or its owner's account is closed."""
    known = ApiKey.objects.filter(digest=digest_secret(secret), revoked_at=None, owner__is_active=True)
    key = known.select_related("owner").first()
    now = timezone.now()
    if key is None or now >= key.expires_at:
        return None
    not_recently_noted = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_RECORD_INTERVAL)
    ApiKey.objects.filter(not_recently_noted, pk=key.pk).update(last_used_at=now)
    return key


def connect_signals() -> None:
    """Connect signals that revoke keys whenever their owner changes the password, loses a role or is locked out."""
    pre_save.connect(_revoke_before_save, sender=User, dispatch_uid="revoke_keys_of_user")
    for through in (User.groups.through, User.user_permissions.through):
        m2m_changed.connect(_revoke_after_loss, sender=through, dispatch_uid=f"revoke_keys_{through.__name__}")


def _revoke_before_save(
    instance: User,
    update_fields: Collection[str] | None = None,
    **more: Any,  # noqa: ARG001 - sent by the signal
) -> None:
    concerned = {"password", "is_active", "is_superuser", "is_staff"}
    if instance.pk is None or (update_fields is not None and not concerned & set(update_fields)):
        return
    old = User.objects.filter(pk=instance.pk).values("password", "is_active", "is_superuser", "is_staff").first()
    if old is None:
        return
    # Django can rehash a password at log-in, without setting `_password`: this does not count as a change
    changed = instance._password is not None and old["password"] != instance.password  # type: ignore[attr-defined] # noqa: SLF001
    disabled = is_password_usable(old["password"]) and not is_password_usable(instance.password)
    lost_role = any(old[name] and not getattr(instance, name) for name in ("is_active", "is_superuser", "is_staff"))
    if changed or disabled or lost_role:
        revoke_keys_of([instance])


def _revoke_after_loss(
    instance: User | Group,
    action: str,
    *,
    reverse: bool,
    pk_set: Collection[int] | None,
    **more: Any,  # noqa: ARG001 - sent by the signal
) -> None:
    if action == "pre_clear" and reverse:
        revoke_keys_of(instance.user_set.all())  # type: ignore[union-attr] # a group or a permission
    elif action == "pre_clear":
        revoke_keys_of([instance])
    elif action == "post_remove" and pk_set:
        revoke_keys_of(User.objects.filter(pk__in=pk_set) if reverse else [instance])
