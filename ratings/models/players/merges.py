"""Two players who were one, or one who was two: what was moved from whom to whom, so that it can be moved back."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from .people import Player


def nothing_moved() -> dict[str, Any]:
    return {}


class Merge(models.Model):
    """`moved` names the rows by their kind, as {"adjustment": [ids], …}; undone merges stay as records.

    Seats are named by their tables: a table that is corrected gets new entries.
    """

    gone = models.ForeignKey(Player, models.CASCADE, related_name="merges_away", verbose_name=_("from whom"))
    kept = models.ForeignKey(Player, models.CASCADE, related_name="merges_here", verbose_name=_("to whom"))
    whole = models.BooleanField(
        _("merged"), default=True, help_text=_("Otherwise only the results of some tables were given.")
    )
    moved = models.JSONField(default=nothing_moved, blank=True, editable=False)
    reason = models.CharField(_("reason"), max_length=300)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("by")
    )
    at = models.DateTimeField(_("at"), auto_now_add=True)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("undone by")
    )
    undone_at = models.DateTimeField(_("undone"), null=True, blank=True)

    class Meta:
        verbose_name = _("merge of players")
        verbose_name_plural = _("merges of players")
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(condition=~models.Q(gone=models.F("kept")), name="nobody_is_merged_into_himself"),
            models.UniqueConstraint(
                fields=["gone"],
                condition=models.Q(undone_at__isnull=True, whole=True),
                name="merged_into_one_at_a_time",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.gone} → {self.kept}"
