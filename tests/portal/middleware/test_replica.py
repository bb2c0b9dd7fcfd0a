"""Requests that are read from a replica of the database; tests/services/test_replica.py has a real one."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.http import HttpResponse

from portal.middleware import replica
from ratings.models import Player
from ratings.postgres.replica import ReplicaRouter, read_from_replica
from ratings.queries.site import page_generation
from ratings.queries.site.page_generation import GENERATION


class FakeConnection:
    """Connection to a replica that answers, or does not."""

    def __init__(self):
        self.error, self.attempts = None, 0

    def close_if_health_check_failed(self):
        self.attempts += 1

    def ensure_connection(self):
        if self.error:
            raise self.error


@pytest.fixture
def connection(monkeypatch, settings):
    """A site with a replica, whose last purge of pages was a minute ago."""
    settings.REPLICA_URL = "postgres://replica/portal"
    settings.REPLICA_LAG_SECONDS = 10
    made = FakeConnection()
    monkeypatch.setattr(replica, "connections", {"replica": made})
    monkeypatch.setattr(replica, "circuit", replica.CircuitBreaker("replica", 3))
    now = page_generation.time.time()
    monkeypatch.setattr(page_generation.time, "time", lambda: now)
    cache.delete(GENERATION)
    page_generation.get_page_generation()
    monkeypatch.setattr(page_generation.time, "time", lambda: now + 60)
    return made


def find_database(request):
    """Return the database from which a request is read."""
    return replica.Replica(lambda _request: HttpResponse(ReplicaRouter().db_for_read(Player)))(request).content.decode()


@pytest.mark.parametrize("method", ["get", "head"])
def test_replica_serves_anonymous_pages(method, rf, connection, settings):
    rf.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    assert find_database(getattr(rf, method)("/lists/fesa/")) == "replica"


@pytest.mark.parametrize("path", ["/organise/", "/accounts/login/", "/me/", "/admin/", "/health/"])
def test_replica_serves_no_pages_behind_a_log_in(path, rf, connection):
    assert find_database(rf.get(path)) == "default"


def test_replica_serves_nobody_with_a_session(rf, connection):
    rf.cookies["sessionid"] = "a"
    assert find_database(rf.get("/lists/fesa/")) == "default"


def test_replica_serves_no_forms_and_no_keys(rf, connection):
    posted = find_database(rf.post("/reports/"))
    with_key = find_database(rf.get("/api/v1/lists", headers={"Authorization": "Key a"}))
    assert (posted, with_key, connection.attempts) == ("default", "default", 0)


def test_replica_is_left_out_until_it_has_a_change_that_purged_pages(rf, connection):
    cache.delete(GENERATION)
    assert find_database(rf.get("/lists/fesa/")) == "default"


def test_replica_is_left_out_while_the_generation_is_of_an_earlier_release(rf, connection):
    cache.set(GENERATION, "6f1c0d0e8f7b4c0c9a2f", None)
    assert find_database(rf.get("/lists/fesa/")) == "default"


def test_replica_that_does_not_answer_is_left_out_for_a_while(rf, connection, caplog):
    connection.error = OperationalError("refused")
    assert [find_database(rf.get("/lists/fesa/")) for _ in range(3)] == ["default"] * 3
    assert (connection.attempts, len(caplog.records)) == (1, 1)


def test_site_without_a_replica_has_one_database(rf):
    assert find_database(rf.get("/lists/fesa/")) == "default"


def test_router_writes_to_the_primary_database_only():
    router = ReplicaRouter()
    with read_from_replica():
        assert (router.db_for_read(Player), router.db_for_write(Player)) == ("replica", "default")
    assert router.db_for_read(Player) == "default"
    assert (router.allow_migrate("default", "ratings"), router.allow_migrate("replica", "ratings")) == (True, False)
    assert router.allow_relation(Player(), Player())
