"""Whatever is killed, cut or emptied: nothing is lost, nothing half-applied, and the next sweep finishes the work."""

import os
import random
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest
from django.db import connection

from ratings.domain.events.tables import save_details
from ratings.domain.results.deleting import delete_table
from ratings.domain.runs import rerating
from ratings.domain.runs.verifying import find_differences
from ratings.models import Change, RatedTable, Run, Standing
from ratings.queries.runs.rows import ChangeRow, StandingRow
from tests.editor import Editor
from tests.factories import make_list, make_player, make_table

from .conftest import run_killed_at
from .environment import environment, eventually, up_to_date

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]


def stored(rating_list):
    return (
        sorted(rating_list.changes.values_list(*ChangeRow._fields)),
        sorted(rating_list.standings.values_list(*StandingRow._fields)),
    )


@pytest.fixture
def pending():
    """A list that has been rated, with a correction of its first table to do."""
    fesa, players = make_list(), [make_player() for _ in range(4)]
    tables = [make_table(fesa, players, [(1, 1, 2, 1.0), (1, 3, 4, 0.5)], f"2024-01-{day:02}") for day in range(1, 6)]
    rerating.sweep()
    tables[0].games.update(score=0.0)
    save_details(tables[0])
    return fesa


def assert_finished(rating_list, before):
    """As it was before the fault, and after the next sweep as it should be."""
    assert stored(rating_list) == before
    assert not up_to_date()
    rerating.sweep()
    rating_list.refresh_from_db()
    assert (rating_list.out_of_date_from, rating_list.problem, list(find_differences(rating_list))) == (None, "", [])
    assert stored(rating_list) != before
    assert not Run.objects.filter(state="running").exists()


@pytest.mark.parametrize("place", ["compute", "store", "save_corrections", "_finish"])
def test_worker_killed_while_it_computes_or_stores_leaves_the_list_as_it_was(place, pending):
    before = stored(pending)
    run_killed_at(place)
    assert_finished(pending, before)


@pytest.mark.parametrize("place", ["compute", "save_corrections"])
def test_connection_cut_during_a_run_leaves_the_list_as_it_was(place, pending, monkeypatch):
    before = stored(pending)
    own = connection.connection.info.backend_pid
    real = getattr(rerating, place)

    def cut(*arguments):
        with psycopg.connect(environment()["DATABASE_URL"]) as other:
            other.execute("SELECT pg_terminate_backend(%s)", [own])
        return real(*arguments)

    with monkeypatch.context() as patch:
        patch.setattr(rerating, place, cut)
        rerating.sweep()
    assert_finished(pending, before)


def at_once(*several):
    """Do all of it in threads that start together."""
    barrier = threading.Barrier(len(several))

    def do(work):
        barrier.wait()
        try:
            work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(several)) as pool:
        list(pool.map(do, several))


def test_sweep_and_task_at_the_same_moment_rate_the_list_once(pending):
    rated = Run.objects.filter(state="finished").count()
    at_once(rerating.sweep, lambda: rerating.rerate_and_log(pending.pk), rerating.sweep)
    assert list(find_differences(pending)) == []
    assert Run.objects.filter(state="finished").count() == rated + 1


def test_two_officers_saving_at_once_lose_nothing(pending):
    tables = [rated.table for rated in RatedTable.objects.select_related("table").order_by("day")]

    def save(table, score):
        table.games.update(score=score)
        save_details(table)

    for _ in range(5):
        works = [lambda table=table: save(table, 0.5) for table in tables[1:4]]
        at_once(*works, rerating.sweep, lambda: save(tables[4], 1.0))
    rerating.sweep()
    assert list(find_differences(pending)) == []
    assert Standing.objects.count() == 4


def test_table_deleted_while_its_run_is_on_is_gone_afterwards(pending, monkeypatch):
    table = RatedTable.objects.latest("day").table
    real, once = rerating.compute, [table]

    def compute(*arguments):
        outcome = real(*arguments)
        if once:
            delete_table(once.pop())
        return outcome

    monkeypatch.setattr(rerating, "compute", compute)
    rerating.sweep()
    assert (up_to_date(), Change.objects.filter(day=table.last_day).exists()) == (True, False)
    assert list(find_differences(pending)) == []


def test_killed_workers_and_a_forgetful_broker_lose_nothing(worker, broker):
    """Thirty rounds of edits on two lists; FAULT_ROUNDS makes it longer by hand."""
    chance = random.Random(int(os.environ.get("FAULT_SEED", "7")))
    lists = [make_list("fesa"), make_list("go", system="rif-1995")]
    editors = [Editor(rating_list, seed) for seed, rating_list in enumerate(lists)]
    for _ in range(int(os.environ.get("FAULT_ROUNDS", "30"))):
        with worker() as process:
            time.sleep(chance.choice((0, 0, 0.5, 1.5, 2.5)))
            for editor in editors:
                for _ in range(chance.randint(1, 4)):
                    editor.edit()
            fault = chance.random()
            if fault < 0.2:
                broker.client.flushdb()
            elif fault < 0.3:
                broker.kill()
                broker.start()
            elif fault < 0.5:
                cut_everybody_else()
            time.sleep(chance.random() * 0.4)
            os.kill(process.pid, signal.SIGKILL)
    with worker(sweeping=True):
        eventually(up_to_date, 60)
    for rating_list in lists:
        rating_list.refresh_from_db()
        assert (rating_list.problem, list(find_differences(rating_list))) == ("", [])
    assert not Run.objects.filter(state="running").exists()


def cut_everybody_else():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
