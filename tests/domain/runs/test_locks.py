"""Locks of rating runs on PostgreSQL: of a session, or of a transaction."""

import psycopg
import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction

from ratings.domain.runs.locks import RUNS, lock_list

LIST = 7
pytestmark = [
    pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no advisory locks"),
    pytest.mark.django_db(transaction=True),
]


@pytest.fixture
def is_free(transactional_db):
    """Return a function that says whether another session could take the lock."""
    database = connection.get_connection_params()
    with psycopg.connect(**database, autocommit=True) as other:

        def check():
            [taken] = other.execute("SELECT pg_try_advisory_lock(%s, %s)", [RUNS, LIST]).fetchone()
            if taken:
                other.execute("SELECT pg_advisory_unlock(%s, %s)", [RUNS, LIST])
            return taken

        yield check


def test_lock_of_a_session_is_held_until_its_block_ends(is_free):
    with lock_list(LIST) as held:
        assert (held, is_free()) == (True, False)
    assert is_free()


def test_lock_inside_a_transaction_is_held_until_the_transaction_ends(is_free):
    with transaction.atomic():
        with lock_list(LIST) as held:
            assert (held, is_free()) == (True, False)
        assert not is_free()
    assert is_free()


def test_lock_is_free_after_its_transaction_failed(is_free):
    """A lock of the session would stay until the connection ends, as a failed transaction cannot release it."""
    with pytest.raises(psycopg.Error), transaction.atomic(), lock_list(LIST), connection.cursor() as cursor:
        cursor.cursor.execute("SELECT missing")
    assert is_free()


def test_lock_is_refused_without_a_session(is_free, settings):
    settings.USES_POOLER = True
    with pytest.raises(ImproperlyConfigured, match="DATABASE_URL, not POOLER_URL"), lock_list(LIST):
        pass
    with transaction.atomic(), lock_list(LIST) as held:
        assert held
