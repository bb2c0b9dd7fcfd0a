"""POOLER_URL is used by the web only, and checked by `manage.py check --deploy`."""

import os
import subprocess
import sys

import psycopg
import pytest
from django.conf import settings
from django.core.checks import run_checks

POOLER = "postgres://web:secret@127.0.0.1:1/portal?sslmode=disable"
PRINT = """
from portal import settings
database = settings.DATABASES["default"]
print(database["ENGINE"], database["PORT"], database.get("DISABLE_SERVER_SIDE_CURSORS", False), *sorted(database["OPTIONS"]))
"""


def print_database(**variables):
    """Return what PRINT prints with a pooler in the environment, and the error if there is one."""
    own = {
        "DATABASE_URL": "postgres://worker@127.0.0.1:2/portal",
        "REDIS_URL": "redis://127.0.0.1:1/0",
        "POOLER_URL": POOLER,
        "WEB_PROCESS": "0",  # another test may have loaded portal.wsgi, which sets it
    }
    command, environment = [sys.executable, "-c", PRINT], os.environ | {"SECRET_KEY": "tests"} | own | variables
    done = subprocess.run(command, env=environment, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False)
    return done.stdout.strip() or done.stderr.strip().splitlines()[-1]


def test_web_uses_the_pooler_without_options_and_cursors_of_a_session():
    assert print_database(WEB_PROCESS="1") == "ratings.postgres 1 True connect_timeout prepare_threshold sslmode"


def test_other_processes_use_the_database_itself():
    assert print_database() == "ratings.postgres 2 False connect_timeout options"


def test_pooler_without_redis_is_refused():
    assert print_database(WEB_PROCESS="1", REDIS_URL="") == (
        "django.core.exceptions.ImproperlyConfigured: set REDIS_URL, or remove POOLER_URL: without Redis the web rates"
        " lists, which needs a session of PostgreSQL"
    )


@pytest.mark.parametrize(
    ("url", "missing", "expected"),
    [("", ["lock_timeout"], []), (POOLER, [], []), (POOLER, ["lock_timeout"], ["portal.W003"])],
)
def test_check_warns_of_values_that_sessions_of_the_pooler_lack(url, missing, expected, settings, monkeypatch):
    settings.POOLER_URL = url
    monkeypatch.setattr("portal.site.checks.find_missing_settings", lambda _url, _similarity: missing)
    assert [message.id for message in run_checks(tags=["pooler"], include_deployment_checks=True)] == expected


def test_check_warns_of_a_pooler_that_does_not_answer(settings, monkeypatch):
    def fail(_url, _similarity):
        raise psycopg.OperationalError("connection refused")

    settings.POOLER_URL = POOLER
    monkeypatch.setattr("portal.site.checks.find_missing_settings", fail)
    [warning] = run_checks(tags=["pooler"], include_deployment_checks=True)
    assert (warning.id, warning.msg) == (
        "portal.W004",
        "The pooler in POOLER_URL does not answer: connection refused",
    )
