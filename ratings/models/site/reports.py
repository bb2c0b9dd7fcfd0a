"""Errors that visitors report, and what the officers answer."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from .events import Event
from .people import Player, public_id_field


class Report(models.Model):
    """Something that is wrong on an event's or a player's page; its number leads to the answer."""

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("not answered", "open")
        MENDED = "mended", _("mended")
        RIGHT = "right", _("it is right as it is")
        DECLINED = "declined", _("closed without an answer")

    ANSWERS = (State.MENDED, State.RIGHT)

    public_id = public_id_field()
    event = models.ForeignKey(Event, models.SET_NULL, null=True, blank=True, related_name="reports")
    player = models.ForeignKey(Player, models.SET_NULL, null=True, blank=True, related_name="reports")
    text = models.TextField(_("what is wrong"), max_length=2000)
    mail = models.EmailField(_("your mail address"), blank=True, help_text=_("If you want to be told of the answer."))
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
