import datetime as dt

import pytest
from celery import current_app
from django.utils import timezone

from ratings import tasks
from ratings.domain import health
from ratings.models import Heartbeat
from tests.factories import make_list

pytestmark = pytest.mark.django_db


def test_without_a_broker_nothing_else_is_needed(client):
    response = client.get("/health/")
    assert (response.status_code, response.json()) == (
        200, {"database": "ok", "broker": "not used", "sweep": "not used", "lists": "ok"}
    )  # fmt: skip


def test_sweep_that_does_not_come_by_is_told(client, settings, monkeypatch):
    settings.CELERY_TASK_ALWAYS_EAGER = False
    monkeypatch.setattr(health, "_broker", lambda: "ok")
    response = client.get("/health/")
    assert (response.status_code, response.json()["sweep"]) == (
        503, "has never run; are a worker and beat started?"
    )  # fmt: skip
    tasks.sweep()
    assert client.get("/health/").status_code == 200
    Heartbeat.objects.update(at=timezone.now() - dt.timedelta(hours=1))
    response = client.get("/health/")
    assert (response.status_code, response.json()["sweep"]) == (503, "last ran 3600 seconds ago")


def test_broker_that_does_not_answer_is_told(client, settings, monkeypatch):
    def refuse(**kwargs):
        raise ConnectionRefusedError

    settings.CELERY_TASK_ALWAYS_EAGER = False
    monkeypatch.setattr(current_app, "connection_for_write", refuse)
    response = client.get("/health/")
    assert (response.status_code, response.json()["broker"]) == (503, "does not answer: ConnectionRefusedError")


def test_list_that_cannot_be_rated_is_named(client):
    make_list("broken", problem="why")
    response = client.get("/health/")
    assert (response.status_code, response.json()["lists"]) == (200, "cannot be rated: broken")
