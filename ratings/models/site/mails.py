"""Mails waiting for delivery, and notifications waiting to be written as mails."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class QueuedItem(models.Model):
    """Queued work: retried after each failure, with growing delays, until it succeeds or is given up."""

    created_at = models.DateTimeField(_("written"), auto_now_add=True)
    attempts = models.PositiveIntegerField(_("attempts"), default=0)
    next_try_at = models.DateTimeField(_("next try"), default=timezone.now)
    given_up_at = models.DateTimeField(_("given up"), null=True, blank=True)
    error = models.TextField(_("error"), blank=True)

    class Meta:
        abstract = True


class OutgoingMail(QueuedItem):
    """A mail waiting for delivery; the row is deleted when the mail server has accepted the mail."""

    class Priority(models.IntegerChoices):
        ACCOUNT = 0, _("account")  # users wait for these: sign-up, password
        NORMAL = 1, _("normal")
        LOW = 2, _("low")

    priority = models.PositiveSmallIntegerField(_("priority"), choices=Priority, default=Priority.NORMAL)
    sender = models.CharField(_("sender"), max_length=320)
    recipients = models.JSONField(_("recipients"))
    subject = models.TextField(_("subject"))
    body = models.TextField()
    html = models.TextField(blank=True)
    headers = models.JSONField(default=dict)

    class Meta:
        verbose_name = _("outgoing mail")
        verbose_name_plural = _("outgoing mails")
        ordering = ["priority", "next_try_at", "pk"]
        indexes = [
            models.Index(
                fields=["priority", "next_try_at"], condition=models.Q(given_up_at=None), name="mails_to_deliver"
            )
        ]

    def __str__(self) -> str:
        return f"{', '.join(self.recipients)}: {self.subject}"


class OutgoingFile(models.Model):
    """A file attached to a mail waiting for delivery; it is deleted with the mail."""

    mail = models.ForeignKey(OutgoingMail, models.CASCADE, related_name="files", verbose_name=_("mail"))
    name = models.CharField(_("name"), max_length=100)
    content_type = models.CharField(max_length=50)
    data = models.BinaryField(editable=False)

    class Meta:
        verbose_name = _("file of an outgoing mail")
        verbose_name_plural = _("files of outgoing mails")
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name


class Notification(QueuedItem):
    """A notification of a step, claim, report, approval or invitation; a worker writes its mails."""

    kind = models.CharField(_("kind"), max_length=20)
    object_id = models.BigIntegerField(_("id"))

    class Meta:
        verbose_name = _("notification")
        verbose_name_plural = _("notifications")
        ordering = ["next_try_at", "pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.object_id}"
