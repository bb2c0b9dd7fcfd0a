import datetime as dt

import pytest
from celery import current_app
from django.utils import timezone

from ratings import tasks
from ratings.domain.site import health
from ratings.models import Heartbeat, OutgoingMail
from tests.factories import make_list

pytestmark = pytest.mark.django_db


def test_without_a_broker_nothing_else_is_needed(client):
    response = client.get("/health/")
    assert (response.status_code, response.json()) == (
        200,
        {"database": "ok", "broker": "not used", "disk": "ok", "sweep": "not used", "lists": "ok", "outbox": "ok"},
    )  # fmt: skip


def test_missing_sweep_is_reported(client, settings, monkeypatch):
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


def test_broker_that_does_not_answer_is_reported(client, settings, monkeypatch):
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


def test_full_disk_is_reported(client, settings):
    settings.DISK_MINIMUM_MB = 10**9
    response = client.get("/health/")
    assert (response.status_code, response.json()["disk"].endswith(" MB free")) == (503, True)


def test_late_mails_are_reported_without_taking_the_site_down(client):
    mail = OutgoingMail.objects.create(sender="a@example.org", recipients=["b@example.org"], subject="s", body="b")
    assert client.get("/health/").json()["outbox"] == "ok"
    OutgoingMail.objects.update(created_at=dt.datetime(2026, 1, 2, 3, 4, tzinfo=dt.UTC))
    response = client.get("/health/")
    assert (response.status_code, response.json()["outbox"]) == (
        200,
        "1 mails wait, the oldest since 2026-01-02 03:04 UTC",
    )
    OutgoingMail.objects.filter(pk=mail.pk).update(given_up_at=timezone.now())
    assert client.get("/health/").json()["outbox"] == "1 mails could not be delivered"


def test_health_answers_without_the_database(client, without_database):
    response = client.get("/health/")
    assert (response.status_code, response.json()) == (
        503,
        {"database": "does not answer: OperationalError", "broker": "not used", "disk": "ok",
         "sweep": "not known", "lists": "not known", "outbox": "not known"},
    )  # fmt: skip
