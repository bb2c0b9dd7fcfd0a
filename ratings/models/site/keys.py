from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

MAX_LIFETIME = dt.timedelta(days=366)


class ApiKey(models.Model):
    """An API key with which a program acts for its owner, within its scopes and until it expires.

    The secret itself is not stored.
    """

    class Scope(models.TextChoices):
        READ = "read", _("see the state of my events")
        EVENTS = "events", _("announce events")
        RESULTS = "results", _("upload results into drafts")
        WEBHOOKS = "webhooks", _("see my webhooks and their log")
        ALL_EVENTS = "all", _("all events of my lists, as a rating officer")

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, editable=False, related_name="api_keys", verbose_name=_("owner")
    )
    label = models.CharField(_("purpose"), max_length=100, help_text=_("For example the pairing program."))
    prefix = models.CharField(_("begins with"), max_length=12, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    scopes = models.JSONField(_("allowed to"), default=list)
    made_at = models.DateTimeField(_("created"), auto_now_add=True)
    expires_at = models.DateTimeField(_("expires"))
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, editable=False)

    class Meta:
        verbose_name = _("key")
        verbose_name_plural = _("keys")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.label} ({self.prefix}…)"

    def clean(self) -> None:
        if not self.scopes or not set(self.scopes) <= set(self.Scope.values):
            raise ValidationError({"scopes": _("Choose at least one thing that programs may do with the key.")})
        if self.expires_at and not timezone.now() < self.expires_at <= timezone.now() + MAX_LIFETIME:
            raise ValidationError({"expires_at": _("A key expires within a year.")})

    @property
    def is_valid(self) -> bool:
        return self.revoked_at is None and timezone.now() < self.expires_at

    @property
    def scope_labels(self) -> list[str]:
        return [str(self.Scope(scope).label) for scope in self.Scope.values if scope in self.scopes]
