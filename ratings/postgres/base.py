"""The database engine `ratings.postgres`."""

from __future__ import annotations

from types import SimpleNamespace

import psycopg
from django.db.backends.postgresql import base

from .timeouts import Connection, answer_within

USABLE_SECONDS = 2.0


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's PostgreSQL backend on connections with time limits."""

    Database = SimpleNamespace(**(vars(psycopg) | {"connect": Connection.connect}))  # type: ignore[assignment] # replaces the psycopg module

    def is_usable(self) -> bool:
        """Return True if the connection answers within two seconds."""
        if isinstance(self.connection, Connection) and self.connection.circuit.is_open():
            return False
        with answer_within(USABLE_SECONDS):
            return super().is_usable()
