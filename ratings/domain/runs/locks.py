"""Database locks that do not belong to a row.

One rating run at a time per list; saving results and merging players wait for each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import connection
from filelock import FileLock, Timeout

RUNS = 20160204  # first key of the advisory locks of rating runs
SEATS = 20160205  # key of the advisory lock of seats in tables


def lock_seats(*, exclusive: bool) -> None:
    """Lock the seats of all tables until the transaction ends: exclusively (`exclusive`) to merge players, else shared.

    A merge moves the seats that it finds, so no results may be saved at the same time. Call this function before any
    row is locked, to avoid deadlocks. SQLite needs no lock: it has one writer at a time.
    """
    if connection.vendor == "postgresql":
        function = "pg_advisory_xact_lock" if exclusive else "pg_advisory_xact_lock_shared"
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s)", [SEATS])


@contextmanager
def lock_list(list_id: int) -> Iterator[bool]:
    """Yield True if the run lock of a list was acquired, and False if another process holds it.

    PostgreSQL: an advisory lock of the session, or inside a transaction one that is held until the transaction ends.
    SQLite: a lock of a file beside the database file. ImproperlyConfigured: there is no session, because a pooler
    gives each transaction another one.
    """
    if connection.vendor == "postgresql":
        if connection.in_atomic_block:
            yield _try_lock("pg_try_advisory_xact_lock", list_id)
            return
        with _session_lock(list_id) as held:
            yield held
        return
    database = str(connection.settings_dict["NAME"])
    if "memory" in database:
        yield True  # no other process can use this database
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
def _session_lock(list_id: int) -> Iterator[bool]:
    if settings.USES_POOLER:
        raise ImproperlyConfigured("Rating runs need sessions of PostgreSQL: use DATABASE_URL, not POOLER_URL.")
    held = _try_lock("pg_try_advisory_lock", list_id)
    try:
        yield held
    finally:
        if held and connection.is_usable():
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s, %s)", [RUNS, list_id])


def _try_lock(function: str, list_id: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {function}(%s, %s)", [RUNS, list_id])
        return bool(cursor.fetchone()[0])
