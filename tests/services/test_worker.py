"""Real workers on a real broker: rating happens elsewhere, and nothing lost with a message stays lost."""

import json

import pytest
from django.db import connection, transaction
from django_guid import clear_guid, set_guid

from ratings.models import Change, RatingList
from tests.factories import make_list, make_player, make_table

from .environment import eventually, up_to_date

pytestmark = [pytest.mark.services, pytest.mark.xdist_group("broker"), pytest.mark.django_db(transaction=True)]


def test_saved_table_is_rated_by_the_worker(worker):
    fesa, a, b = make_list(), make_player(), make_player()
    with worker():
        make_table(fesa, [a, b], [(1, 1, 2, 0.5)])
        eventually(up_to_date)
    assert Change.objects.count() == 2


def test_lost_message_is_found_by_the_sweep(worker, broker):
    fesa, a, b = make_list(), make_player(), make_player()
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)])
    assert broker.waiting() > 0
    broker.client.flushdb()
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2024-02-01")
    assert broker.waiting() > 0  # what is sent afterwards arrives
    broker.client.flushdb()
    assert not up_to_date()
    with worker(sweeping=True):
        eventually(up_to_date)
    assert Change.objects.count() == 4


def test_saving_works_while_the_broker_is_down(worker, broker):
    fesa, a, b = make_list(), make_player(), make_player()
    broker.kill()
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)])
    assert not up_to_date()
    broker.start()
    with worker(sweeping=True):
        eventually(up_to_date)
    assert Change.objects.count() == 2


def test_worker_takes_tasks_after_redis_hung_during_an_acknowledgement(worker, broker, tmp_path, monkeypatch):
    monkeypatch.setenv("BROKER_SECONDS", "1")
    fesa, a, b = make_list(), make_player(), make_player()
    make_table(fesa, [a, b], [(1, 1, 2, 0.5)])
    # a heartbeat is sent again and again while Redis hangs, and no task is acknowledged meanwhile
    with worker(pool="prefork", heartbeat=False):
        with transaction.atomic():
            RatingList.objects.select_for_update().get(pk=fesa.pk)
            eventually(waits_for_a_lock)
            broker.hang()
        log = tmp_path / "worker.log"
        eventually(lambda: "Couldn't ack" in log.read_text(), state=log.read_text)
        broker.resume()
        make_table(fesa, [a, b], [(1, 1, 2, 0.5)], "2024-02-01")
        eventually(up_to_date)
    assert Change.objects.count() == 4


def test_log_lines_of_a_run_have_the_id_of_the_request(worker, tmp_path, monkeypatch):
    monkeypatch.setenv("LOG_FORMAT", "json")
    monkeypatch.setenv("LOG_LEVEL", "INFO")
    sent = "0b6f7a3c9d1e4f52a8b7c6d5e4f3a2b1"
    set_guid(sent)
    try:
        fesa, a, b = make_list(), make_player(), make_player()
        make_table(fesa, [a, b], [(1, 1, 2, 0.5)])
    finally:
        clear_guid()
    with worker():
        eventually(up_to_date)
    lines = [json.loads(line) for line in (tmp_path / "worker.log").read_text().splitlines() if line.startswith("{")]
    (run,) = [line for line in lines if "tables" in line]
    assert {name: run[name] for name in ("levelname", "request_id", "list", "tables", "rated")} == {
        "levelname": "INFO", "request_id": sent, "list": fesa.slug, "tables": 1, "rated": 1,
    }  # fmt: skip


def waits_for_a_lock():
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_stat_clear_snapshot()")  # a transaction sees the connections of its first look
        cursor.execute("SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'")
        return cursor.fetchone() is not None
