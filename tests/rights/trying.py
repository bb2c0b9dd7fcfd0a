"""Requests by every role, each in a savepoint, and what they changed in the database."""

import re
from contextlib import contextmanager
from http.cookies import SimpleCookie

from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client

from ratings.models import Submission

from .table import PERSONS

WRITES = re.compile(r'(?:INSERT(?: OR \w+)? INTO|UPDATE|DELETE FROM|COPY) "(\w+)"')
NOT_DATA = {"django_session"}
WORKING = ("/organise/", "/admin/")
SIGN_IN = ("/accounts/login/", "/accounts/2fa/", "/admin/login/")


@contextmanager
def undone():
    """Undo what happens inside, as a savepoint of the test's transaction."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def rows_of(table):
    """Return the rows of a table, also of those that managers hide."""
    with connection.cursor() as cursor:
        cursor.execute(f'SELECT * FROM "{table}"')  # noqa: S608 - our own tables
        return sorted(repr([plain(value) for value in row]) for row in cursor.fetchall())


def plain(value):
    """Return a value that is written alike each time it is read."""
    return bytes(value) if isinstance(value, memoryview) else value


def name_of_table(table):
    """Return the name under which the document lists a database table: that of its model."""
    return "submission" if table == Submission._meta.db_table else table.removeprefix("ratings_")


def all_rows():
    return {table: rows_of(table) for table in connection.introspection.table_names() if table not in NOT_DATA}


class Watch:
    """Notes into which tables a block writes."""

    def __init__(self):
        self.written = set()

    def __call__(self, execute, sql, params, many, context):
        self.written.update(WRITES.findall(sql))
        return execute(sql, params, many, context)


class Answer:
    """Result of a request, with the database tables that it changed."""

    def __init__(self, response, changed):
        self.response, self.changed = response, {name_of_table(name) for name in changed}
        self.status = response.status_code
        self.where = response.headers.get("Location", "")

    @property
    def refused(self):
        """True for 401, 403, 404, and the ways to sign in or to the admin's front page, which hides an object."""
        return (
            self.status in (401, 403, 404)
            or self.where.startswith(SIGN_IN)
            or (self.where == "/admin/" and not self.changed)
        )

    def __repr__(self):
        return f"{self.status} {self.where} {sorted(self.changed)}".strip()


def sign_in(user):
    """Return the cookies of a browser in which a user has signed in."""
    client = Client()
    client.force_login(user)
    return client.cookies.output(header="", sep=";")


class Trials:
    """Sends requests as each column of the table; persons are signed in, keys are sent as headers."""

    def __init__(self, world):
        self.world, self.before = world, {}

    def remember(self):
        """Compare later requests with the database as it is now."""
        self.before.clear()

    def rows_before(self, table):
        """Return the rows of a table outside requests; they are read when the first request has written into it."""
        if table not in self.before:
            self.before[table] = rows_of(table)
        return self.before[table]

    def client(self, column):
        """Return a browser in which a role is signed in, without messages of earlier requests."""
        client = Client(raise_request_exception=False)
        if column in self.world.sessions:
            client.cookies = SimpleCookie(self.world.sessions[column])
        return client

    def send(self, column, method, address, data=None, **more):
        """Return the answer to a request of a role, which is undone afterwards."""
        if column not in PERSONS:
            more["headers"] = {"Authorization": f"Bearer {self.world.secrets[column]}"}
        if not address.startswith(WORKING):
            cache.clear()  # public pages are cached, and count requests
        watch = Watch()
        with undone():
            with connection.execute_wrapper(watch):
                response = getattr(self.client(column), method)(address, data, **more)
            after = {table: rows_of(table) for table in watch.written - NOT_DATA}
        changed = {table for table, rows in after.items() if rows != self.rows_before(table)}
        return Answer(response, changed)
