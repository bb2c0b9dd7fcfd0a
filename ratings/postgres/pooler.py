"""Settings of sessions behind a pooler, which belong to the role, because PgBouncer passes on no startup options."""

from __future__ import annotations

import psycopg

TIMEOUTS = ("statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout")
SIMILARITY = "pg_trgm.word_similarity_threshold"


def find_missing_settings(url: str, similarity: str) -> list[str]:
    """Return the names of time limits that sessions of a pooler lack, and of other settings with a wrong value.

    `similarity` is the expected threshold of searches with typing errors. Raise psycopg.Error if there is no answer.
    """
    with psycopg.connect(url, connect_timeout=3, prepare_threshold=None) as session:
        values = {name: _read_setting(session, name) for name in (*TIMEOUTS, SIMILARITY)}
    missing = [name for name in TIMEOUTS if values[name] in {None, "0"}]
    return missing if values[SIMILARITY] == similarity else [*missing, SIMILARITY]


def _read_setting(session: psycopg.Connection, name: str) -> str | None:
    row = session.execute("SELECT current_setting(%s, true)", [name]).fetchone()
    return row[0] if row else None
