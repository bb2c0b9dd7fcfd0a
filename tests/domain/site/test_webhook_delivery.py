"""Webhooks arrive at least once and in order, whatever the program that receives them does."""

import datetime as dt
import json

import pytest
from django.utils import timezone
from time_machine import travel

from ratings.domain.site import webhook_delivery, webhook_sending
from ratings.domain.site.outbox import deliver_outbox
from ratings.domain.site.retention import delete_expired
from ratings.domain.site.webhook_delivery import (
    LEASE,
    deliver_all,
    deliver_ping,
    deliver_subscription,
    request_due_deliveries,
)
from ratings.domain.site.webhooks import (
    delete_subscription,
    pause_subscription,
    replay_delivery,
    replay_since,
    resume_subscription,
    rotate_secret,
    send_test_message,
)
from ratings.models import Notification, WebhookDelivery, WebhookSubscription
from tests.factories import make_list, make_user
from tests.receiver import Receiver

from .webhooks import at, listed, sign, store, subscribe

pytestmark = pytest.mark.django_db
START = at("2031-03-02T12:00:00")


@pytest.fixture
def receiver(settings):
    settings.WEBHOOKS_TO_ANY_ADDRESS = True
    with Receiver().running() as running:
        yield running


@pytest.fixture
def federation():
    return make_list().federation


@pytest.fixture
def hook(receiver, federation):
    """A subscription to the receiver, with its secret."""
    owner = make_user("owner", email="owner@example.org")
    federation.administrators.add(owner)
    subscription, secret = subscribe(federation, receiver.address, owner=owner)
    subscription.plain = secret
    return subscription


@pytest.fixture
def short_limits(monkeypatch):
    monkeypatch.setattr(webhook_sending, "READ_SECONDS", 0.3)
    monkeypatch.setattr(webhook_sending, "RESOLVE_SECONDS", 0.2)
    monkeypatch.setattr(webhook_sending, "TOTAL_SECONDS", 0.8)


def state_of(hook):
    row = WebhookSubscription.objects.get(pk=hook.pk)
    return row.state, row.failures, row.failing_since


def test_deliveries_are_sent_in_order_with_number_and_signature(receiver, hook):
    store(hook, 10, 20, 30)
    assert deliver_subscription(hook.pk) == 3
    assert listed(hook) == [(1, "delivered", 1), (2, "delivered", 1), (3, "delivered", 1)]
    assert [(body["sequence"], body["data"]["players"]) for body in receiver.accepted] == [(1, 10), (2, 20), (3, 30)]
    path, headers, body = receiver.received[0]
    first = hook.deliveries.order_by("pk")[0]
    created = first.created_at.strftime("%Y-%m-%dT%H:%M:%SZ")
    assert json.loads(body) == {
        "id": first.message_id, "kind": "list.published", "sequence": 1, "created": created, "federation": "fesa",
        "data": {"list": "fesa", "players": 10},
    }  # fmt: skip
    assert (path, headers["Content-Type"], headers["webhook-id"]) == (
        "/hooks?for=tests",
        "application/json",
        first.message_id,
    )
    assert headers["webhook-signature"] == sign(hook.plain, headers, body)
    assert abs(int(headers["webhook-timestamp"]) - timezone.now().timestamp()) < 60
    assert (first.response_status, first.error, first.milliseconds is not None) == (204, "", True)


