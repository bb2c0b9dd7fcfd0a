"""ratings-checkpoint/1: the text of a checkpoint after a rating run or a publication, and the text of a log."""

from __future__ import annotations

import datetime as dt
import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from .merkle import HASH_BYTES
from .notes import NoteError, SignedNote, decode, encode, parse_note

FORMAT = "ratings-checkpoint/1"
OPTIONS, TABLES, ADJUSTMENTS, DECISIONS, RESULTS = "options", "tables", "adjustments", "decisions", "results"
TREES = (OPTIONS, TABLES, ADJUSTMENTS, DECISIONS, RESULTS)
"""Trees of a run, in their order in a checkpoint."""
NONE_SIGN = "-"
"""Value of `previous` in the first checkpoint, and of `since` if rows of any day may have changed."""
PUBLISHED = re.compile(r"(published|revised) \d{4}-\d\d-\d\d")
"""Names of the trees of published lists: as first published on a day, and as last published again with corrections."""


class TreeHead(NamedTuple):
    """Number of leaves of a tree, and its root."""

    size: int
    root: bytes


@dataclass(frozen=True)
class Checkpoint:
    """Checkpoint in the log of a list, about a rating run or about a published list.

    `log` is the address of the log without a scheme, `previous` the hash of the previous checkpoint (None for the
    first). The checkpoint of a run has the number of the run, the five trees in TREES, and `since`: the first day on
    which a row differs from the previous run (None: any day). The checkpoint of a published list has only the tree of
    that list; `run` and `since` are None.
    """

    log: str
    number: int
    time: dt.datetime
    previous: bytes | None
    trees: Mapping[str, TreeHead]
    run: int | None = None
    since: dt.date | None = None

    @property
    def text(self) -> str:
        """The text that is signed."""
        head = [FORMAT, f"log {self.log}", f"number {self.number}", f"time {format_time(self.time)}"]
        head.append(f"previous {NONE_SIGN if self.previous is None else encode(self.previous)}")
        if self.run is not None:
            head += [f"run {self.run}", f"since {self.since or NONE_SIGN}"]
        trees = [f"{name} {tree.size} {encode(tree.root)}" for name, tree in self.trees.items()]
        return "".join(f"{line}\n" for line in (*head, *trees))

    @property
    def published(self) -> str | None:
        """The name of the tree of a published list; None for the checkpoint of a run."""
        return None if self.run is not None else next(iter(self.trees), None)


def format_time(time: dt.datetime) -> str:
    """Return a time in UTC to the second."""
    return time.astimezone(dt.UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def hash_text(text: str) -> bytes:
    """Return the hash by which the next checkpoint names this one; signatures are not part of it."""
    return hashlib.sha256(text.encode()).digest()


def parse_checkpoint(text: str) -> Checkpoint:
    """Return the checkpoint with this text; raise NoteError that names the first invalid line."""
    lines = text.removesuffix("\n").split("\n")
    if lines[0] != FORMAT:
        raise NoteError(f"expected {FORMAT!r}, not {lines[0][:80]!r}")
    values: dict[str, str] = {}
    trees: dict[str, TreeHead] = {}
    for line in lines[1:]:
        name, _blank, value = line.partition(" ")
        if name in HEAD and name not in values:
            values[name] = value
        elif (tree := _parse_tree(line)) is not None and tree[0] not in trees:
            trees[tree[0]] = tree[1]
        else:
            raise NoteError(f"unexpected line {line[:120]!r}")
    try:
        checkpoint = _build(values, trees)
    except (KeyError, ValueError) as error:
        raise NoteError(f"missing or invalid value: {error}") from None
    if checkpoint.text != text:
        raise NoteError("the lines are not in the order of the format")
    return checkpoint


HEAD = {"log", "number", "time", "previous", "run", "since"}


def _parse_tree(line: str) -> tuple[str, TreeHead] | None:
    name, _blank, value = line.rpartition(" ")
    name, _blank, size = name.rpartition(" ")
    if (name not in TREES and not PUBLISHED.fullmatch(name)) or not size.isdecimal():
        return None
    return name, TreeHead(int(size), decode_hash(value))


def decode_hash(text: str) -> bytes:
    """Return a hash from base64; raise NoteError otherwise."""
    data = decode(text)
    if len(data) != HASH_BYTES:
        raise NoteError(f"{text[:80]!r} is not a hash of {HASH_BYTES} bytes")
    return data


def _build(values: Mapping[str, str], trees: Mapping[str, TreeHead]) -> Checkpoint:
    run, since, previous = values.get("run"), values.get("since"), values["previous"]
    if (tuple(trees) != TREES) if run is not None else (len(trees) != 1 or set(trees) & set(TREES)):
        raise ValueError(f"the trees {', '.join(trees) or 'are missing'}")
    return Checkpoint(
        log=values["log"],
        number=int(values["number"]),
        time=dt.datetime.strptime(values["time"], "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=dt.UTC),
        previous=None if previous == NONE_SIGN else decode_hash(previous),
        trees=trees,
        run=None if run is None else int(run),
        since=None if since in {None, NONE_SIGN} else dt.date.fromisoformat(str(since)),
    )


class LogEntry(NamedTuple):
    """A signed note of a log, with the number of its first line in the text, from 1."""

    line: int
    note: SignedNote | None
    error: str


def join_notes(notes: Iterable[str]) -> str:
    """Return the text of a log: its notes, oldest first, with an empty line between them."""
    return "\n".join(notes)


def split_log(text: str) -> Iterator[LogEntry]:
    """Yield the notes of a log in their order; a part that is not a signed note has no note, but an error."""
    parts = text.split("\n\n")
    line = 1
    for at in range(0, len(parts) - len(parts) % 2, 2):
        body, signatures = parts[at : at + 2]
        try:
            yield LogEntry(line, parse_note(f"{body}\n\n{signatures.removesuffix(chr(10))}\n"), "")
        except NoteError as error:
            yield LogEntry(line, None, str(error))
        line += body.count("\n") + signatures.count("\n") + 4
    if len(parts) % 2 and parts[-1].strip():
        yield LogEntry(line, None, "not a signed note: expected a text, an empty line, and signatures")
