"""Encryption of secrets that the portal has to read again (Fernet: AES-128-CBC with HMAC-SHA256).

The keys are derived from SECRET_KEY, one for each purpose. The keys in SECRET_KEY_FALLBACKS still decrypt.
"""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


class UnreadableSecretError(Exception):
    """Error for a secret that was encrypted with a key that the portal no longer has."""


def encrypt(secret: str, purpose: bytes) -> str:
    """Return a secret as it is stored."""
    return _make_cipher(purpose).encrypt(secret.encode()).decode()


def decrypt(stored: str, purpose: bytes) -> str:
    """Return a stored secret. UnreadableSecretError: none of the portal's keys decrypts it."""
    try:
        return _make_cipher(purpose).decrypt(stored.encode()).decode()
    except InvalidToken:
        raise UnreadableSecretError from None


def _make_cipher(purpose: bytes) -> MultiFernet:
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return MultiFernet([Fernet(_derive_key(key, purpose)) for key in keys])


def _derive_key(secret_key: str, purpose: bytes) -> bytes:
    derived = HKDF(SHA256(), 32, salt=None, info=purpose).derive(secret_key.encode())
    return base64.urlsafe_b64encode(derived)
