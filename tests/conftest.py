import gc
import os
import sys
import time

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.core.management.commands import flush
from django.db import OperationalError, connection
from django.db.backends.postgresql.operations import DatabaseOperations
from django.utils import translation
from hypothesis import settings as hypothesis_settings

from portal.charts import card_pictures
from portal.middleware import replica
from portal.site import caching
from portal.site.remembered_heads import forget_heads
from ratings.access import OFFICERS
from ratings.domain.runs import task_queue
from ratings.domain.site import outbox
from ratings.domain.site.roles import ensure_roles
from ratings.postgres import timeouts
from ratings.systems.compiling import load_compiled
from tests.cards import read_texts
from tests.factories import make_user, rate_every_list
from tests.hostile import make_hostile_site
from tests.joins import check_all_queries
from tests.shared import read_tables, reused, write_tables

DATABASE = {"db", "transactional_db", "live_server"}
STOP_AT = float(os.environ.get("STOP_TESTS_AT", "inf"))
"""Seconds since the epoch after which no test begins (`.ci/run` sets them)."""
# how long an example takes is the machine's affair: the first one may load a library
hypothesis_settings.register_profile("portal", deadline=None)
hypothesis_settings.load_profile("portal")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Mark the tests that ask the database, and keep the tests of a folder together, whose worlds are shared.

    pytest-randomly has shuffled modules and tests before; pytest-django moves transactional tests to the end afterwards.
    """
    for item in items:
        if item.get_closest_marker("django_db") or DATABASE & set(item.fixturenames):
            item.add_marker("asks_database")
    folders = list(dict.fromkeys(item.path.parent for item in items))
    items.sort(key=lambda item: folders.index(item.path.parent))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item):
    """Skip the tests for which a slow machine has no time left; others each time, because their order is random."""
    if time.time() > STOP_AT:
        pytest.skip("no time left before STOP_TESTS_AT")


def pytest_collection_finish(session):
    """Look for reference cycles seldom, and never in imported modules, which took a quarter of the tests' time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 10, 10)


@pytest.fixture(scope="session", autouse=True)
def emptied_quickly():
    """Empty PostgreSQL's tables by DELETE after transactional tests: TRUNCATE makes new files for all tables and indexes."""

    def sql_flush(self, style, tables, **more):
        names = [self.quote_name(table) for table in tables]
        lock = f"LOCK TABLE {', '.join(names)}"  # waits for other connections' transactions, as TRUNCATE does
        return [lock, *(f"DELETE FROM {name}" for name in names)] if names else []  # noqa: S608 - our own tables

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(DatabaseOperations, "sql_flush", sql_flush)
        yield


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup, django_db_blocker):
    """After transactional tests, write the content types, permissions and roles again as they were at first.

    Django and the portal create them after each emptying of the tables, which takes many queries for each app.
    """
    with django_db_blocker.unblock():
        created = {name: rows for name, rows in read_tables().items() if rows and name != "django_migrations"}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flush, "emit_post_migrate_signal", lambda *arguments, **options: write_tables(created))
        yield


@pytest.fixture(autouse=True)
def as_new():
    """Every test has a database of its own, in which the same keys are something else; requests choose languages."""
    cache.clear()
    forget_heads()
    for module in (caching, outbox, replica, task_queue):
        module.circuit.reset()
    timeouts.find_circuit.cache_clear()
    translation.activate(settings.LANGUAGE_CODE)


@pytest.fixture(autouse=True)
def checked_joins(monkeypatch):
    """Refuse queries that combine several to-many joins with OR."""
    check_all_queries(monkeypatch)


@pytest.fixture
def without_numba(monkeypatch):
    """Let every import of numba fail, and forget the code that it has compiled."""
    monkeypatch.setitem(sys.modules, "numba", None)
    load_compiled.cache_clear()
    yield
    load_compiled.cache_clear()


@pytest.fixture
def several_steps(settings):
    """Let requests read rows one by one: a step for several events, or a task in a request, does each of them alone."""
    settings.ZEAL_ALLOWLIST = [{"model": "*"}]


@pytest.fixture
def without_redis(settings):
    """Use the cache of a site whose Redis is not there: nothing listens on this port."""
    settings.CACHES = {"default": settings.REDIS_CACHE | {"LOCATION": "redis://127.0.0.1:1/0"}}
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def without_database(db):
    """Let every query fail as when PostgreSQL refuses connections."""

    def refuse(execute, sql, *arguments):
        raise OperationalError("database is locked")

    with connection.execute_wrapper(refuse):
        yield


@pytest.fixture
def rate_all(db):
    """Return the function that does the work that is pending on every list."""
    return rate_every_list


@pytest.fixture
def drawn(client, monkeypatch):
    """Return a function that requests a card and returns its texts."""
    monkeypatch.setattr(card_pictures, "card_as_png", str.encode)

    def draw(address):
        response = client.get(address)
        assert (response.status_code, response["Content-Type"]) == (200, "image/png")
        return read_texts(response.content)

    return draw


@pytest.fixture
def staff(client):
    """A rating officer who is logged in, in the admin too."""
    ensure_roles()  # emptied with the tables of transactional tests
    user = make_user("staff", is_staff=True)
    user.groups.add(Group.objects.get(name=OFFICERS))
    client.force_login(user)
    return user


@pytest.fixture
@reused
def hostile(rate_all):
    """A little of everything, with names that would like to be a part of the page; gives the player."""
    return make_hostile_site(rate_all)
