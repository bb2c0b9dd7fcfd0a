"""Read large files in parts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import IO

CHUNK = 1 << 20
"""Bytes that are read at once."""


def read_chunks(file: IO[bytes]) -> Iterator[bytes]:
    """Return an iterator over the content of a file."""
    return iter(partial(file.read, CHUNK), b"")
