"""Copy an SQLite database while it is used, and replace one by a copy."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from django.db import connections

COPY = "backup_copy"
"""Alias of the connection to a copy."""


def copy_database(alias: str, target: Path) -> None:
    """Write a copy of one moment of a database to a file; other processes may read and write meanwhile."""
    connections[alias].ensure_connection()
    with closing(sqlite3.connect(target)) as copy:
        connections[alias].connection.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, without another one for the latest transactions


def load_copy(alias: str, copy: Path) -> None:
    """Replace the content of a database by that of a file, in one transaction."""
    connections[alias].ensure_connection()
    with closing(sqlite3.connect(copy)) as source:
        source.backup(connections[alias].connection)


@contextmanager
def open_copy(alias: str, copy: Path) -> Iterator[str]:
    """Connect to a copy of a database, and yield the alias of the connection."""
    connections.databases[COPY] = {**connections.databases[alias], "NAME": str(copy), "OPTIONS": {}}
    try:
        yield COPY
    finally:
        connections[COPY].close()
        del connections[COPY], connections.databases[COPY]