@pytest.mark.parametrize(
    ("answer", "status", "error"),
    [(500, 500, "status"), (404, 404, "status"), (302, 302, "redirect"), ("hang", None, "timeout"),
     ("close", None, "broken"), ("drip", None, "timeout"), (400, 400, "status")],
)  # fmt: skip
def test_failed_delivery_waits_and_keeps_its_place(answer, status, error, receiver, hook, short_limits):
    store(hook, 10, 20)
    receiver.answers = [answer]
    with travel(START, tick=False):
        assert deliver_subscription(hook.pk) == 0
        assert listed(hook) == [(1, "waiting", 1), (2, "waiting", 0)]
        first = hook.deliveries.get(number=1)
        assert (first.response_status, first.error) == (status, error)
        assert state_of(hook) == ("active", 1, START)
        assert deliver_subscription(hook.pk) == 0  # not due yet
    with travel(START + dt.timedelta(minutes=1), tick=False):
        assert deliver_subscription(hook.pk) == 2
    assert listed(hook) == [(1, "delivered", 2), (2, "delivered", 1)]
    assert (receiver.sequence(), state_of(hook)) == ([1, 2], ("active", 0, None))
    assert len({json.loads(body)["id"] for _, _, body in receiver.received[:2]}) == 1  # the same id in both attempts


def test_success_with_endless_body_counts_and_ends(receiver, hook, short_limits):
    store(hook, 10)
    receiver.answers = ["huge"]
    assert deliver_subscription(hook.pk) == 1
    assert listed(hook) == [(1, "delivered", 1)]


def test_receiver_that_fails_hangs_and_comes_back_gets_everything_in_order(receiver, hook, short_limits):
    now = START
    for number in range(1, 31):
        store(hook, number)
        receiver.answers = [["hang", 500, "close", "drip", 503, 204][number % 6]]
        now += dt.timedelta(hours=3)
        with travel(now, tick=False):
            deliver_subscription(hook.pk)
    with travel(now + dt.timedelta(hours=3)):
        deliver_subscription(hook.pk)
    assert receiver.sequence() == list(range(1, 31))
    assert [body["data"]["players"] for body in receiver.accepted] == list(range(1, 31))


def test_delay_doubles_up_to_two_hours_and_varies(hook, receiver, monkeypatch):
    receiver.answer = 500
    store(hook, 1)
    monkeypatch.setattr(webhook_delivery.secrets, "randbelow", lambda _: 250)
    now, delays = START, []
    for _ in range(10):
        with travel(now, tick=False):
            deliver_subscription(hook.pk)
        next_try = WebhookSubscription.objects.get().next_try_at
        delays.append((next_try - now).total_seconds())
        now = next_try
    assert delays == [30, 60, 120, 240, 480, 960, 1920, 3840, 7200, 7200]
    spread = []
    for chance in (0, 500):
        monkeypatch.setattr(webhook_delivery.secrets, "randbelow", lambda _, chance=chance: chance)
        spread.append(webhook_delivery.choose_delay(1, webhook_sending.Reply(500, "status", 1)).total_seconds())
    assert spread == [22.5, 37.5]


def test_retry_after_is_respected_up_to_two_hours(receiver, hook):
    receiver.answer, waits = 503, []
    store(hook, 1)
    for wanted in ("600", "999999", "soon"):
        receiver.headers = {"Retry-After": wanted}
        WebhookSubscription.objects.update(next_try_at=START, failures=0)
        with travel(START, tick=False):
            deliver_subscription(hook.pk)
        waits.append((WebhookSubscription.objects.get().next_try_at - START).total_seconds())
    assert (waits[:2], 22 < waits[2] < 38) == ([600, 7200], True)


def test_message_that_is_refused_for_a_day_is_given_up_and_the_next_one_is_sent(receiver, hook):
    store(hook, 1, 2)
    receiver.answers = [422, 500, 422]
    for hours in (0, 23):
        with travel(START + dt.timedelta(hours=hours), tick=False):
            deliver_subscription(hook.pk)
    assert listed(hook) == [(1, "waiting", 2), (2, "waiting", 0)]
    with travel(START + dt.timedelta(hours=26), tick=False):
        deliver_subscription(hook.pk)
    assert listed(hook) == [(1, "given up", 3), (2, "delivered", 1)]
    assert state_of(hook) == ("active", 0, None)


