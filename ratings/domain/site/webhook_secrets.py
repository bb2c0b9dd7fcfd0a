"""Secrets of webhooks: how they are stored, and the signatures made with them (Standard Webhooks, version 1).

A secret signs messages, so it has to be readable: it is stored encrypted (`encryption.py`).
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import secrets
from collections.abc import Iterable

from .encryption import decrypt, encrypt

PREFIX = "whsec_"
BYTES = 32
PURPOSE = b"secrets of webhooks"


def new_secret() -> str:
    """Return a new secret as its owner gets it: `whsec_` and 32 random bytes in base64."""
    return PREFIX + base64.b64encode(secrets.token_bytes(BYTES)).decode()


def encrypt_secret(secret: str) -> str:
    return encrypt(secret, PURPOSE)


def decrypt_secret(stored: str) -> str:
    """Return a stored secret. UnreadableSecretError: none of the portal's keys decrypts it."""
    return decrypt(stored, PURPOSE)


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
