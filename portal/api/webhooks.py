"""API endpoints of webhooks, for their owners: the webhooks of a key's owner, and what was sent to them."""

from __future__ import annotations

import datetime as dt
from typing import Any, Literal

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from ratings.access import Action, may_by_key
from ratings.models import ApiKey, WebhookDelivery, WebhookSubscription
from ratings.queries.site.webhooks import log_of

from .paging import Paging, paginate
from .results import Key, as_owner
from .schemas import Page

router = Router(tags=["Webhooks"])


class Webhook(Schema):
    """A webhook of the key's owner."""

    id: int
    name: str = Field(description="Its purpose", examples=["Club website"])
    federation: str = Field(description="Short name of the federation in addresses", examples=["fesa"])
    address: str
    kinds: list[str] = Field(description="Kinds of changes that it is told of", examples=[["list.published"]])
    state: Literal["active", "paused", "disabled"] = Field(
        description="disabled: switched off after a week of failures"
    )
    failing_since: dt.datetime | None = Field(description="First failure after the last success; null if there is none")


class Delivery(Schema):
    """A message to a webhook, with the result of the last attempt."""

    id: str = Field(description="Id of the message")
    sequence: int | None = Field(description="Number of the message; null in test messages, and before it is sent")
    kind: str = Field(examples=["list.published"])
    created: dt.datetime = Field(description="When the change was stored")
    status: Literal["waiting", "delivered", "given up"]
    attempts: int
    response: int | None = Field(description="Status of the program's last response; null without one")
    milliseconds: int | None = Field(description="Duration of the last attempt")
    error: str = Field(description="Why the last attempt failed, as a word; empty if it did not", examples=["timeout"])


def find_own_webhooks(request: HttpRequest) -> list[WebhookSubscription]:
    """Return the webhooks of the key's owner, as long as they may change them."""
    with as_owner(request) as key:
        if ApiKey.Scope.WEBHOOKS not in key.scopes:
            raise PermissionDenied
        rows = WebhookSubscription.objects.filter(owner=key.owner, deleted_at=None).select_related("federation")
        return [row for row in rows.order_by("pk") if may_by_key(key, Action.MANAGE_WEBHOOKS, row.federation)]


@router.get("", auth=Key(), response=list[Webhook], summary="Your webhooks")
def list_webhooks(request: HttpRequest) -> list[Webhook]:
    """Return the webhooks that belong to the key's owner."""
    return [serialize_webhook(row) for row in find_own_webhooks(request)]


def serialize_webhook(row: WebhookSubscription) -> Webhook:
    state: Any = row.state
    return Webhook(
        id=row.pk,
        name=row.name,
        federation=row.federation.slug,
        address=row.address,
        kinds=row.kinds,
        state=state,
        failing_since=row.failing_since,
    )


@router.get("/{webhook}/deliveries", auth=Key(), response=Page[Delivery], summary="The log of a webhook, latest first")
def list_deliveries(
    request: HttpRequest, response: HttpResponse, webhook: int, paging: Query[Paging]
) -> Page[Delivery]:
    """Return the messages of the last weeks, without their contents."""
    own = next((row for row in find_own_webhooks(request) if row.pk == webhook), None)
    if own is None:
        raise Http404(f"You have no webhook {webhook}.")
    return paginate(
        request, response, paging, log_of(own), ("-pk",), lambda rows: [serialize_delivery(row) for row in rows]
    )


def serialize_delivery(row: WebhookDelivery) -> Delivery:
    status: Any = row.status
    return Delivery(
        id=row.message_id,
        sequence=row.number,
        kind=row.kind,
        created=row.created_at,
        status=status,
        attempts=row.attempts,
        response=row.response_status,
        milliseconds=row.milliseconds,
        error=row.error,
    )
