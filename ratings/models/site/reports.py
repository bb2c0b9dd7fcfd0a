"""Errors reported by visitors, with the officers' answers."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from ratings.models.events.events import Event
from ratings.models.players.people import Player, public_id_field

from .versioned import Versioned


class Report(Versioned):
    """A reported error on an event's or a player's page; its public id leads to the answer."""

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("not answered", "open")
        MENDED = "mended", _("problem fixed")
        RIGHT = "right", _("not an error")
        DECLINED = "declined", _("closed without an answer")

    ANSWERS = (State.MENDED, State.RIGHT)

    public_id = public_id_field()
    event = models.ForeignKey(Event, models.SET_NULL, null=True, blank=True, related_name="reports")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="reports")
    text = models.TextField(_("what is wrong"), max_length=2000)
    mail = models.EmailField(_("your email address"), blank=True, help_text=_("Enter it to be notified of the answer."))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)
    state = models.CharField(_("state"), max_length=10, choices=State, default=State.OPEN)
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
        verbose_name = _("reported error")
        verbose_name_plural = _("reported errors")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.public_id

    def get_absolute_url(self) -> str:
        return reverse("report", args=[self.public_id])

    @property
    def about(self) -> Event | Player | None:
        return self.event or self.player
