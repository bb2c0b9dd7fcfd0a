"""Figures for monitoring programs, and ids of requests in the log."""

import datetime as dt
import logging
import re

import pytest
import time_machine
from prometheus_client.parser import text_string_to_metric_families

from portal.site.request_ids import RequestId
from ratings.domain.site.webhooks import send_test_message
from ratings.models import EventStep, OutgoingMail, RatingList, Report, Submission, WebhookDelivery
from ratings.queries.site.metrics import Pending, read_figures
from tests.domain.site.webhooks import store, subscribe
from tests.factories import make_event, make_list, make_player, make_table, rate_every_list

pytestmark = pytest.mark.django_db
NOW = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC)
TOKEN = {"authorization": "Bearer long-token"}


def read_metrics(client):
    """Return the portal's own figures by name and label."""
    text = client.get("/metrics", headers=TOKEN).text
    samples = [sample for family in text_string_to_metric_families(text) for sample in family.samples]
    return {
        (sample.name.removeprefix("portal_"), *sample.labels.values()): sample.value
        for sample in samples
        if sample.name.startswith("portal_")
    }


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer other"}, {"authorization": "long-token"}])
def test_metrics_are_for_those_with_the_token_only(headers, client, settings):
    settings.METRICS_TOKEN = "long-token"
    assert client.get("/metrics", headers=headers).status_code == 404
    assert client.get("/metrics", headers=TOKEN).status_code == 200


def test_without_a_token_there_are_no_metrics(client, settings):
    settings.METRICS_TOKEN = ""
    assert [client.get("/metrics", headers=each).status_code for each in ({}, {"authorization": "Bearer "})] == [
        404,
        404,
    ]


def test_metrics_count_requests_and_pending_items(client, settings):
    settings.METRICS_TOKEN = "long-token"
    client.get("/")
    with time_machine.travel(NOW, tick=False):
        fesa = make_list("fesa")
        make_table(fesa, [make_player("Ada"), make_player("Ben")], [(1, 1, 2, 1.0)])
        rate_every_list()
        make_list("chess", system="icu-1989")
        RatingList.objects.filter(slug="chess").update(out_of_date_from="2026-01-01")
        event = make_event("Cup", "2026-02-28", [fesa])
        Submission.objects.create(event=event, state="submitted", first_day=event.start, last_day=event.end)
        event.steps.create(what=EventStep.What.SUBMITTED)
        EventStep.objects.update(at=NOW - dt.timedelta(hours=2))
        Report.objects.create(text="wrong")
        Report.objects.create(text="answered", state=Report.State.MENDED)
        Report.objects.filter(state=Report.State.OPEN).update(at=NOW - dt.timedelta(hours=1))
        OutgoingMail.objects.all().delete()
        OutgoingMail.objects.create(given_up_at=NOW, recipients=["a@example.org"])
        hook, _ = subscribe(fesa.federation)
        store(hook, 1, 2, 3)
        WebhookDelivery.objects.filter(pk=hook.deliveries.latest("pk").pk).update(status="given up")
    with time_machine.travel(NOW + dt.timedelta(minutes=1), tick=False):
        found = read_metrics(client)
    assert {key: value for key, value in found.items() if key[0] != "run_seconds"} == {
        ("list_out_of_date", "chess"): 1,
        ("list_out_of_date", "fesa"): 0,
        ("list_age_seconds", "fesa"): 60,
        ("pending", "submissions"): 1,
        ("pending", "reports"): 1,
        ("pending", "mails"): 0,
        ("pending", "webhooks"): 2,
        ("pending_oldest_seconds", "submissions"): 7260,
        ("pending_oldest_seconds", "reports"): 3660,
        ("pending_oldest_seconds", "mails"): 0,
        ("pending_oldest_seconds", "webhooks"): 60,
        ("failed", "mails"): 1,
        ("failed", "webhooks"): 1,
        ("failed", "webhooks_switched_off"): 0,
    }
    assert ("run_seconds", "fesa") in found


def test_figures_are_read_with_eight_queries(django_assert_num_queries):
    hook, _ = subscribe(make_list("fesa").federation)
    send_test_message(hook)
    with django_assert_num_queries(8):
        figures = read_figures()
    assert figures.pending["mails"] == Pending(0, 0.0)


def test_log_lines_of_a_request_have_its_id(client, caplog):
    caplog.handler.addFilter(RequestId())
    sent = "0b6f7a3c9d1e4f52a8b7c6d5e4f3a2b1"
    response = client.get("/nothing-here/", headers={"x-request-id": sent})
    (record,) = [record for record in caplog.records if record.name == "django.request"]
    assert (response["X-Request-Id"], record.request_id, record.request) == (sent, sent, f" [{sent}]")


def test_id_that_is_none_is_replaced(client):
    found = client.get("/", headers={"x-request-id": "<script>"})["X-Request-Id"]
    assert re.fullmatch("[0-9a-f]{32}", found)


def test_log_lines_outside_requests_have_no_id():
    record = logging.LogRecord("portal", logging.INFO, __file__, 1, "text", None, None)
    assert RequestId().filter(record)
    assert (record.request_id, record.request) == ("", "")
