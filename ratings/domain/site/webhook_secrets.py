"""Secrets of webhooks: how they are stored, and the signatures made with them (Standard Webhooks, version 1).

A secret signs messages, so it has to be readable: it is stored encrypted (Fernet: AES-128-CBC with HMAC-SHA256) with a
key derived from SECRET_KEY. The keys in SECRET_KEY_FALLBACKS still decrypt.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import secrets
from collections.abc import Iterable

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

PREFIX = "whsec_"
BYTES = 32


class UnreadableSecretError(Exception):
    """Error for a secret that was encrypted with a key that the portal no longer has."""


def new_secret() -> str:
    """Return a new secret as its owner gets it: `whsec_` and 32 random bytes in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(BYTES)).decode()


def encrypt_secret(secret: str) -> str:
    return _make_cipher().encrypt(secret.encode()).decode()


def decrypt_secret(stored: str) -> str:
    """Return a stored secret. UnreadableSecretError: none of the portal's keys decrypts it."""
    try:
        return _make_cipher().decrypt(stored.encode()).decode()
    except InvalidToken:
        raise UnreadableSecretError from None


def _make_cipher() -> MultiFernet:
    return MultiFernet([Fernet(_derive_key(key)) for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


def _derive_key(secret_key: str) -> bytes:
    derived = HKDF(SHA256(), 32, salt=None, info=b"secrets of webhooks").derive(secret_key.encode())
    return base64.urlsafe_b64encode(derived)


def sign_message(message_id: str, at: dt.datetime, body: bytes, signing_secrets: Iterable[str]) -> dict[str, str]:
    """Return the headers of a message that is sent at a time, with a signature by each secret."""
    timestamp = str(int(at.timestamp()))
    content = b".".join([message_id.encode(), timestamp.encode(), body])
    signatures = []
    for secret in signing_secrets:
        digest = hmac.new(base64.b64decode(secret.removeprefix(PREFIX)), content, hashlib.sha256).digest()
        signatures.append(f"v1,{base64.b64encode(digest).decode()}")
    return {
        "Content-Type": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": timestamp,
        "webhook-signature": " ".join(signatures),
    }
