"""Data that many tests share."""

import datetime as dt
from contextlib import contextmanager
from copy import deepcopy
from functools import cache, wraps

from django.db import connection, transaction

from ratings.domain.site.roles import ensure_roles


@contextmanager
def built_once(django_db_blocker):
    """Keep what is built inside for all tests of a fixture's scope, each of which has a savepoint; then undo it."""
    with django_db_blocker.unblock(), transaction.atomic():
        ensure_roles()  # emptied with the tables of transactional tests
        yield
        transaction.set_rollback(True)


def reused(build):
    """Let a fixture build its objects in its first test, and write the rows that this made for every other test.

    That takes a fraction of the time. Tests share no objects, and may change the rows. Where a test's database is
    another one than before the first test's fixture, the fixture builds there as usual; so it does once in tests whose
    transactions are committed.
    """
    known = {}

    @wraps(build)
    def built(**fixtures):
        kind = connection.in_atomic_block  # where a commit takes place, the tasks that follow it are done too
        before = read_tables()
        if kind in known and known[kind][0] == before:
            _, rows, objects = known[kind]
            write_tables(rows)
            return deepcopy(objects)
        objects = build(**fixtures)
        if kind not in known:
            after = read_tables()
            rows = {table: after[table] for table in after if after[table] != before[table]}
            known[kind] = (before, rows, deepcopy(objects))
        return objects

    return built


def read_tables():
    """Return the rows of all tables."""
    rows = {name: [] for name in _name_tables()}
    with connection.cursor() as cursor:
        # most tables are empty in tests, which one query finds out
        asked = " UNION ALL ".join(f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM \"{name}\")" for name in rows)  # noqa: S608 - our own tables
        cursor.execute(asked)
        for (name,) in cursor.fetchall():
            cursor.execute(f'SELECT * FROM "{name}"')  # noqa: S608 - our own tables
            rows[name] = cursor.fetchall()
    return rows


def write_tables(tables):
    """Replace the rows of some tables."""
    with transaction.atomic(), connection.cursor() as cursor:  # foreign keys are checked at its end
        for name, rows in tables.items():
            cursor.execute(f'DELETE FROM "{name}"')  # noqa: S608 - our own tables
            if rows:
                places = ", ".join(["%s"] * len(rows[0]))
                # SQLite reads times of day as times, but does not write them
                written = [[str(value) if isinstance(value, dt.time) else value for value in row] for row in rows]
                cursor.executemany(f'INSERT INTO "{name}" VALUES ({places})', written)  # noqa: S608 - our own tables


@cache
def _name_tables():
    return connection.introspection.table_names()
