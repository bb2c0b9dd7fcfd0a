"""The public keys of a site as a text: a key in each line, then a note for each change of the key.

A change is signed by both keys (ratings-log-key/1), so that whoever trusts one of them can trust the other.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .checkpoints import format_time, split_log
from .notes import NoteError, SignedNote, VerifierKey, find_valid, parse_key, sign_text

FORMAT = "ratings-log-key/1"


@dataclass(frozen=True)
class KeyChange:
    """Replacement of a key by a new one at a time."""

    time: dt.datetime
    old: VerifierKey
    new: VerifierKey

    @property
    def text(self) -> str:
        return f"{FORMAT}\ntime {format_time(self.time)}\nold {self.old}\nnew {self.new}\n"


@dataclass(frozen=True)
class KeyFile:
    """All keys of a site, the newest last, and the changes that both keys have signed."""

    keys: tuple[VerifierKey, ...]
    changes: tuple[KeyChange, ...] = ()

    def trust(self, pinned: VerifierKey) -> KeyFile:
        """Return the trusted key and the keys that signed key changes connect with it, in either direction."""
        trusted, changes = {pinned}, set[KeyChange]()
        for _each in self.changes:
            for change in self.changes:
                if change.old in trusted or change.new in trusted:
                    trusted |= {change.old, change.new}
                    changes.add(change)
        return KeyFile(
            tuple(key for key in self.keys if key in trusted) or (pinned,),
            tuple(change for change in self.changes if change in changes),
        )

    def find_end(self, key: VerifierKey) -> dt.datetime | None:
        """Return the time at which a key was replaced; None for the present one."""
        return next((change.time for change in self.changes if change.old == key), None)


def sign_key_change(change: KeyChange, old: bytes, new: bytes) -> SignedNote:
    """Return the note of a change, signed by the private keys of both."""
    pairs = ((change.old, old), (change.new, new))
    return SignedNote(change.text, tuple(sign_text(change.text, key.name, private) for key, private in pairs))


def write_key_file(keys: Iterable[VerifierKey], changes: Iterable[str]) -> str:
    """Return the text of a key file; `changes` are the texts of signed notes."""
    head = "".join(f"{key}\n" for key in keys)
    return "\n".join([head, *changes])


def read_key_file(text: str) -> KeyFile:
    """Return the keys of a key file; raise NoteError for an invalid key, or a change that is not signed by both."""
    head, _blank, below = text.partition("\n\n")
    keys = tuple(parse_key(line) for line in head.split("\n") if line.strip())
    return KeyFile(keys, tuple(_read_changes(below)))


def _read_changes(text: str) -> Iterator[KeyChange]:
    for entry in split_log(text):
        if entry.note is None:
            raise NoteError(f"change of the key: {entry.error}")
        change = _parse_change(entry.note.text)
        signers = {key for key, _signature in find_valid(entry.note, (change.old, change.new))}
        if signers != {change.old, change.new}:
            raise NoteError("change of the key: expected valid signatures of the old key and of the new one")
        yield change


def _parse_change(text: str) -> KeyChange:
    names, values = zip(*(line.partition(" ")[::2] for line in text.removesuffix("\n").split("\n")), strict=True)
    if names != (FORMAT, "time", "old", "new"):
        raise NoteError(f"expected {FORMAT} with time, old and new")
    try:
        time = dt.datetime.strptime(values[1], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=dt.UTC)
    except ValueError:
        raise NoteError(f"{values[1][:80]!r} is not a time") from None
    return KeyChange(time, parse_key(values[2]), parse_key(values[3]))
