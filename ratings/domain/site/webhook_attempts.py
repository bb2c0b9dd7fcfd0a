"""One attempt to send a delivery of a webhook: its body, its signatures and its result."""

from __future__ import annotations

import datetime as dt
import json
import logging
from contextlib import suppress

from django.db.models import F
from django.utils import timezone

from ratings.models import WebhookDelivery

from .encryption import UnreadableSecretError
from .webhook_secrets import decrypt_secret, sign_message
from .webhook_sending import Reply, send

logger = logging.getLogger(__name__)
NOT_READABLE = Reply(None, WebhookDelivery.Error.KEY, 0)
"""Result of an attempt whose secret cannot be decrypted."""


def attempt_delivery(delivery: WebhookDelivery) -> Reply:
    """Try to send a delivery and return the result; the attempt is counted before it begins."""
    now = timezone.now()
    first = delivery.first_tried_at or now
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        attempts=F("attempts") + 1, first_tried_at=first, tried_at=now
    )
    delivery.first_tried_at = first
    subscription = delivery.subscription
    try:
        signing_secrets = [decrypt_secret(subscription.secret)]
    except UnreadableSecretError:
        logger.error("the secret of webhook %s cannot be decrypted", subscription.pk)  # noqa: TRY400 - no trace needed
        return NOT_READABLE
    if subscription.previous_until is not None and subscription.previous_until > now:
        with suppress(UnreadableSecretError):
            signing_secrets.append(decrypt_secret(subscription.previous_secret))
    body = build_body(delivery)
    return send(subscription.address, body, sign_message(delivery.message_id, now, body, signing_secrets))


def build_body(delivery: WebhookDelivery) -> bytes:
    """Return the body of a message as JSON; it is the same in each attempt."""
    created = delivery.created_at.astimezone(dt.UTC).isoformat(timespec="seconds")
    content = {
        "id": delivery.message_id,
        "kind": delivery.kind,
        "sequence": delivery.number,
        "created": created.replace("+00:00", "Z"),
        "federation": delivery.subscription.federation.slug,
        "data": delivery.data,
    }
    return json.dumps(content, separators=(",", ":")).encode()


def save_result(delivery: WebhookDelivery, reply: Reply, status: str) -> None:
    WebhookDelivery.objects.filter(pk=delivery.pk).update(
        status=status, response_status=reply.status, error=reply.error, milliseconds=reply.milliseconds
    )
