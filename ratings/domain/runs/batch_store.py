"""Results of a run until they are stored: the latest in memory, the others in a temporary file."""

from __future__ import annotations

import os
import pickle
import weakref
from collections.abc import Iterator
from tempfile import TemporaryFile
from typing import IO

from .derived_rows import RatedBatch

MOST_ROWS = 500_000
"""Number of changes that are held in memory."""


class BatchStore:
    """Rated batches in the order in which they were added.

    If they have more than MOST_ROWS changes, they are written to a temporary file, so that a run of millions of games
    needs no more memory than one of some hundred thousand.
    """

    def __init__(self) -> None:
        self.changes, self.awards = 0, 0
        """Numbers of rows."""
        self._held: list[RatedBatch] = []
        self._rows_held, self._written = 0, 0
        self._file: IO[bytes] | None = None

    def add(self, batch: RatedBatch) -> None:
        self._held.append(batch)
        self.changes += len(batch)
        self.awards += sum(map(len, batch.result.awards.values()))
        self._rows_held += len(batch)
        if self._rows_held > MOST_ROWS:
            self._write()

    def _write(self) -> None:
        if self._file is None:
            self._file = TemporaryFile()  # noqa: SIM115 - closed, and so deleted, with this object
            weakref.finalize(self, self._file.close)
        self._file.seek(0, os.SEEK_END)
        for batch in self._held:
            pickle.dump(batch, self._file, pickle.HIGHEST_PROTOCOL)
        self._written += len(self._held)
        self._held, self._rows_held = [], 0

    def __iter__(self) -> Iterator[RatedBatch]:
        if self._file is not None:
            self._file.seek(0)
            for _ in range(self._written):
                yield pickle.load(self._file)  # noqa: S301 - written by this process
        yield from self._held
