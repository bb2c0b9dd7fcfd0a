"""Deliveries of webhooks waiting to be sent: stored in the transaction of the change."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from threading import Thread
from typing import NamedTuple

from celery import current_app
from django.conf import settings
from django.db import connection, transaction

from ratings.domain.runs.task_queue import send_task
from ratings.models import ChangeKind, ChangeMessage, WebhookDelivery, WebhookSubscription


class Subscriber(NamedTuple):
    """A subscription: its primary key, the primary key of its federation, and its kinds."""

    pk: int
    federation_id: int
    kinds: Sequence[str]


def find_subscriptions(kinds: Collection[ChangeKind], federation: int | None) -> list[Subscriber]:
    """Return the subscriptions to any of these kinds, of one federation or of all, with one query.

    Paused subscriptions and those switched off belong to them: their deliveries wait.
    """
    rows = WebhookSubscription.objects.filter(deleted_at=None).order_by("pk")
    if federation is not None:
        rows = rows.filter(federation=federation)
    subscribers = (Subscriber(*row) for row in rows.values_list(*Subscriber._fields))
    return [subscriber for subscriber in subscribers if not set(kinds).isdisjoint(subscriber.kinds)]


def queue_deliveries(subscribers: Iterable[Subscriber], messages: Sequence[ChangeMessage]) -> None:
    """Store a delivery of each message for each subscription to its kind, by one insert, and have them sent."""
    rows = [
        WebhookDelivery(subscription_id=subscriber.pk, kind=message.kind, data=message.data)
        for message in messages
        for subscriber in subscribers
        if subscriber.federation_id in message.federations and message.kind in subscriber.kinds
    ]
    WebhookDelivery.objects.bulk_create(rows)
    for subscription in sorted({row.subscription_id for row in rows}):
        send_soon(subscription)


def send_soon(subscription: int) -> None:
    """After commit, ask a worker to send the deliveries of a subscription; without workers, do so in a thread."""
    _run_soon("ratings.webhook", subscription)


def send_ping_soon(delivery: int) -> None:
    """After commit, ask a worker to send a test message; without workers, do so in a thread."""
    _run_soon("ratings.webhook_ping", delivery)


def _run_soon(task: str, argument: int) -> None:
    if settings.CELERY_TASK_ALWAYS_EAGER and settings.WEBHOOKS_IN_THREAD:
        transaction.on_commit(lambda: Thread(target=_run_in_thread, args=[task, argument]).start())
    else:
        send_task(task, argument)


def _run_in_thread(task: str, argument: int) -> None:
    """Run a task; the thread keeps a program that answers slowly from delaying the request."""
    try:
        current_app.tasks[task](argument)
    finally:
        connection.close()
