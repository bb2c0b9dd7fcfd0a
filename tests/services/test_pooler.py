"""Two web servers that share three connections by PgBouncer in transaction mode, while a worker rates directly."""

import shutil
import signal
import time

import psycopg
import pytest
from django.core.checks import run_checks
from django.core.management import call_command
from django.db import connection

from ratings.models import Event, RatingList

from .environment import eventually
from .invariants import assert_nothing_lost, find_missing_steps
from .pooler import CONNECTIONS, PooledSite, Pooler, read_documented
from .scenes import PUBLIC, people_at_work, settle

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]
FILES = ("/lists/fesa/list.csv", "/lists/go/history.json", "/lists/fesa/log/export.zip", "/lists/go/digest.txt")
"""Files of many rows, which are read in chunks where there is no pooler."""
VISITORS = 7
LEAST_STEPS = {"submitted": 8, "accepted": 5}
RESTARTS = (signal.SIGKILL, signal.SIGTERM, signal.SIGKILL)


def set_role_values():
    """Give the role the values of docs/operations.md in the database of the tests."""
    database = connection.settings_dict
    with connection.cursor() as cursor:
        cursor.execute("SELECT show_trgm('')")  # with pg_trgm loaded, its settings need no superuser
        for statement in read_documented("sql").splitlines():
            own = statement.replace("portal_web", database["USER"])
            cursor.execute(own.replace("DATABASE portal ", f'DATABASE "{database["NAME"]}" '))


@pytest.fixture
def pooler(db):
    server = Pooler()
    set_role_values()
    server.start()
    yield server
    server.end()
    with connection.cursor() as cursor:
        cursor.execute(f'ALTER ROLE {server.user} IN DATABASE "{server.name}" RESET ALL')
    shutil.rmtree(server.folder)


@pytest.fixture
def site(tmp_path, broker, scene, pooler):
    with PooledSite(tmp_path, broker, pooler).running() as running:
        for path in (*PUBLIC, *FILES) * 2:
            assert running.get(path).status == 200, path
        yield running


def restart(site, pooler, journal, by):
    """End PgBouncer for two seconds, and note in the journal how long the site is without it."""
    journal.wait_for_form(("accept", "submit", "save"), seconds=4)
    journal.faults.append("no pooler")
    pooler.end(by)
    time.sleep(2)
    pooler.start()
    eventually(site.is_well, 60)
    journal.faults.append("")


def test_web_behind_a_pooler_loses_nothing_while_it_is_restarted(site, users, scene, pooler, journal):
    began = dict(Event.objects.values_list("pk", "state"))
    counted = []
    with people_at_work(site, journal, users, 7, scene, visitors=VISITORS) as people:
        for by in RESTARTS:
            for _second in range(6):
                time.sleep(1)
                counted.append(pooler.count_connections())
            restart(site, pooler, journal, by)
        eventually(lambda: not find_missing_steps(LEAST_STEPS), 300, lambda: find_missing_steps(LEAST_STEPS))
    print("\n".join(["", *journal.table(), *journal.done(), str(counted)]))  # noqa: T201 - read where the test fails
    assert [person.error for person in people if person.error] == []
    settle(site)
    assert_nothing_lost(site, journal, began)
    assert journal.problems == []
    failed = [line for line in journal.lines if line.answer.status >= 500 or line.answer.status == 0]
    assert [str(line) for line in failed if line.answer.status != 503 or "no pooler" not in line.faults] == []
    assert max(servers for _clients, servers in counted) <= CONNECTIONS < max(clients for clients, _servers in counted)
    for rating_list in RatingList.objects.all():
        call_command("verify", list=rating_list.slug)


def test_sessions_behind_the_pooler_have_the_limits_of_the_role(pooler):
    with psycopg.connect(pooler.url) as session:
        values = session.execute(
            "SELECT current_setting('statement_timeout'), current_setting('lock_timeout'),"
            " current_setting('idle_in_transaction_session_timeout'), current_setting('pg_trgm.word_similarity_threshold')"
        ).fetchone()
    assert values == ("15s", "7s", "1min", "0.32")


def test_check_names_values_that_the_role_lacks(pooler, settings):
    settings.POOLER_URL = pooler.url
    assert run_checks(tags=["pooler"], include_deployment_checks=True) == []
    with connection.cursor() as cursor:
        cursor.execute(f'ALTER ROLE {pooler.user} IN DATABASE "{pooler.name}" RESET lock_timeout')
        cursor.execute(f'ALTER ROLE {pooler.user} IN DATABASE "{pooler.name}" RESET pg_trgm.word_similarity_threshold')
    pooler.end()
    pooler.start()
    [warning] = run_checks(tags=["pooler"], include_deployment_checks=True)
    assert (warning.id, warning.msg) == (
        "portal.W003",
        "Sessions of the pooler lack a time limit or the threshold of the search: lock_timeout,"
        " pg_trgm.word_similarity_threshold.",
    )
