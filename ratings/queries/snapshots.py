"""Transactions in which all queries see the database as it was at one moment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connections, router, transaction

from ratings.models import RatingList


@contextmanager
def begin_snapshot(alias: str) -> Iterator[None]:
    """Begin a transaction of PostgreSQL that only reads, and sees the database as it is at its first query."""
    with transaction.atomic(using=alias):
        with connections[alias].cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


@contextmanager
def read_snapshot() -> Iterator[None]:
    """Have the queries in the block, which only read, see one moment of the database.

    This holds on PostgreSQL outside of transactions. Within a transaction the block does nothing, because its first
    query has decided what it sees; on SQLite neither, because a transaction there would keep others from writing.
    """
    alias = router.db_for_read(RatingList)
    if connections[alias].vendor != "postgresql" or connections[alias].in_atomic_block:
        yield
        return
    with begin_snapshot(alias):
        yield
