"""Signed notes (https://c2sp.org/signed-note) with Ed25519 keys, and cosignatures (https://c2sp.org/tlog-cosignature)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519, COSIGNATURE = 1, 4
"""Types of signatures: by the author of a note, and by a witness at a time."""
KEY_BYTES, ID_BYTES, TIME_BYTES, SIGNATURE_BYTES = 32, 4, 8, 64
NAME = re.compile(r"[^\s+]+")
NOTE_AT_MOST = 1_000_000  # characters


class NoteError(ValueError):
    """Error for a text that is not a signed note, or not a key."""


@dataclass(frozen=True)
class VerifierKey:
    """Public key with the name of its owner; `type` says what it signs (ED25519 or COSIGNATURE)."""

    name: str
    public: bytes
    type: int = ED25519

    @property
    def id(self) -> bytes:
        """The key id: the first four bytes of SHA-256 of name, newline, type and public key."""
        return hashlib.sha256(self.name.encode() + b"\n" + bytes([self.type]) + self.public).digest()[:ID_BYTES]

    def __str__(self) -> str:
        """Return the key as text: name, key id in hexadecimal, and type with public key in base64."""
        return f"{self.name}+{self.id.hex()}+{encode(bytes([self.type]) + self.public)}"

    @property
    def as_witness(self) -> VerifierKey:
        """Key of the owner as a witness, with the same bytes."""
        return VerifierKey(self.name, self.public, COSIGNATURE)


@dataclass(frozen=True)
class Signature:
    """Line below a note: name and id of a key, and what the key's type defines (a time before a cosignature)."""

    name: str
    id: bytes
    content: bytes

    def __str__(self) -> str:
        return f"— {self.name} {encode(self.id + self.content)}"


@dataclass(frozen=True)
class SignedNote:
    """A text, which ends in a newline and has no empty line, and its signatures."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return f"{self.text}\n" + "".join(f"{signature}\n" for signature in self.signatures)


def encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


def decode(text: str) -> bytes:
    """Return the bytes of strict base64; raise NoteError otherwise."""
    try:
        return base64.b64decode(text.encode(), validate=True)
    except (binascii.Error, ValueError):
        raise NoteError(f"{text[:80]!r} is not base64") from None


def parse_key(text: str) -> VerifierKey:
    """Return the key in a text of the form `name+id+key`; raise NoteError if it is invalid."""
    parts = text.strip().split("+", 2)
    if len(parts) != 3 or not NAME.fullmatch(parts[0]):
        raise NoteError(f"{text.strip()[:200]!r} is not a key: expected name+id+key")
    data = decode(parts[2])
    if len(data) != 1 + KEY_BYTES or data[0] not in {ED25519, COSIGNATURE}:
        raise NoteError(f"the key of {parts[0]} is not an Ed25519 key")
    key = VerifierKey(parts[0], data[1:], data[0])
    if key.id.hex() != parts[1]:
        raise NoteError(f"the key of {parts[0]} has the id {key.id.hex()}, not {parts[1][:80]}")
    return key


def parse_note(text: str) -> SignedNote:
    """Return a signed note; raise NoteError if the text is not one."""
    if len(text) > NOTE_AT_MOST:
        raise NoteError(f"longer than {NOTE_AT_MOST:,} characters")
    body, blank, below = text.rpartition("\n\n")
    if not blank or not body or not below.endswith("\n"):
        raise NoteError("not a signed note: expected a text, an empty line, and signatures")
    return SignedNote(f"{body}\n", tuple(parse_signature(line) for line in below.removesuffix("\n").split("\n")))


def list_witnesses(note: SignedNote) -> list[str]:
    """Return the names of the sites that cosigned a note, besides the name of its author, who signed first."""
    first, *others = note.signatures
    return sorted({signature.name for signature in others} - {first.name})


def parse_signature(line: str) -> Signature:
    """Return the signature in a line; raise NoteError if it is not one."""
    dash, blank, rest = line.partition(" ")
    name, _blank, encoded = rest.partition(" ")
    if dash != "—" or not blank or not NAME.fullmatch(name):
        raise NoteError(f"{line[:200]!r} is not a signature: expected “— name base64”")
    data = decode(encoded)
    if len(data) <= ID_BYTES:
        raise NoteError(f"the signature of {name} is too short")
    return Signature(name, data[:ID_BYTES], data[ID_BYTES:])


def make_verifier_key(name: str, private: bytes, type: int = ED25519) -> VerifierKey:
    """Return the public key that belongs to the 32 bytes of a private key."""
    return VerifierKey(name, Ed25519PrivateKey.from_private_bytes(private).public_key().public_bytes_raw(), type)


def sign_text(text: str, name: str, private: bytes) -> Signature:
    """Return the signature of a text by the 32 bytes of a private key."""
    content = Ed25519PrivateKey.from_private_bytes(private).sign(text.encode())
    return Signature(name, make_verifier_key(name, private).id, content)


def cosign_text(text: str, name: str, private: bytes, seconds: int) -> Signature:
    """Return the cosignature (cosignature/v1) of a text by a witness, at a time in seconds since 1970."""
    content = Ed25519PrivateKey.from_private_bytes(private).sign(_cosigned_message(text, seconds))
    id = make_verifier_key(name, private, COSIGNATURE).id
    return Signature(name, id, seconds.to_bytes(TIME_BYTES, "big") + content)


def _cosigned_message(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def read_cosignature_time(signature: Signature) -> int:
    """Return the time of a cosignature in seconds since 1970."""
    return int.from_bytes(signature.content[:TIME_BYTES], "big")


def find_valid(note: SignedNote, keys: Iterable[VerifierKey]) -> list[tuple[VerifierKey, Signature]]:
    """Return the signatures that one of the keys made for the text, each with its key; others are left out."""
    known = {(key.name, key.id): key for key in keys}
    pairs = [(known.get((signature.name, signature.id)), signature) for signature in note.signatures]
    return [(key, signature) for key, signature in pairs if key is not None and is_valid(note.text, signature, key)]


def is_valid(text: str, signature: Signature, key: VerifierKey) -> bool:
    """Return True if a signature of a text was made with a key."""
    message, content = text.encode(), signature.content
    if key.type == COSIGNATURE:
        if len(content) != TIME_BYTES + SIGNATURE_BYTES:
            return False
        message, content = _cosigned_message(text, read_cosignature_time(signature)), content[TIME_BYTES:]
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(content, message)
    except InvalidSignature:
        return False
    return True
