"""Subscriptions and deliveries for the tests of webhooks."""

import base64
import datetime as dt
import hashlib
import hmac

from ratings.domain.site.webhooks import create_subscription
from ratings.models import ChangeKind, ChangeMessage, WebhookDelivery, WebhookSubscription

ALL_KINDS = [kind.value for kind in ChangeKind]


def subscribe(federation, address="https://example.org/hooks", **fields):
    """Return a subscription of a federation, to all kinds of changes unless others are given, and its secret."""
    values = {"name": "Website", "address": address, "kinds": ALL_KINDS} | fields
    subscription = WebhookSubscription(federation=federation, **values)
    return subscription, create_subscription(subscription)


def store(subscription, *numbers):
    """Store deliveries that tell of published lists with these numbers of players."""
    for number in numbers:
        WebhookDelivery.objects.create(
            subscription=subscription, kind=ChangeKind.LIST_PUBLISHED, data={"list": "fesa", "players": number}
        )


def listed(subscription):
    """Return number, status and attempts of the deliveries of a subscription, oldest first."""
    return list(subscription.deliveries.order_by("pk").values_list("number", "status", "attempts"))


def make_message(federation, players=1):
    return ChangeMessage(ChangeKind.LIST_PUBLISHED, {federation.pk}, {"list": "fesa", "players": players})


def sign(secret, headers, body):
    """Return the signature of a message as the specification of Standard Webhooks computes it."""
    named = {name.lower(): value for name, value in headers.items()}
    content = f"{named['webhook-id']}.{named['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return "v1," + base64.b64encode(hmac.new(key, content, hashlib.sha256).digest()).decode()


def at(text):
    return dt.datetime.fromisoformat(text).replace(tzinfo=dt.UTC)
