from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _


class ApiKey(models.Model):
    """With it a pairing program does what its owner may do. The secret itself is kept nowhere."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, editable=False, related_name="api_keys", verbose_name=_("owner")
    )
    label = models.CharField(_("what it is for"), max_length=100, help_text=_("For example the pairing program."))
    prefix = models.CharField(_("begins with"), max_length=12, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    made_at = models.DateTimeField(_("made"), auto_now_add=True)
    last_used_at = models.DateTimeField(_("last used"), null=True, editable=False)
    revoked_at = models.DateTimeField(_("revoked"), null=True, editable=False)

    class Meta:
        verbose_name = _("key")
        verbose_name_plural = _("keys")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.label} ({self.prefix}…)"
