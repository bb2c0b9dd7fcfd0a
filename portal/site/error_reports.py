"""Reports of errors to Sentry, or to another service with its protocol, without personal data."""

from __future__ import annotations

import re
from typing import Any

import sentry_sdk
from django_guid import get_guid
from sentry_sdk.types import Event, Hint

MAIL_ADDRESS = re.compile(r"[^\s@<>\"'(),;:=/]+@[^\s@<>\"'(),;:=/]+")


def start_error_reports(dsn: str, release: str) -> None:
    """Send the errors of this process to the service at `dsn`."""
    sentry_sdk.init(
        dsn=dsn,
        release=release,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        max_breadcrumbs=0,  # earlier log lines may contain names
        before_send=remove_personal_data,
    )


def remove_personal_data(event: Event, _hint: Hint) -> Event:
    """Return an event without values of the request and of log lines; the id of the request leads to both in the log.

    Of the request only the method stays: its address, and that of the page before it, may contain searched names and
    secret links. The view is in `transaction`.
    """
    event.pop("user", None)
    event.pop("breadcrumbs", None)
    event["request"] = {"method": event.get("request", {}).get("method", "")}
    event["tags"] = {"request_id": get_guid() or ""}
    extra = event.get("extra", {})
    event["extra"] = {"celery-job": extra["celery-job"]} if "celery-job" in extra else {}
    if "logentry" in event:
        event["logentry"] = {"message": mask(event["logentry"].get("message", ""))}
    for error in event.get("exception", {}).get("values", []):
        error["value"] = mask(str(error.get("value", "")))
    return event


def mask(text: Any) -> str:
    """Return a message without mail addresses and the rows that PostgreSQL names in its details."""
    return MAIL_ADDRESS.sub("…@…", str(text).partition("\nDETAIL:")[0])
