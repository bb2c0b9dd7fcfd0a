"""Whether what the portal needs is alive: database, broker, worker and sweep."""

from __future__ import annotations

import datetime as dt

from celery import current_app
from django.conf import settings
from django.db import Error, connection
from django.utils import timezone

from ratings.models import Heartbeat, RatingList

SWEEP = "sweep"


def beat(name: str) -> None:
    """Note that a process came by."""
    Heartbeat.objects.update_or_create(name=name, defaults={"at": timezone.now()})


def health() -> dict[str, str]:
    """Each part with "ok", "not used", or what is wrong with it."""
    return {"database": _database(), "broker": _broker(), "sweep": _sweep(), "lists": _lists()}


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error as error:
        return f"does not answer: {type(error).__name__}"
    return "ok"


def _broker() -> str:
    if settings.CELERY_TASK_ALWAYS_EAGER:
        return "not used"
    try:
        with current_app.connection_for_write(connect_timeout=1) as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
    except Exception as error:  # noqa: BLE001 - whatever it is, the broker is not there
        return f"does not answer: {type(error).__name__}"
    return "ok"


def _sweep() -> str:
    """The sweep is sent by beat and done by a worker, so it tells that both are alive."""
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
