import pytest
from kombu.exceptions import OperationalError

from portal.celery import app
from ratings import tasks
from ratings.domain.runs.task_queue import send_task
from ratings.models import Change, RatingList
from tests.factories import make_list, make_player, make_table

pytestmark = pytest.mark.django_db


def test_broker_that_is_down_loses_nothing(monkeypatch, caplog, django_capture_on_commit_callbacks):
    def refuse(*arguments):
        raise OperationalError("connection refused")

    monkeypatch.setattr(tasks.rerate_list, "delay", refuse)
    fesa, a, b = make_list(), make_player(), make_player()
    with django_capture_on_commit_callbacks(execute=True):
        make_table(fesa, [a, b], [(1, 1, 2, 0.5)])  # saved all the same
    assert "ratings.rerate" in caplog.text
    assert "the next sweep will find the work" in caplog.text
    assert RatingList.objects.filter(out_of_date_from__isnull=False).exists()
    tasks.sweep()
    assert Change.objects.count() == 2


def test_failed_queue_is_not_used_for_a_while(monkeypatch, django_capture_on_commit_callbacks):
    tried = []

    def refuse(*arguments):
        tried.append(arguments)
        raise OperationalError("timed out")

    monkeypatch.setattr(tasks.rerate_list, "delay", refuse)
    app.conf.task_always_eager = False
    try:
        with django_capture_on_commit_callbacks(execute=True):
            for number in range(3):
                send_task("ratings.rerate", number)
    finally:
        app.conf.task_always_eager = True
    assert tried == [(0,)]
