"""Checks of a list's log by itself: signatures, order, and the chain of hashes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from .checkpoints import Checkpoint, LogEntry, hash_text, parse_checkpoint, split_log
from .key_file import KeyFile
from .notes import NoteError, SignedNote, find_valid


class ReadCheckpoint(NamedTuple):
    """A checkpoint of a log with its note and the number of its first line."""

    checkpoint: Checkpoint
    note: SignedNote
    line: int

    @property
    def label(self) -> str:
        about = self.checkpoint.published or f"run {self.checkpoint.run}"
        return f"checkpoint {self.checkpoint.number} ({about}, line {self.line})"


@dataclass
class CheckedLog:
    """Checkpoints of a log in the order of the text, and a line for each problem."""

    checkpoints: list[ReadCheckpoint] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    @property
    def last_run(self) -> ReadCheckpoint | None:
        """The checkpoint of the last run."""
        return next((read for read in reversed(self.checkpoints) if read.checkpoint.run is not None), None)

    @property
    def published(self) -> dict[str, ReadCheckpoint]:
        """The last checkpoint of each published list, by the name of its tree."""
        return {name: read for read in self.checkpoints if (name := read.checkpoint.published) is not None}


def check_log(text: str, keys: KeyFile) -> CheckedLog:
    """Return the checkpoints of a log and its problems; only signatures by `keys` count."""
    checked = CheckedLog()
    for place, entry in enumerate(split_log(text), 1):
        read = _read(entry, place, checked.problems)
        if read is not None:
            before = checked.checkpoints[-1] if checked.checkpoints else None
            checked.problems += [f"{read.label}: {problem}" for problem in _find_problems(read, place, before, keys)]
            checked.checkpoints.append(read)
    if not checked.checkpoints and not checked.problems:
        checked.problems.append("the log is empty")
    return checked


def _read(entry: LogEntry, place: int, problems: list[str]) -> ReadCheckpoint | None:
    problem = entry.error
    if entry.note is not None:
        try:
            return ReadCheckpoint(parse_checkpoint(entry.note.text), entry.note, entry.line)
        except NoteError as error:
            problem = str(error)
    problems.append(f"line {entry.line} (checkpoint {place}): {problem}")
    return None


def _find_problems(read: ReadCheckpoint, place: int, before: ReadCheckpoint | None, keys: KeyFile) -> Iterator[str]:
    checkpoint = read.checkpoint
    yield from _check_signatures(read, keys)
    if checkpoint.number != place:
        yield f"expected checkpoint {place} at this place: checkpoints are missing, repeated or out of order"
    if checkpoint.previous != (None if before is None else hash_text(before.note.text)):
        yield (
            f"“previous” is not the hash of checkpoint {before.checkpoint.number}"
            if before
            else "“previous” must be “-” in the first checkpoint"
        )
    if before is not None and checkpoint.log != before.checkpoint.log:
        yield f"belongs to the log {checkpoint.log}, not {before.checkpoint.log}"


def _check_signatures(read: ReadCheckpoint, keys: KeyFile) -> Iterator[str]:
    signers = [key for key, _signature in find_valid(read.note, keys.keys)]
    if not signers:
        names = ", ".join(signature.name for signature in read.note.signatures)
        yield f"no signature by a trusted key is valid for this text (signed by {names})"
    for key in signers:
        end = keys.find_end(key)
        if end is not None and read.checkpoint.time > end:
            yield f"was signed with the key {key.id.hex()} after it was replaced at {end:%Y-%m-%d %H:%M}"
