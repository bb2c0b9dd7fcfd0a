import datetime as dt
import re

import pytest
from celery import current_app
from django.utils import timezone

from ratings import tasks
from ratings.domain.site import health
from ratings.models import Heartbeat, OutgoingMail, RatingList, WebhookDelivery, WebhookSubscription
from tests.domain.site.webhooks import store, subscribe
from tests.factories import make_list, make_user
from tests.markup import markup

pytestmark = pytest.mark.django_db


def test_without_a_broker_nothing_else_is_needed(client):
    response = client.get("/health/")
    assert (response.status_code, response.json()) == (
        200,
        {"database": "ok", "broker": "not used", "disk": "ok", "sweep": "not used", "lists": "ok", "outbox": "ok",
         "webhooks": "ok"},
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


def test_webhooks_that_nobody_sends_are_reported(client):
    """Messages to a program that fails are the business of its owner."""
    hook, _secret = subscribe(make_list().federation)
    store(hook, 1, 2)
    hour_ago = timezone.now() - dt.timedelta(hours=1)
    found = []
    for values in ({}, {"next_try_at": hour_ago}, {"failing_since": hour_ago}):
        WebhookSubscription.objects.update(**values)
        WebhookDelivery.objects.update(created_at=hour_ago)
        response = client.get("/health/")
        found.append((response.status_code, response.json()["webhooks"]))
    waiting = "2 messages wait; is a worker of the queue “webhooks” started?"
    assert found == [(200, "ok"), (200, waiting), (200, "ok")]


def test_health_answers_without_the_database(client, without_database):
    response = client.get("/health/")
    assert (response.status_code, response.json()) == (
        503,
        {"database": "does not answer: OperationalError", "broker": "not used", "disk": "ok",
         "sweep": "not known", "lists": "not known", "outbox": "not known", "webhooks": "not known"},
    )  # fmt: skip


def test_health_page_shows_administrators_each_part_of_the_site(client):
    client.force_login(make_user("anna", is_superuser=True))
    rating_list = make_list()
    page = client.get("/organise/health/")
    assert page.context["lede"] == "All parts of the site work."
    RatingList.objects.filter(pk=rating_list.pk).update(problem="broken")
    page = client.get("/organise/health/")
    assert page.context["lede"] == "1 part of the site does not work."
    rows = re.findall(r"<b>([^<]*)</b></th>.*?class=\"tag ?(\w*)\">\s*([^<]*?)\s*</span>", markup(page))
    assert rows == [
        ("Database", "good", "works"),
        ("Queue of tasks", "", "not used"),
        ("Background worker", "", "not used"),
        ("Rating lists", "bad", "fails"),
        ("Outgoing email", "good", "works"),
        ("Webhooks", "good", "works"),
        ("Disk space", "good", "works"),
    ]
    assert '<span class="second" lang="en">cannot be rated: fesa</span>' in markup(page)
    assert "no-store" in page["Cache-Control"]


def test_health_page_is_for_administrators(client):
    assert client.get("/organise/health/").url == "/accounts/login/?next=/organise/health/"
    client.force_login(make_user("somebody"))
    assert client.get("/organise/health/").status_code == 403