def test_subscription_is_switched_off_after_a_week_with_a_mail_to_its_owner(receiver, hook, mailoutbox):
    store(hook, 1, 2)
    receiver.answer = 500
    for days in (0, 6.9):
        with travel(START + dt.timedelta(days=days), tick=False):
            deliver_subscription(hook.pk)
    assert state_of(hook) == ("active", 2, START)
    with travel(START + dt.timedelta(days=7.1), tick=False):
        deliver_subscription(hook.pk)
        assert state_of(hook) == ("disabled", 3, START)
        assert Notification.objects.get().kind == "webhook disabled"
        deliver_outbox()
    (mail,) = mailoutbox
    assert (mail.to, mail.subject) == (["owner@example.org"], "The webhook “Website” was switched off")
    assert f"nothing could be delivered to {receiver.address}" in mail.body
    assert "The last error: The program answered with an error." in mail.body
    assert f"/organise/federations/fesa/webhooks/{hook.pk}/" in mail.body
    with travel(START + dt.timedelta(days=8), tick=False):
        store(hook, 3)
        receiver.answer = 200
        assert deliver_subscription(hook.pk) == 0  # nothing is sent
        resume_subscription(hook)
        assert deliver_subscription(hook.pk) == 3  # and nothing was lost
    assert receiver.sequence() == [1, 2, 3]


def test_gone_program_switches_its_subscription_off_at_once(receiver, hook, mailoutbox):
    store(hook, 1)
    receiver.answer = 410
    deliver_subscription(hook.pk)
    assert (state_of(hook)[0], listed(hook)) == ("disabled", [(1, "waiting", 1)])
    deliver_outbox()
    assert "answered that it is gone (410)" in mailoutbox[0].body


def test_mail_about_a_lost_owner_goes_to_those_who_may_resume(hook, federation, mailoutbox):
    recipients = []
    make_user("root", email="root@example.org", is_superuser=True)
    federation.administrators.clear()
    for step in ("owner who is no administrator", "administrators", "owner"):
        if step == "administrators":
            federation.administrators.add(make_user("keeper", email="keeper@example.org"))
        if step == "owner":
            federation.administrators.add(hook.owner)
        Notification.objects.create(kind="webhook disabled", object_id=hook.pk)
        deliver_outbox()
        recipients.append([address for message in mailoutbox for address in message.to])
        mailoutbox.clear()
    assert recipients == [["root@example.org"], ["keeper@example.org"], ["owner@example.org"]]


def test_paused_subscription_stores_and_sends_after_it_is_resumed(receiver, hook):
    store(hook, 1)
    pause_subscription(hook)
    store(hook, 2)
    deliver_all()
    assert (listed(hook), receiver.received) == ([(None, "waiting", 0), (None, "waiting", 0)], [])
    resume_subscription(hook)
    deliver_all()
    assert receiver.sequence() == [1, 2]


def test_pause_during_a_run_ends_it_after_the_present_message(receiver, hook, monkeypatch):
    store(hook, 1, 2)
    save = webhook_delivery.save_result

    def pause_then_save(*arguments):
        pause_subscription(hook)
        save(*arguments)

    monkeypatch.setattr(webhook_delivery, "save_result", pause_then_save)
    assert deliver_subscription(hook.pk) == 1
    assert listed(hook) == [(1, "delivered", 1), (2, "waiting", 0)]


def test_deleted_subscription_is_not_sent_to(receiver, hook):
    store(hook, 1)
    delete_subscription(hook)
    deliver_all()
    assert receiver.received == []


def test_only_one_worker_sends_to_a_subscription(receiver, hook):
    store(hook, 1)
    claim = webhook_delivery.claim_subscription(hook.pk)
    assert deliver_subscription(hook.pk) == 0
    claim.release()
    assert deliver_subscription(hook.pk) == 1


