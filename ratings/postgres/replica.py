"""Reading from a replica of the database, for code that asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import DEFAULT_DB_ALIAS

REPLICA = "replica"
"""Alias of the replica in DATABASES; it is there only if the site has one."""
_reading: ContextVar[bool] = ContextVar("read_from_replica", default=False)


@contextmanager
def read_from_replica() -> Iterator[None]:
    """Have the ORM read from the replica in the block; it writes to the primary database, as everywhere."""
    token = _reading.set(True)
    try:
        yield
    finally:
        _reading.reset(token)


class ReplicaRouter:
    """Database router that follows `read_from_replica`. The replica gets its rows and tables from the primary."""

    def db_for_read(self, _model: Any, **_hints: Any) -> str:
        return REPLICA if _reading.get() else DEFAULT_DB_ALIAS

    def db_for_write(self, _model: Any, **_hints: Any) -> str:
        return DEFAULT_DB_ALIAS

    def allow_relation(self, _one: Any, _other: Any, **_hints: Any) -> bool:
        return True  # both have the same rows

    def allow_migrate(self, db: str, _app_label: str, **_hints: Any) -> bool:
        return db == DEFAULT_DB_ALIAS
