"""One run at a time for a list: a lock in the database that dies with its holder."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.db import connection
from filelock import FileLock, Timeout

RUNS = 20160204  # the advisory locks of rating runs among all others of the database


@contextmanager
def list_lock(list_id: int) -> Iterator[bool]:
    """Whether the list is ours for a run. PostgreSQL: an advisory lock of the session; SQLite: of a file beside it."""
    if connection.vendor == "postgresql":
        with _advisory_lock(list_id) as held:
            yield held
        return
    database = str(connection.settings_dict["NAME"])
    if "memory" in database:
        yield True  # nobody else can see it
        return
    lock = FileLock(Path(f"{database}.list-{list_id}.lock"), blocking=False)
    try:
        lock.acquire()
    except Timeout:
        yield False
        return
    try:
        yield True
    finally:
        lock.release()


@contextmanager
def _advisory_lock(list_id: int) -> Iterator[bool]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s, %s)", [RUNS, list_id])
        held = bool(cursor.fetchone()[0])
    try:
        yield held
    finally:
        if held and connection.is_usable():
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [RUNS, list_id])
