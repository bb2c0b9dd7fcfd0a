"""Storage of a run's results while it computes: one thread rates, the other sends the rows to the database."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain

from django.db import connection

from ratings.models import Change, RatingList
from ratings.queries.lists.history import tables_of
from ratings.queries.runs.rows import ChangeRow

from .copy_rows import copy_rows
from .first_rows import has_rows
from .outcome import BatchReceiver, Outcome
from .threads import receive_from_thread

MINIMUM_TABLES = 100
"""Number of tables from which threads and their connections are worth their time."""
WAITING_BATCHES = 4
"""Number of batches that may wait to be sent to the database."""


def can_be_streamed(rating_list: RatingList) -> bool:
    """Return True if the rows of a run can be stored while it computes: PostgreSQL, nothing stored and many tables.

    The thread that computes has a connection of its own, which does not see what a surrounding transaction has written.
    """
    if connection.vendor != "postgresql" or connection.in_atomic_block or has_rows(rating_list):
        return False
    return tables_of(rating_list).count() >= MINIMUM_TABLES


def compute_and_insert(compute: Callable[[BatchReceiver], Outcome]) -> Outcome:
    """Compute in another thread, and insert the changes of the batches that it passes on; return its outcome.

    The caller has begun a transaction, and rolls it back if the computation raises an error or an input has changed.
    """
    with receive_from_thread("computing", compute, WAITING_BATCHES) as (batches, outcome):
        copy_rows(Change, ChangeRow._fields, chain.from_iterable(batches))
        return outcome.result()
