"""Division of long sequences into parts that fit into one query."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")
BATCH = 500
"""Number of rows that are read or written by one query."""


def in_batches(rows: Sequence[T], size: int = BATCH) -> Iterator[Sequence[T]]:
    """Yield the parts of a sequence in order, each with at most `size` rows."""
    return (rows[start : start + size] for start in range(0, len(rows), size))
