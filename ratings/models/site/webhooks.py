"""Webhooks: the programs that are told what changes on the lists of a federation, and what was sent to them."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from ratings.models.lists.federations import Federation
from ratings.models.players.people import validate_name

from .change_messages import ChangeKind
from .versioned import Versioned


def new_message_id() -> str:
    return f"msg_{secrets.token_urlsafe(18)}"


class WebhookSubscription(Versioned):
    """An address of another program that is told of some kinds of changes on a federation's lists.

    A worker that sends deliveries claims the subscription until `claimed_until`, so that they are sent in order. The
    secrets are stored encrypted (`ratings.domain.site.webhook_secrets`); the previous one also signs until
    `previous_until`. `failing_since` is the first failure after the last success. A deleted subscription stays for some
    days, so that it can be restored.
    """

    class State(models.TextChoices):
        ACTIVE = "active", _("active")
        PAUSED = "paused", _("paused")
        DISABLED = "disabled", _("switched off after a week of failures")

    unversioned_fields = (
        "failing_since",
        "failures",
        "next_try_at",
        "claimed_by",
        "claimed_until",
        "last_number",
    )

    federation = models.ForeignKey(
        Federation, models.CASCADE, editable=False, related_name="webhooks", verbose_name=_("federation")
    )
    name = models.CharField(
        _("purpose"), max_length=100, validators=[validate_name], help_text=_("For example “Club website”.")
    )
    address = models.CharField(_("address"), max_length=500)
    kinds = models.JSONField(_("changes to send"), default=list)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("owner"),
        help_text=_("Receives an email if the webhook is switched off."),
    )
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.ACTIVE, editable=False)
    secret = models.TextField(editable=False)
    previous_secret = models.TextField(blank=True, editable=False)
    previous_until = models.DateTimeField(_("previous secret valid until"), null=True, editable=False)
    created_at = models.DateTimeField(_("created"), auto_now_add=True)
    deleted_at = models.DateTimeField(_("deleted"), null=True, editable=False)
    failing_since = models.DateTimeField(_("failing since"), null=True, editable=False)
    failures = models.PositiveIntegerField(_("failures in a row"), default=0, editable=False)
    next_try_at = models.DateTimeField(_("next try"), default=timezone.now, editable=False)
    claimed_by = models.CharField(max_length=32, blank=True, editable=False)
    claimed_until = models.DateTimeField(null=True, editable=False)
    last_number = models.PositiveBigIntegerField(default=0, editable=False)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")
        ordering = ["federation", "pk"]

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("webhook", args=[self.federation.slug, self.pk])

    @property
    def kind_labels(self) -> list[str]:
        return [str(kind.label) for kind in ChangeKind if kind.value in self.kinds]


class WebhookDelivery(models.Model):
    """One message to a subscription: what changed (`data`), and the result of the last attempt to send it.

    `number` is its position in the order of the subscription, set by the worker that sends it; test messages have none.
    """

    PING = "ping"

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DELIVERED = "delivered", _("delivered")
        GIVEN_UP = "given up", _("not delivered")

    class Error(models.TextChoices):
        """Reasons why an attempt failed."""

        NAME = "name", _("The host name was not found.")
        PRIVATE = "private", _("The host is in a private network. Webhooks go to public addresses only.")
        ADDRESS = "address", _("The address is not allowed. Enter another one.")
        CONNECTION = "connection", _("The host did not accept the connection.")
        CERTIFICATE = "certificate", _("The host has no valid certificate.")
        TIMEOUT = "timeout", _("The host did not answer in time.")
        BROKEN = "broken", _("The connection ended before the answer was complete.")
        REDIRECT = "redirect", _("The address redirects. Enter the new address.")
        GONE = "gone", _("The program no longer accepts messages.")
        STATUS = "status", _("The program answered with an error.")
        KEY = "key", _("The secret cannot be decrypted. Create a new one.")

    subscription = models.ForeignKey(
        WebhookSubscription, models.CASCADE, related_name="deliveries", verbose_name=_("webhook")
    )
    message_id = models.CharField(_("id"), max_length=40, unique=True, default=new_message_id)
    number = models.PositiveBigIntegerField(_("number"), null=True)
    kind = models.CharField(_("kind"), max_length=20)
    data = models.JSONField(default=dict)
    created_at = models.DateTimeField(_("time"), default=timezone.now)
    status = models.CharField(_("status"), max_length=10, choices=Status, default=Status.WAITING)
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    first_tried_at = models.DateTimeField(_("first attempt"), null=True)
    tried_at = models.DateTimeField(_("last attempt"), null=True)
    milliseconds = models.PositiveIntegerField(_("duration"), null=True)
    response_status = models.PositiveSmallIntegerField(_("response"), null=True)
    error = models.CharField(_("error"), max_length=20, choices=Error, blank=True)

    class Meta:
        verbose_name = _("webhook delivery")
        verbose_name_plural = _("webhook deliveries")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(fields=["subscription", "number"], name="one_delivery_per_number"),
        ]
        indexes = [
            models.Index(
                fields=["subscription", "number"], condition=models.Q(status="waiting"), name="deliveries_to_send"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.message_id}"

    @property
    def kind_label(self) -> str:
        """Return the kind in words."""
        return str(_("test")) if self.kind == self.PING else str(ChangeKind(self.kind).label)
