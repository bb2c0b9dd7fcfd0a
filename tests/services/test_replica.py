"""A site with a replica of its database, which PostgreSQL keeps by streaming."""

import itertools
import shutil
import time

import pytest
import requests
from django.conf import settings

from .cluster import Cluster, make_folder
from .environment import eventually
from .processes import web_process
from .site import BROWSER
from .test_least_rights import SMALL_DEMO, environment, manage, run_code

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker")]
SIGN_IN = """
import django; django.setup()
from django.contrib.auth.models import User
from django.test import Client
browser = Client()
browser.force_login(User.objects.get(username="admin"))
print(browser.cookies["sessionid"].value)
"""
LINES = ("First line", "Second line", "Third line", "Fourth line")
LAG = 5
"""Seconds after a purge of pages in which the replica is not read."""
CHANGE_AND_PURGE = """
import django; django.setup()
from ratings.models import Federation
federation = Federation.objects.get(pk={pk})
federation.description = "{line}"
federation.save()
"""


def read_documented_settings():
    """Return the settings of the primary server that docs/operations.md asks for."""
    part = (settings.BASE_DIR / "docs" / "operations.md").read_text().partition("## A replica for readers")[2]
    return part.partition("postgresql.conf: ")[2].partition("\n")[0].split(", ")


def read_documented_role():
    """Return the statement that makes the role by which the replica reads the primary server."""
    part = (settings.BASE_DIR / "docs" / "operations.md").read_text().partition("## A replica for readers")[2]
    return part[part.index("CREATE ROLE replication") :].split('"')[0].replace("…", "secret")


@pytest.fixture(scope="module")
def servers():
    """A primary server and its replica."""
    primary, standby = Cluster(make_folder()), Cluster(make_folder())
    primary.initialize("fsync = off", *read_documented_settings())
    primary.start()
    try:
        primary.query("CREATE DATABASE portal")
        primary.query(read_documented_role())
        source = primary.url("replication")
        command = ["--pgdata", standby.data, "--write-recovery-conf", "--checkpoint=fast", "--dbname", source]
        standby.run("pg_basebackup", *command)
        with standby.settings.open("a") as file:
            file.write(f"port = {standby.port}\nunix_socket_directories = '{standby.folder}'\n")
        standby.start()
        yield primary, standby
    finally:
        standby.stop()
        primary.stop()
        shutil.rmtree(primary.folder)
        shutil.rmtree(standby.folder)


def test_replica_serves_anonymous_pages_and_nothing_else(servers, tmp_path, broker):
    primary, standby = servers
    redis_url = {"REDIS_URL": settings.REDIS_URL}
    role = {"user": "postgres", **redis_url}
    manage(primary, "migrate", "--verbosity=0", **role)
    run_code(primary, SMALL_DEMO, DEBUG="1", **role)
    session = run_code(primary, SIGN_IN, **role).strip()
    [(pk, slug)] = primary.query("SELECT id, slug FROM ratings_federation ORDER BY id LIMIT 1", name="portal")
    described = "SELECT description FROM ratings_federation WHERE id = %s"
    numbers = itertools.count()

    def describe(line):
        primary.query("UPDATE ratings_federation SET description = %s WHERE id = %s", line, pk, name="portal")

    def read(site, **cookies):
        """Return the line that a page of the federation shows; no cached page has its address."""
        address = f"{site}/federations/{slug}/?{next(numbers)}"
        page = requests.get(address, headers=BROWSER, cookies=cookies, timeout=60)
        assert page.status_code == 200, page.text
        return next(line for line in LINES if line in page.text)

    first, second, third, fourth = LINES
    describe(first)
    eventually(lambda: standby.query(described, pk, name="portal") == [(first,)])
    own = environment(
        primary, "postgres", REPLICA_URL=standby.url(name="portal"), REPLICA_LAG_SECONDS=str(LAG), **redis_url
    )
    with web_process(settings.BASE_DIR, tmp_path, "web", **own) as site:
        standby.query("SELECT pg_wal_replay_pause()")
        describe(second)
        eventually(lambda: read(site) == first, 30)
        assert read(site, sessionid=session) == second
        run_code(primary, CHANGE_AND_PURGE.format(pk=pk, line=third), **role)
        assert read(site) == third  # the replica still has the first line, and is left out after a purge
        standby.query("SELECT pg_wal_replay_resume()")
        eventually(lambda: standby.query(described, pk, name="portal") == [(third,)])
        standby.stop()
        end = time.monotonic() + LAG + 2
        while time.monotonic() < end:  # pages need no replica
            assert read(site) == third
        standby.start()
        standby.query("SELECT pg_wal_replay_pause()")
        describe(fourth)
        eventually(lambda: read(site) == third, 30)