def test_killed_worker_is_replaced_and_the_message_is_sent_again(receiver, hook, monkeypatch):
    class KilledError(BaseException):
        pass

    def die(*_arguments):
        raise KilledError

    store(hook, 1, 2)
    with travel(START, tick=False):
        with monkeypatch.context() as patch:
            patch.setattr(webhook_delivery, "note_success", die)
            patch.setattr(webhook_delivery.Claim, "release", lambda claim: None)  # a killed worker releases nothing
            with pytest.raises(KilledError):
                deliver_subscription(hook.pk)
        assert deliver_subscription(hook.pk) == 0
    with travel(START + LEASE + dt.timedelta(seconds=1), tick=False):
        assert deliver_subscription(hook.pk) == 2
    assert [body["sequence"] for body in receiver.accepted] == [1, 1, 2]
    assert len(set(receiver.ids())) == 2


def test_worker_that_lost_its_claim_sends_nothing_more(receiver, hook):
    store(hook, 1, 2)
    with travel(START, tick=False):
        first = webhook_delivery.claim_subscription(hook.pk)
    with travel(START + LEASE * 2, tick=False):
        second = webhook_delivery.claim_subscription(hook.pk)
        assert list(webhook_delivery.send_in_order(first, float("inf"))) == []
        assert list(webhook_delivery.send_in_order(second, float("inf"))) == [True, True]
    assert receiver.sequence() == [1, 2]


def test_failure_of_a_worker_that_lost_its_claim_changes_nothing(receiver, hook):
    """The other worker has delivered the message meanwhile."""
    store(hook, 1)
    with travel(START, tick=False):
        first = webhook_delivery.claim_subscription(hook.pk)
        webhook_delivery.number_deliveries(first)
    delivery = hook.deliveries.get()
    with travel(START + LEASE * 2, tick=False):
        assert deliver_subscription(hook.pk) == 1
        failed = webhook_sending.Reply(None, "timeout", 10_000)
        assert webhook_delivery.note_failure(first, delivery, failed) is False
    assert (listed(hook), state_of(hook)) == ([(1, "delivered", 1)], ("active", 0, None))


def test_lost_tasks_are_found_by_the_periodic_one(receiver, hook, django_capture_on_commit_callbacks):
    store(hook, 1)
    with django_capture_on_commit_callbacks(execute=True):
        request_due_deliveries()
    assert listed(hook) == [(1, "delivered", 1)]


def test_delivery_stored_while_the_last_one_is_sent_is_sent_too(receiver, hook, monkeypatch):
    """The task of the later one finds the subscription claimed, and ends."""
    store(hook, 1)
    release = webhook_delivery.Claim.release
    late = [2]

    def store_late(claim):
        if late:
            store(hook, late.pop())
            assert deliver_subscription(hook.pk) == 0
        release(claim)

    monkeypatch.setattr(webhook_delivery.Claim, "release", store_late)
    assert deliver_subscription(hook.pk) == 2
    assert receiver.sequence() == [1, 2]


def test_both_secrets_sign_until_the_overlap_ends(receiver, hook):
    store(hook, 1)
    with travel(START, tick=False):
        new = rotate_secret(hook)
        deliver_subscription(hook.pk)
    store(hook, 2)
    with travel(START + dt.timedelta(days=3, seconds=1), tick=False):
        deliver_subscription(hook.pk)
    (_, headers, body), (_, later_headers, later_body) = receiver.received
    assert headers["webhook-signature"] == f"{sign(new, headers, body)} {sign(hook.plain, headers, body)}"
    assert later_headers["webhook-signature"] == sign(new, later_headers, later_body)


def test_secret_of_an_earlier_secret_key_is_read(receiver, hook, settings):
    store(hook, 1, 2)
    settings.SECRET_KEY_FALLBACKS, settings.SECRET_KEY = [settings.SECRET_KEY], "new key"
    assert deliver_subscription(hook.pk) == 2
    settings.SECRET_KEY_FALLBACKS = []
    store(hook, 3)
    assert deliver_subscription(hook.pk) == 0
    assert hook.deliveries.get(number=3).error == "key"
    assert len(receiver.received) == 2


