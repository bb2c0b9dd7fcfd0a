"""Data that many tests share."""

import datetime as dt
from contextlib import contextmanager
from copy import deepcopy
from functools import cache, wraps

from django.db import connection, transaction

from ratings.domain.site.roles import ensure_roles

STATES = 3
"""Number of different databases for which a fixture's rows are stored: with a signed-in user, for example, or without."""
DIFFERENT = {
    "django_session": {"session_key", "session_data", "expire_date"},
    "auth_user": {"password", "last_login", "date_joined"},
    "auditlog_logentry": {"timestamp"},
}
"""Random values and times of the rows that other fixtures write, by table: no fixture's rows depend on them."""


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
    another one than before the first tests' fixture, the fixture builds there as usual; so it does in tests whose
    transactions are committed. Sessions are compared exactly where the fixture changes them, by signing somebody in.
    """
    known = {True: [], False: []}

    @wraps(build)
    def built(**fixtures):
        kind = connection.in_atomic_block  # where a commit takes place, the tasks that follow it are done too
        before = read_tables()
        for first, added, replaced, objects in known[kind]:
            if is_like(first, before, replaced):
                with transaction.atomic():  # foreign keys are checked at its end
                    write_tables(replaced)
                    insert_rows(added)
                return deepcopy(objects)
        objects = build(**fixtures)
        if len(known[kind]) < STATES:
            after = read_tables()
            changed = [table for table in after if after[table] != before[table]]
            added = {table: after[table][len(before[table]) :] for table in changed
                     if after[table][: len(before[table])] == before[table] and table != "django_session"}  # fmt: skip
            replaced = {table: after[table] for table in changed if table not in added}
            known[kind].append((before, added, replaced, deepcopy(objects)))
        return objects

    return built


def is_like(first, before, replaced):
    """Return True if rows equal those before the first test's fixture, apart from columns that differ in every test.

    Tables whose rows the fixture replaces must be equal in all columns.
    """
    return all(
        rows == first[table] or (table not in replaced and strip_rows(table, rows) == strip_rows(table, first[table]))
        for table, rows in before.items()
    )


def strip_rows(table, rows):
    """Return the rows of a table without the columns that differ in every test."""
    if table not in DIFFERENT or not rows:
        return rows
    places = _places_of(table)
    return [[value for place, value in enumerate(row) if place not in places] for row in rows]


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
        for name in tables:
            cursor.execute(f'DELETE FROM "{name}"')  # noqa: S608 - our own tables
        insert_rows(tables)


def insert_rows(tables):
    """Add rows to some tables."""
    with transaction.atomic(), connection.cursor() as cursor:  # foreign keys are checked at its end
        for name, rows in tables.items():
            if rows:
                places = ", ".join(["%s"] * len(rows[0]))
                # SQLite reads times of day as times, but does not write them
                written = [[str(value) if isinstance(value, dt.time) else value for value in row] for row in rows]
                cursor.executemany(f'INSERT INTO "{name}" VALUES ({places})', written)  # noqa: S608 - our own tables


@cache
def _places_of(table):
    with connection.cursor() as cursor:
        columns = connection.introspection.get_table_description(cursor, table)
    return {place for place, column in enumerate(columns) if column.name in DIFFERENT[table]}


@cache
def _name_tables():
    return connection.introspection.table_names()
