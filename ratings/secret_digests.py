"""Digests by which secrets are stored: keys of programs, secrets of events, tokens of links."""

import hashlib


def digest_secret(secret: str) -> str:
    """Return the digest of a random secret; a plain hash is enough, because 256 random bits cannot be guessed."""
    return hashlib.sha256(secret.encode()).hexdigest()
