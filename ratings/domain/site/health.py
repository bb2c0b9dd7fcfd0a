"""Checks of what the portal needs: database, broker, sweep, disk space, outbox, webhooks. Each ends within seconds."""

from __future__ import annotations

import datetime as dt
import shutil
import tempfile
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.db import Error, connection
from django.db.models import Min, Q
from django.utils import timezone

from ratings.models import Heartbeat, OutgoingMail, RatingList, WebhookDelivery, WebhookSubscription
from ratings.postgres.timeouts import answer_within

SWEEP = "sweep"
SECONDS = 2.0
LATE_MAIL = LATE_WEBHOOK = dt.timedelta(minutes=15)
MEGABYTE = 1_000_000


def record_heartbeat(name: str) -> None:
    """Save the time at which a process was last active."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})


def check_health() -> dict[str, str]:
    """Return the state of each part: "ok", "not used", "not known", or what is wrong."""
    parts = {"database": _database(), "broker": _broker(), "disk": _disk()}
    if parts["database"] != "ok":  # the following queries would wait for the database as well
        return parts | dict.fromkeys(("sweep", "lists", "outbox", "webhooks"), "not known")
    with answer_within(SECONDS):
        return parts | {"sweep": _sweep(), "lists": _lists(), "outbox": _outbox(), "webhooks": _webhooks()}


def _database() -> str:
    try:
        with answer_within(SECONDS), connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        return f"does not answer: {type(error).__name__}"
    return "ok"


def _broker() -> str:
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return "not used"
    try:
        with current_app.connection_for_write(connect_timeout=1) as broker:
            broker.ensure_connection(max_retries=1, timeout=int(SECONDS))
    except Exception as error:  # noqa: BLE001 - after any error, the broker is not available
        return f"does not answer: {type(error).__name__}"
    return "ok"


def _disk() -> str:
    """Check the disks this process writes to: temporary files of uploads, `var`, and SQLite's file."""
    places = {Path(tempfile.gettempdir()), settings.BASE_DIR / "var"}
    if connection.vendor == "sqlite" and "memory" not in (name := str(connection.settings_dict["NAME"])):
        places.add(Path(name).parent)
    try:
        free = min(shutil.disk_usage(place).free for place in places if place.exists()) // MEGABYTE
    except OSError as error:
        return f"not known: {type(error).__name__}"
    return "ok" if free >= settings.DISK_MINIMUM_MB else f"{free} MB free"


def _sweep() -> str:
    """Check the last sweep, which is sent by beat and done by a worker, and so proves that both are running."""
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return "not used"
    try:
        last = Heartbeat.objects.filter(name=SWEEP).first()
    except Error:
        return "not known"
    if last is None:
        return "has never run; are a worker and beat started?"
    age = timezone.now() - last.at
    late = dt.timedelta(seconds=3 * settings.SWEEP_SECONDS + 30)
    return "ok" if age < late else f"last ran {int(age.total_seconds())} seconds ago"


def _lists() -> str:
    try:
        stuck = list(RatingList.objects.exclude(problem="").values_list("slug", flat=True))
    except Error:
        return "not known"
    return f"cannot be rated: {', '.join(stuck)}" if stuck else "ok"


def _outbox() -> str:
    try:
        given_up = OutgoingMail.objects.exclude(given_up_at=None).count()
        waiting = OutgoingMail.objects.filter(given_up_at=None)
        oldest = waiting.aggregate(oldest=Min("created_at"))["oldest"]
        number = waiting.count()
    except Error:
        return "not known"
    if oldest and timezone.now() - oldest > LATE_MAIL:
        return f"{number} mails wait, the oldest since {oldest:%Y-%m-%d %H:%M} UTC"
    return f"{given_up} mails could not be delivered" if given_up else "ok"


def _webhooks() -> str:
    """Check whether messages to programs that work are sent; those to a program that fails are no fault of the site."""
    now = timezone.now()
    late = now - LATE_WEBHOOK
    due = WebhookSubscription.objects.filter(
        Q(claimed_until=None) | Q(claimed_until__lt=now),
        state=WebhookSubscription.State.ACTIVE,
        deleted_at=None,
        failing_since=None,
        next_try_at__lt=late,
    )
    waiting = WebhookDelivery.objects.filter(status=WebhookDelivery.Status.WAITING, subscription__in=due)
    try:
        number = waiting.filter(created_at__lt=late).count()
    except Error:
        return "not known"
    return f"{number} messages wait; is a worker of the queue “webhooks” started?" if number else "ok"
