"""The export of a list with which its log is checked: a ZIP file of its history, its log, its keys and all leaves.

The leaves of a tree are lines of the form `hash leaf`: the hash in hexadecimal as it was stored with the checkpoint,
and the content of the leaf as it is stored now. A leaf that may not be shown has its hash only.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import NamedTuple

from ratings.formats.zip_errors import ZIP_ERRORS
from ratings.systems.values import History

from .merkle import HASH_BYTES

HISTORY, LOG, KEYS = "history.json", "log.txt", "keys.txt"
LEAVES = "leaves/"


class ExportError(ValueError):
    """Error for a file that is not an export."""


class Leaf(NamedTuple):
    """A leaf of an export: the hash stored with the checkpoint, and the present content (None: not shown)."""

    hash: bytes
    content: bytes | None


@dataclass(frozen=True)
class Export:
    """Inputs of a list, and the leaves of its trees by name; without leaves, only roots can be compared."""

    history: History
    leaves: Mapping[str, list[Leaf]]


def name_leaf_file(tree: str) -> str:
    """Return the name of the file of a tree's leaves in an export."""
    return f"{LEAVES}{tree.replace(' ', '-')}.txt"


def write_leaves(leaves: Iterable[Leaf]) -> Iterator[bytes]:
    """Yield the lines of a file of leaves."""
    for leaf in leaves:
        yield leaf.hash.hex().encode() + (b"" if leaf.content is None else b" " + leaf.content) + b"\n"


def read_leaves(data: bytes, name: str) -> list[Leaf]:
    """Return the leaves of a file; raise ExportError for an invalid line."""
    leaves = []
    for number, line in enumerate(data.splitlines(), 1):
        encoded, blank, content = line.partition(b" ")
        try:
            hash = bytes.fromhex(encoded.decode())
        except ValueError:
            hash = b""
        if len(hash) != HASH_BYTES:
            raise ExportError(f"{name}: line {number} does not begin with a hash of {HASH_BYTES} bytes in hexadecimal")
        leaves.append(Leaf(hash, content if blank else None))
    return leaves


def write_archive(files: Mapping[str, Iterable[bytes]]) -> bytes:
    """Return a ZIP file of named files."""
    target = BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, parts in files.items():
            with archive.open(zipfile.ZipInfo(name), "w") as file:
                for part in parts:
                    file.write(part)
    return target.getvalue()


def read_archive(data: bytes) -> dict[str, bytes]:
    """Return the files of a ZIP file by name; raise ExportError otherwise."""
    try:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            return {info.filename: archive.read(info) for info in archive.infolist()}
    except ZIP_ERRORS as error:
        raise ExportError(f"not a ZIP file: {error}") from None


def read_export_leaves(files: Mapping[str, bytes]) -> dict[str, list[Leaf]]:
    """Return the leaves of an export by tree; raise ExportError for an invalid line."""
    return {
        name.removeprefix(LEAVES).removesuffix(".txt").replace("-", " ", 1): read_leaves(data, name)
        for name, data in files.items()
        if name.startswith(LEAVES)
    }