def test_test_message_is_sent_at_once_whatever_waits(receiver, hook):
    store(hook, 1)
    receiver.answers = [500, 204]
    with travel(START, tick=False):
        deliver_subscription(hook.pk)
        ping = send_test_message(hook)
        deliver_ping(ping.pk)
        deliver_ping(ping.pk)  # a task that runs twice
        ping.refresh_from_db()
        assert (ping.status, ping.attempts, ping.number) == ("delivered", 1, None)
        assert deliver_subscription(hook.pk) == 1  # tried again at once, since the program answers
    sent = [json.loads(body) for _, _, body in receiver.received]
    assert [(body["kind"], body["sequence"]) for body in sent] == [
        ("list.published", 1), ("ping", None), ("list.published", 1),
    ]  # fmt: skip


def test_failed_test_message_is_not_repeated_and_counts_no_failure(receiver, hook):
    receiver.answer = 500
    deliver_ping(send_test_message(hook).pk)
    assert listed(hook) == [(None, "given up", 1)]
    assert state_of(hook) == ("active", 0, None)
    deliver_all()
    assert len(receiver.received) == 1


def test_test_message_of_a_killed_worker_is_sent_by_another(receiver, hook):
    with travel(START, tick=False):
        ping = send_test_message(hook)
        WebhookDelivery.objects.filter(pk=ping.pk).update(tried_at=START)
        deliver_all()
    assert receiver.received == []
    with travel(START + LEASE * 2, tick=False):
        deliver_all()
    assert listed(hook) == [(None, "delivered", 1)]


def test_replay_sends_the_same_messages_again(receiver, hook):
    with travel(START, tick=False):
        store(hook, 1)
    with travel(START + dt.timedelta(hours=1), tick=False):
        store(hook, 2, 3)
        deliver_subscription(hook.pk)
        second = hook.deliveries.get(number=2)
        assert (replay_delivery(second), replay_delivery(second)) == (True, False)  # it waits already
        deliver_subscription(hook.pk)
        assert replay_since(hook, START + dt.timedelta(minutes=30)) == 2
        store(hook, 4)
        deliver_subscription(hook.pk)
    assert [body["sequence"] for body in receiver.accepted] == [1, 2, 3, 2, 2, 3, 4]
    assert len(set(receiver.ids())) == 4


def test_old_deliveries_are_deleted_unless_they_are_still_tried(receiver, hook, federation, settings):
    settings.WEBHOOK_DAYS = 30
    paused, _ = subscribe(federation, "https://example.org/other")
    pause_subscription(paused)
    with travel(START, tick=False):
        store(hook, 1)
        deliver_subscription(hook.pk)
        store(hook, 2)
        store(paused, 1)
        send_test_message(hook)
    with travel(START + dt.timedelta(days=29), tick=False):
        assert delete_expired()["webhook_deliveries"] == 0
    with travel(START + dt.timedelta(days=31), tick=False):
        store(paused, 2)
        assert delete_expired()["webhook_deliveries"] == 3
        assert (len(listed(hook)), len(listed(paused))) == (1, 1)
        delete_subscription(paused)
    with travel(START + dt.timedelta(days=62), tick=False):
        delete_expired()
    assert list(WebhookSubscription.objects.all()) == [hook]


def test_webhook_that_was_paused_meanwhile_is_not_said_to_be_switched_off(monkeypatch):
    hook, _ = subscribe(make_list().federation, owner=make_user("owner"))
    store(hook, 1)

    def attempt(_delivery):
        pause_subscription(hook)
        return webhook_sending.Reply(410, WebhookDelivery.Error.GONE, 1)

    monkeypatch.setattr(webhook_delivery, "attempt_delivery", attempt)
    deliver_subscription(hook.pk)
    hook.refresh_from_db()
    assert (hook.state, Notification.objects.count()) == ("paused", 0)


def test_test_message_of_a_deleted_webhook_is_not_sent(monkeypatch):
    hook, _ = subscribe(make_list().federation)
    ping = send_test_message(hook)
    delete_subscription(hook)
    monkeypatch.setattr(webhook_delivery, "attempt_delivery", None)
    deliver_ping(ping.pk)
    assert listed(hook) == [(None, "waiting", 0)]
