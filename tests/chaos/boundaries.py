"""Pause points in a request: before and after each lock and the end of each transaction of one connection."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from unittest import mock

from django.db import connection

LOCK = re.compile(r"\bFOR (NO KEY )?UPDATE\b|pg_advisory_xact_lock")
TABLE = re.compile(r'"(ratings_\w+)"')
WRITING = ("INSERT", "UPDATE", "DELETE")

Pause = Callable[[str], None]
"""Called at each boundary with its name."""


class Boundaries:
    """Calls `pause` at every boundary of the current thread's connection.

    Boundaries are: before and after each statement that locks rows (FOR UPDATE) or takes an advisory lock, before the
    first statement of a transaction that writes, after each savepoint is released, before and after each commit, and
    before the functions of `transaction.on_commit` run.
    """

    def __init__(self, pause: Pause) -> None:
        self.pause, self.has_written = pause, False

    @contextmanager
    def watched(self) -> Iterator[None]:
        commit, hooks, rollback = connection.commit, connection.run_and_clear_commit_hooks, connection.rollback

        def commit_between() -> None:
            self.pause("before commit")
            commit()
            self.has_written = False
            self.pause("after commit")

        def roll_back() -> None:
            rollback()
            self.has_written = False

        def run_hooks() -> None:
            if connection.run_on_commit:
                self.pause("on_commit")
            hooks()

        with (
            mock.patch.object(connection, "commit", commit_between),
            mock.patch.object(connection, "rollback", roll_back),
            mock.patch.object(connection, "run_and_clear_commit_hooks", run_hooks),
            connection.execute_wrapper(self.execute),
        ):
            yield

    def execute(self, execute, sql, params, many, context):
        table = found[1] if (found := TABLE.search(sql)) else ""
        if LOCK.search(sql):
            self.pause(f"before lock {table}")
            result = execute(sql, params, many, context)
            self.pause(f"after lock {table}")
            return result
        if sql.startswith(WRITING) and table and not self.has_written:
            self.has_written = connection.in_atomic_block
            self.pause(f"before write {table}")
        result = execute(sql, params, many, context)
        if sql.startswith("RELEASE SAVEPOINT"):
            self.pause("after savepoint")
        return result
