"""Keys with which the site signs the logs of its lists: creating, changing, signing.

The private part is stored encrypted with a key derived from SECRET_KEY, so that whoever writes into the database cannot
sign.
"""

from __future__ import annotations

import secrets
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from ratings.domain.site.encryption import UnreadableSecretError, decrypt, encrypt
from ratings.formats.proof.key_file import KeyChange, sign_key_change
from ratings.formats.proof.notes import NAME, Signature, make_verifier_key, parse_key, sign_text
from ratings.models import LogKey

PURPOSE = b"keys of the logs"
KEY_BYTES = 32


class LogKeyError(Exception):
    """Error for a key that cannot be created or read."""


def site_name() -> str:
    """Return the name of the site in logs and keys: its address without a scheme."""
    address = urlsplit(settings.SITE_ADDRESS)
    return f"{address.netloc}{address.path}"


@transaction.atomic
def create_key(name: str = "", *, lost: bool = False) -> LogKey:
    """Create a key, which signs from now on, and return it; the key before it signs the change, unless it is `lost`.

    LogKeyError: the name is invalid, or the key before it cannot be read.
    """
    name = name or site_name()
    if not NAME.fullmatch(name):
        raise LogKeyError(f"Invalid name {name!r}: a name has no spaces and no “+”.")
    before = LogKey.objects.select_for_update().last()
    private = secrets.token_bytes(KEY_BYTES)
    public = make_verifier_key(name, private)
    change = ""
    if before is not None and not lost:
        try:
            old = _read_private(before)
        except UnreadableSecretError:
            raise LogKeyError(
                "The current key cannot be decrypted with this SECRET_KEY. Add the former SECRET_KEY to"
                " SECRET_KEY_FALLBACKS, or create a key that the current one does not sign: log_key --create --lost."
            ) from None
        change = str(sign_key_change(KeyChange(timezone.now(), parse_key(before.public), public), old, private))
    return LogKey.objects.create(name=name, public=str(public), private=encrypt(private.hex(), PURPOSE), change=change)


def create_first_key() -> LogKey | None:
    """Create the key of a site that has none, at the end of its set-up; return None if there is one."""
    return None if LogKey.objects.exists() else create_key()


def _read_private(key: LogKey) -> bytes:
    """Return the private part of a key. UnreadableSecretError: it is encrypted with another SECRET_KEY."""
    return bytes.fromhex(decrypt(key.private, PURPOSE))


def read_current_key() -> tuple[str, bytes] | None:
    """Return name and private part of the key that signs; None without a key.

    UnreadableSecretError: it is encrypted with another SECRET_KEY.
    """
    key = LogKey.objects.last()
    return None if key is None else (key.name, _read_private(key))


def find_readable_key() -> tuple[str, bytes] | None:
    """Return name and private part of the key that signs; None without a key that can be read."""
    try:
        return read_current_key()
    except UnreadableSecretError:
        return None


def sign(text: str) -> Signature | None:
    """Return the signature of a text by the present key; None if there is none that can be read."""
    key = find_readable_key()
    return None if key is None else sign_text(text, *key)
