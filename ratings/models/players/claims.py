"""Users' claims that a player's page is theirs, with the officers' answers."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .people import Player


class Claim(models.Model):
    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("not answered", "open")
        GRANTED = "granted", _("granted")
        DECLINED = "declined", _("declined")
        RELEASED = "released", _("taken back")
        WITHDRAWN = "withdrawn", pgettext_lazy("claim", "withdrawn")

    player = models.ForeignKey(Player, models.CASCADE, related_name="claims", verbose_name=_("player"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="claims", verbose_name=_("claimed by")
    )
    note = models.TextField(_("How can the officers know that it is you?"), max_length=2000)
    at = models.DateTimeField(_("at"), auto_now_add=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN, editable=False)
    answer = models.TextField(_("answer"), blank=True, max_length=2000)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("answered by"),
    )
    answered_at = models.DateTimeField(_("answered"), null=True, blank=True)

    class Meta:
        verbose_name = _("page claim")
        verbose_name_plural = _("page claims")
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["user"],
                condition=Q(state="open"),
                name="one_open_claim_per_user",
                violation_error_message=_("You have already claimed a page. Wait for the answer."),
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "granted", "declined", "released", "withdrawn"]),
                name="claim_has_a_known_state",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} → {self.player}"
