"""Keys by which programs act for an organiser: made, used, revoked."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone

from ratings.models import ApiKey

SHOWN = 8
USE_NOTED = dt.timedelta(minutes=1)


def make_key(owner: User, label: str) -> tuple[ApiKey, str]:
    """A new key and its secret, which nobody can be told again."""
    secret = f"rk_{secrets.token_urlsafe(32)}"
    key = ApiKey(owner=owner, label=label, prefix=secret[:SHOWN], digest=_digest(secret))
    key.full_clean()
    key.save()
    return key, secret


def revoke_key(key: ApiKey) -> None:
    if key.revoked_at is None:
        key.revoked_at = timezone.now()
        key.save(update_fields=["revoked_at"])


def owner_of(secret: str) -> User | None:
    """Whose key it is; None where it is unknown or revoked, or he is locked out."""
    known = ApiKey.objects.filter(digest=_digest(secret), revoked_at=None, owner__is_active=True)
    key = known.select_related("owner").first()
    if key is None:
        return None
    now = timezone.now()
    unnoted = Q(last_used_at=None) | Q(last_used_at__lt=now - USE_NOTED)
    ApiKey.objects.filter(unnoted, pk=key.pk).update(last_used_at=now)
    return key.owner


def _digest(secret: str) -> str:
    """A plain one is enough: the secret is chance, and nobody guesses 256 bits."""
    return hashlib.sha256(secret.encode()).hexdigest()
