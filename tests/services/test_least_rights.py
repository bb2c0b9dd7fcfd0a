"""A site whose role of the database has no rights on the schema, and whose Redis asks for a password."""

import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
import redis
import requests
from django.conf import settings
from psycopg import sql

from .cluster import Cluster, make_folder
from .environment import eventually
from .site import free_port, listens

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker")]
OPERATIONS = Path(settings.BASE_DIR, "docs", "operations.md")
SMALL_DEMO = """
import django; django.setup()
from django.core.management import call_command
from ratings.domain.runs import copy_rows
from ratings.management.commands import demo
copy_rows.COPY_MINIMUM = 20  # also runs of a small demo write with COPY
demo.SIZE = 0.15
call_command("demo")
"""
RATE_AGAIN = """
import datetime, django; django.setup()
from ratings.domain.runs.marking import mark_lists_out_of_date
from ratings.models import RatingList
mark_lists_out_of_date(RatingList.objects.all(), datetime.date.min, "test")
"""


def read_documented_sql():
    """Return the statements of docs/operations.md that make the roles, with a password."""
    part = OPERATIONS.read_text().partition("## Roles of the database")[2]
    return re.search(r"```sql\n(.*?)```", part, re.DOTALL)[1].replace("…", "secret")


def run_sql(cluster, statements, name="postgres"):
    """Run statements as the superuser, in the folder of the checkout as an administrator does."""
    psql = ["psql", "--no-psqlrc", "--quiet", "--set=ON_ERROR_STOP=1", cluster.url(name=name)]
    subprocess.run(psql, input=statements, text=True, check=True, cwd=settings.BASE_DIR)


@pytest.fixture(scope="module")
def cluster():
    """A server with the documented roles, whose tables were made by the owner of the schema."""
    server = Cluster(make_folder())
    server.initialize("fsync = off")
    server.start()
    try:
        run_sql(server, read_documented_sql())
        manage(server, "migrate", "--verbosity=0", user="portal_owner")
        yield server
    finally:
        server.stop()
        shutil.rmtree(server.folder)


@pytest.fixture
def guarded_redis(tmp_path):
    """A Redis that asks for a password; gives its address with the password."""
    port = free_port()
    command = ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--requirepass", "secret", "--save", ""]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, cwd=tmp_path)
    eventually(lambda: listens(port))
    yield f"redis://:secret@127.0.0.1:{port}/0"
    process.terminate()
    process.wait()


def environment(cluster, user, **variables):
    own = {"DATABASE_URL": cluster.url(user, "portal"), "DJANGO_SETTINGS_MODULE": "tests.services.site_settings"}
    return os.environ | {"SECRET_KEY": "tests", "REDIS_URL": "", "WEB_WORKERS": "1"} | own | variables


