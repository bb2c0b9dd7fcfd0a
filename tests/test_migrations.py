"""New databases and those of the last release get the same tables, and rows of the last release stay."""

import json
import os
import subprocess
import sys
from types import SimpleNamespace

import psycopg
import pytest
from django.db import connection
from django.db.utils import ConnectionHandler

from tests.schema import read_schema

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def name(tmp_path_factory, django_db_setup):
    """Name of an empty database, beside that of the tests; it is dropped at the end."""
    if connection.vendor == "sqlite":
        yield str(tmp_path_factory.mktemp("last_release") / "db.sqlite3")
        return
    name = f"{connection.settings_dict['NAME']}_last_release"
    with psycopg.connect(os.environ["DATABASE_URL"], autocommit=True) as server:
        server.execute(f'DROP DATABASE IF EXISTS "{name}"')
        server.execute(f'CREATE DATABASE "{name}"')
        yield name
        server.execute(f'DROP DATABASE "{name}"')


@pytest.fixture(scope="module")
def upgraded(name, django_db_blocker):
    """A database of the last release, with rows, that was migrated by the present code: its schema and a reader."""
    server = os.environ.get("DATABASE_URL", "").rpartition("/")[0]
    url = f"sqlite:///{name}" if connection.vendor == "sqlite" else f"{server}/{name}"
    command, environment = [sys.executable, "-m", "tests.upgrading"], {**os.environ, "DATABASE_URL": url}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "No changes detected\n", "")
    database = ConnectionHandler({"default": {**connection.settings_dict, "NAME": name}})["default"]

    def read(query):
        with django_db_blocker.unblock(), database.cursor() as cursor:
            cursor.execute(query)
            return cursor.fetchall()

    with django_db_blocker.unblock():
        yield SimpleNamespace(schema=read_schema(database), applied=names_of_applied(database), read=read)
        database.close()


@pytest.fixture(scope="module")
def new(tmp_path_factory, django_db_setup, django_db_blocker):
    """A new database that was migrated: its schema and the migrations of ratings that it counts as applied."""
    with django_db_blocker.unblock():
        if connection.vendor != "sqlite":
            return SimpleNamespace(schema=read_schema(connection), applied=names_of_applied(connection))
        path = str(tmp_path_factory.mktemp("new") / "db.sqlite3")
        command, environment = (
            [sys.executable, "manage.py", "migrate"],
            {**os.environ, "DATABASE_URL": f"sqlite:///{path}"},
        )
        subprocess.run(command, env=environment, capture_output=True, check=True)
        database = ConnectionHandler({"default": {**connection.settings_dict, "NAME": path}})["default"]
        try:
            return SimpleNamespace(schema=read_schema(database), applied=names_of_applied(database))
        finally:
            database.close()


def names_of_applied(database):
    with database.cursor() as cursor:
        cursor.execute("SELECT name FROM django_migrations WHERE app = 'ratings'")
        return {name for (name,) in cursor.fetchall()}


def test_database_of_the_last_release_gets_the_tables_of_a_new_one(upgraded, new):
    assert (sorted(upgraded.schema - new.schema), sorted(new.schema - upgraded.schema)) == ([], [])
    assert len(new.schema) > 500


def test_models_and_migrations_make_the_same_tables(new):
    """Tests on SQLite take the tables of the models (tests/settings.py), without that of the migrations."""
    present, migrated = read_schema(connection), {part for part in new.schema if "django_migrations" not in part}
    present = {part for part in present if "django_migrations" not in part}
    assert (sorted(present - migrated), sorted(migrated - present)) == ([], [])


def test_database_of_the_last_release_counts_as_one_of_the_squashed_migration(upgraded, new):
    assert upgraded.applied == new.applied
    assert "0001_squashed_0036_submissions" in new.applied


def test_earlier_answers_and_announcements_are_recorded(upgraded):
    steps = upgraded.read("""
        SELECT s.what, s."values", s.reason, p.public_id, l.slug, u.username
        FROM ratings_recordedstep s JOIN ratings_player p ON p.id = s.player_id JOIN auth_user u ON u.id = s.by_id
        LEFT JOIN ratings_ratinglist l ON l.id = s.list_id ORDER BY s.id""")
    assert [(what, json.loads(values), *more) for what, values, *more in steps] == [
        ("claim answered", {"claim": 1, "state": "granted"}, "Welcome", "ADA2345", None, "olga"),
        ("grade announced", {"decision": 1, "grade": "1 Dan", "day": "2025-04-30"}, "congress", "ADA2345", "fesa", "olga"),
    ]  # fmt: skip


def test_keys_keep_what_they_were_allowed_to(upgraded):
    [(label, scopes)] = upgraded.read("SELECT label, scopes FROM ratings_apikey")
    assert (label, json.loads(scopes)) == ("Pairing program", ["events", "read", "results"])


def test_name_of_a_federation_becomes_a_federation(upgraded):
    lists = upgraded.read("""
        SELECT l.slug, f.name, f.slug, f.house FROM ratings_ratinglist l
        JOIN ratings_federation f ON f.id = l.federation_id ORDER BY l.id""")
    assert lists == [("fesa", "FESA", "fesa", "indigo")]


def test_rows_of_the_last_release_stay(upgraded):
    games = upgraded.read("""
        SELECT e.name, e.state, e.version, g.round, a.public_id, b.public_id, g.score
        FROM ratings_game g JOIN ratings_table t ON t.id = g.table_id JOIN ratings_event e ON e.id = t.event_id
        JOIN ratings_entry x ON x.id = g.a_id JOIN ratings_player a ON a.id = x.player_id
        JOIN ratings_entry y ON y.id = g.b_id JOIN ratings_player b ON b.id = y.player_id""")
    assert games == [("Cup", "accepted", 1, 1, "ADA2345", "BEN2345", 0.5)]
    assert upgraded.read("SELECT grade, ruling, reason, version FROM ratings_decision ORDER BY date") == [
        ("1 Dan", "kept", "congress; earned in the Cup", 1), ("2 Dan", "given", "by hand", 1),
    ]  # fmt: skip
    assert upgraded.read("SELECT state, answer FROM ratings_claim ORDER BY id") == [
        ("granted", "Welcome"),
        ("open", ""),
    ]
