"""Webhooks of federations with the state of their deliveries."""

from __future__ import annotations

from django.db.models import Count, Max, Q, QuerySet

from ratings.models import Federation, WebhookDelivery, WebhookSubscription

Status = WebhookDelivery.Status


def subscriptions_of(federation: Federation, *, deleted: bool = False) -> QuerySet[WebhookSubscription]:
    """Return the subscriptions of a federation, or the deleted ones, oldest first.

    Each has `waiting`, the number of deliveries that wait, and `last_delivered`, the time of the last one that arrived.
    """
    rows = WebhookSubscription.objects.filter(federation=federation, deleted_at__isnull=not deleted)
    waiting = Count("deliveries", Q(deliveries__status=Status.WAITING))
    last = Max("deliveries__tried_at", filter=Q(deliveries__status=Status.DELIVERED))
    return rows.annotate(waiting=waiting, last_delivered=last).select_related("federation", "owner").order_by("pk")


def log_of(subscription: WebhookSubscription) -> QuerySet[WebhookDelivery]:
    """Return the deliveries of a subscription, latest first, without their contents."""
    return subscription.deliveries.defer("data").order_by("-pk")