def manage(cluster, *arguments, user="portal_web", **variables):
    """Run a command of manage.py as one of the roles, and return its output."""
    command = [sys.executable, "manage.py", *map(str, arguments)]
    done = subprocess.run(
        command, env=environment(cluster, user, **variables), cwd=settings.BASE_DIR,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    return done.stdout


def run_code(cluster, code, user="portal_web", **variables):
    """Run Python code as one of the roles, and return its output."""
    own, command = environment(cluster, user, **variables), [sys.executable, "-c", code]
    return subprocess.run(command, env=own, cwd=settings.BASE_DIR, check=True, stdout=subprocess.PIPE, text=True).stdout


@contextmanager
def running_site(cluster, folder, redis_url):
    """Run web, rating worker and beat as the role of the site; the value is the address of the web."""
    port = free_port()
    celery = ["-m", "celery", "-A", "portal"]
    commands = [
        ["-m", "gunicorn", "portal.wsgi", "--bind", f"127.0.0.1:{port}"],
        [*celery, "worker", "--concurrency", "1", "-Q", "rating,celery", "--beat", f"--schedule={folder / 'beat'}"],
    ]
    own = environment(cluster, "portal_web", REDIS_URL=redis_url, SWEEP_SECONDS="2")
    with (folder / "site.log").open("w") as log:
        processes = [
            subprocess.Popen([sys.executable, *command], env=own, cwd=settings.BASE_DIR, stdout=log, stderr=log)
            for command in commands
        ]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(timeout=60)


def up_to_date(cluster):
    return cluster.query("SELECT * FROM ratings_ratinglist WHERE out_of_date_from IS NOT NULL", name="portal") == []


def test_site_and_workers_need_no_rights_on_the_schema(cluster, guarded_redis, tmp_path):
    run_code(cluster, SMALL_DEMO, DEBUG="1")
    with running_site(cluster, tmp_path, guarded_redis) as site:

        def is_well():
            return listens(int(site.rpartition(":")[2])) and requests.get(f"{site}/health/", timeout=60).ok

        eventually(is_well, 180, state=(tmp_path / "site.log").read_text)
        run_code(cluster, RATE_AGAIN, REDIS_URL=guarded_redis)
        eventually(lambda: up_to_date(cluster), 180, state=(tmp_path / "site.log").read_text)
        pages = ["/", "/lists/shogi/", "/events/", "/search/?q=ito", "/api/v1/lists"]
        assert [requests.get(f"{site}{page}", timeout=60).status_code for page in pages] == [200] * len(pages)
    assert "changes exact" in manage(cluster, "verify", "--list", "shogi")
    [(failed,)] = cluster.query("SELECT count(*) FROM ratings_run WHERE state = 'failed'", name="portal")
    assert failed == 0


@pytest.mark.parametrize(
    "statement",
    [
        "CREATE TABLE mine (id int)",
        "DROP TABLE ratings_game",
        "TRUNCATE ratings_game CASCADE",
        "ALTER TABLE ratings_game ADD COLUMN mine int",
        "CREATE INDEX ON ratings_game (round)",
        "CREATE SCHEMA mine",
        "CREATE EXTENSION hstore",
        "CREATE FUNCTION mine() RETURNS int LANGUAGE sql AS 'SELECT 1'",
        "DROP SCHEMA public CASCADE",
    ],
)
def test_role_of_the_site_cannot_change_the_schema(statement, cluster):
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        cluster.query(statement, user="portal_web", name="portal")


def test_role_of_the_site_makes_backups_that_the_owner_restores(cluster, tmp_path):
    manage(cluster, "backup", tmp_path / "a.zip")
    cluster.query("CREATE DATABASE restored OWNER portal_owner")
    restored = cluster.url("portal_owner", "restored")
    run_sql(cluster, "\\i deploy/database_rights.sql", "restored")
    assert "equal to the backup" in manage(cluster, "restore", tmp_path / "a.zip", DATABASE_URL=restored)
    use_as_web(cluster, "restored")
    manage(cluster, "restore", tmp_path / "a.zip", "--replace", DATABASE_URL=restored)
    use_as_web(cluster, "restored")


def use_as_web(cluster, name):
    """Read all tables, and write a row, as the role of the site; without its rights, PostgreSQL refuses it."""
    tables = cluster.query("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", name=name)
    assert len(tables) > 50
    for (table,) in tables:
        cluster.query(sql.SQL("SELECT * FROM {} LIMIT 1").format(sql.Identifier(table)), user="portal_web", name=name)
    cluster.query("INSERT INTO ratings_heartbeat (name, at) VALUES ('test', now())", user="portal_web", name=name)


def test_containers_have_the_role_of_the_site(cluster):
    """The script of compose.yaml, which owns the tables as POSTGRES_USER; it can be run again, for older volumes."""
    cluster.query("CREATE ROLE portal LOGIN SUPERUSER")
    cluster.query("CREATE DATABASE containers OWNER portal")
    variables = {
        "PGHOST": "127.0.0.1", "PGPORT": str(cluster.port), "POSTGRES_USER": "portal", "POSTGRES_DB": "containers",
        "WEB_DATABASE_PASSWORD": "se'cret", "RIGHTS": "deploy/database_rights.sql",
    }  # fmt: skip
    script = ["sh", "deploy/postgres/roles.sh"]
    for _ in range(2):
        subprocess.run(script, check=True, cwd=settings.BASE_DIR, env=os.environ | variables)
        cluster.query("CREATE TABLE IF NOT EXISTS own (id serial)", user="portal", name="containers")
    cluster.query("INSERT INTO own DEFAULT VALUES", user="portal_web", name="containers")
    with pytest.raises(psycopg.errors.InsufficientPrivilege):
        cluster.query("DROP TABLE own", user="portal_web", name="containers")


def test_site_uses_a_redis_with_a_password(cluster, guarded_redis, tmp_path):
    """Cache, limits and messages to workers are there, and nobody reads them without the password."""
    place = guarded_redis.partition("@")[2]
    with pytest.raises(redis.AuthenticationError):
        redis.Redis.from_url(f"redis://{place}").ping()
    run_code(cluster, RATE_AGAIN, REDIS_URL=guarded_redis)
    with redis.Redis.from_url(guarded_redis) as client:
        lists = cluster.query("SELECT count(*) FROM ratings_ratinglist", name="portal")[0][0]
        assert client.llen("rating") >= lists
        with running_site(cluster, tmp_path, guarded_redis) as site:
            eventually(lambda: listens(int(site.rpartition(":")[2])))
            requests.get(f"{site}/", timeout=60)
            eventually(lambda: client.keys("portal:*"))
